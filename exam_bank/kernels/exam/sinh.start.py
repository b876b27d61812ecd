import ascend_lab.asc as asc


@asc.jit
def sinh(x: asc.GlobalAddress, z: asc.GlobalAddress, length: int):
    raise NotImplementedError
