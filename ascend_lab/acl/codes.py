"""Numbers of the host runtime: error codes and enumerations, as acl_base.h and acl_rt.h have them."""

from __future__ import annotations

from enum import IntEnum


class Code(IntEnum):
    """aclError. Source: AscendCL API reference, aclError; rt_error_codes.h for 107xxx to 507xxx."""

    SUCCESS = 0
    INVALID_PARAM = 100000
    UNINITIALIZE = 100001
    REPEAT_INITIALIZE = 100002
    STREAM_NOT_SUBSCRIBE = 100034
    WAIT_CALLBACK_TIMEOUT = 100036
    REPEAT_FINALIZE = 100037
    BAD_ALLOC = 200000
    API_NOT_SUPPORT = 200001
    RT_PARAM_INVALID = 107000
    RT_INVALID_DEVICEID = 107001
    RT_CONTEXT_NULL = 107002
    RT_STREAM_CONTEXT = 107003
    RT_EVENT_TIMESTAMP_INVALID = 107006
    RT_EVENT_TIMESTAMP_REVERSAL = 107007
    RT_STREAM_NO_CB_REG = 107015
    RT_INVALID_HANDLE = 107017
    RT_WAIT_TIMEOUT = 107019
    RT_MEMORY_ALLOCATION = 207001
    RT_VECTOR_CORE_EXCEPTION = 507035
    RT_STREAM_SYNC_TIMEOUT = 507046
    RT_DRV_INTERNAL_ERROR = 507899


#: What aclGetRecentErrMsg calls the code: the class of the fault and its sentence.
REASONS = {
    Code.INVALID_PARAM: ("EE1003", "The argument is invalid."),
    Code.RT_PARAM_INVALID: ("EE1001", "The argument is invalid."),
    Code.RT_CONTEXT_NULL: ("EE1001", "The context of this thread is null."),
    Code.RT_MEMORY_ALLOCATION: ("EL0004", "Failed to allocate memory."),
    Code.RT_VECTOR_CORE_EXCEPTION: ("EZ9999", "The vector core execution is abnormal."),
}


class Kind(IntEnum):
    """aclrtMemcpyKind."""

    HOST_TO_HOST = 0
    HOST_TO_DEVICE = 1
    DEVICE_TO_HOST = 2
    DEVICE_TO_DEVICE = 3
    DEFAULT = 4
    HOST_TO_BUF_TO_DEVICE = 5
    INNER_DEVICE_TO_DEVICE = 6
    INTER_DEVICE_TO_DEVICE = 7


#: (destination on the device, source on the device) -> the kind that says so.
DIRECTIONS = {
    (False, False): Kind.HOST_TO_HOST,
    (True, False): Kind.HOST_TO_DEVICE,
    (False, True): Kind.DEVICE_TO_HOST,
    (True, True): Kind.DEVICE_TO_DEVICE,
}
#: Kinds that mean a simpler one.
SAME_AS = {
    Kind.HOST_TO_BUF_TO_DEVICE: Kind.HOST_TO_DEVICE,
    Kind.INNER_DEVICE_TO_DEVICE: Kind.DEVICE_TO_DEVICE,
    Kind.INTER_DEVICE_TO_DEVICE: Kind.DEVICE_TO_DEVICE,
}


class Policy(IntEnum):
    """aclrtMemMallocPolicy."""

    HUGE_FIRST = 0
    HUGE_ONLY = 1
    NORMAL_ONLY = 2
    HUGE_FIRST_P2P = 3
    HUGE_ONLY_P2P = 4
    NORMAL_ONLY_P2P = 5


RUN_MODE_HOST = 1
#: aclrtDevAttr: how many cores of a kind there are.
ATTRIBUTE_AICORE, ATTRIBUTE_CUBE, ATTRIBUTE_VECTOR = 101, 102, 201
BLOCKS_MAX = 65535  # asc-devkit: docs/zh/guide/编程指南/语言扩展层/SIMD-BuiltIn关键字.md
