import ascend_lab.asc as asc


@asc.jit
def gather_rows(
    table: asc.GlobalAddress,
    index: asc.GlobalAddress,
    z: asc.GlobalAddress,
    entries: int,
    length: int,
    cols: int,
):
    raise NotImplementedError
