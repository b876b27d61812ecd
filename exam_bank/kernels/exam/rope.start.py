import ascend_lab.asc as asc


@asc.jit
def rope(
    x: asc.GlobalAddress,
    cos: asc.GlobalAddress,
    sin: asc.GlobalAddress,
    z: asc.GlobalAddress,
    tokens: int,
    heads: int,
    half: int,
):
    raise NotImplementedError
