import ascend_lab.asc as asc

TILE_LENGTH = 2048


@asc.jit
def cuda_add(a: asc.GlobalAddress, b: asc.GlobalAddress, c: asc.GlobalAddress, length: int):
    raise NotImplementedError
