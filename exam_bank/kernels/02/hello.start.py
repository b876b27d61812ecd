import ascend_lab.asc as asc

LINE = 8


@asc.jit
def hello(z: asc.GlobalAddress):
    z_gm = asc.GlobalTensor()
    z_gm.set_global_buffer(z)
    pipe = asc.TPipe()
    queue = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(queue, 1, LINE * z.dtype.sizeof())

    # print one line, then call fill once
