import ascend_lab.asc as asc


@asc.jit
def copy_any_shape(
    x: asc.GlobalAddress, z: asc.GlobalAddress, rows: int, cols: int, pitch: int, first: int
):
    raise NotImplementedError
