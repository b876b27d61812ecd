import ascend_lab.asc as asc


@asc.jit
def layernorm(
    x: asc.GlobalAddress,
    gamma: asc.GlobalAddress,
    beta: asc.GlobalAddress,
    z: asc.GlobalAddress,
    rows: int,
    cols: int,
    epsilon: float,
):
    raise NotImplementedError
