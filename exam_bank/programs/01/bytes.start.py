import numpy as np

import ascend_lab.acl as acl


def shift(x, value):
    n = len(x)
    size = 2 * x.nbytes
    result = np.zeros(2 * n, np.int32)
    acl.init()
    acl.rt.set_device(0)
    device, _ = acl.rt.malloc(size, 0)
    acl.rt.memset(device, size, value, x.nbytes)
    acl.rt.memcpy(device + n, n, acl.util.numpy_to_ptr(x), n, 1)
    acl.rt.memcpy(acl.util.numpy_to_ptr(result), size, device, size, 2)
    acl.rt.free(device)
    acl.rt.reset_device(0)
    acl.finalize()
    return result
