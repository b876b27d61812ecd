import ascend_lab.asc as asc


@asc.jit
def masked_softmax(
    x: asc.GlobalAddress, mask: asc.GlobalAddress, z: asc.GlobalAddress, rows: int, cols: int
):
    raise NotImplementedError
