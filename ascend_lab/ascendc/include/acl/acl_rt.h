// The host runtime. Each call is told to the lab with its plain values; what it means is decided there, which
// also reads and writes the memory that pointers name.
#pragma once
#pragma GCC system_header
#include "acl_base.h"
#include "ascend_lab/half.h"
#include "ascend_lab/runtime.h"

#include <type_traits>

namespace al {

template <typename T>
void Tell(HostCall& call, T value)
{
    if constexpr (std::is_same_v<T, const char*> || std::is_same_v<T, char*>) {
        call.s(value);
    } else if constexpr (std::is_pointer_v<T>) {
        if constexpr (std::is_function_v<std::remove_pointer_t<T>>) {
            call.i(static_cast<int64_t>(reinterpret_cast<uint64_t>(value)));
        } else {
            call.p(value);
        }
    } else {
        call.i(static_cast<int64_t>(value));
    }
}

// The program's line goes with every call.
template <typename... Args>
int AskAt(Here here, const char* name, Args... args)
{
    HostCall call(name);
    (Tell(call, args), ...);
    return static_cast<int>(call.s(here.file).i(here.line).go().status());
}

} // namespace al

inline aclError aclInit(const char* configPath, AL_HERE) { return al::AskAt(here, "aclInit", configPath); }
inline aclError aclFinalize(AL_HERE) { return al::AskAt(here, "aclFinalize"); }
inline aclError aclrtSetDevice(int32_t deviceId, AL_HERE) { return al::AskAt(here, "aclrtSetDevice", deviceId); }
inline aclError aclrtResetDevice(int32_t deviceId, AL_HERE) { return al::AskAt(here, "aclrtResetDevice", deviceId); }
inline aclError aclrtGetDevice(int32_t* deviceId, AL_HERE) { return al::AskAt(here, "aclrtGetDevice", deviceId); }
inline aclError aclrtGetDeviceCount(uint32_t* count, AL_HERE) { return al::AskAt(here, "aclrtGetDeviceCount", count); }
inline aclError aclrtGetRunMode(aclrtRunMode* mode, AL_HERE) { return al::AskAt(here, "aclrtGetRunMode", mode); }
inline aclError aclrtGetDeviceInfo(uint32_t deviceId, aclrtDevAttr attr, int64_t* value, AL_HERE)
{
    return al::AskAt(here, "aclrtGetDeviceInfo", deviceId, attr, value);
}
inline aclError aclrtSynchronizeDevice(AL_HERE) { return al::AskAt(here, "aclrtSynchronizeDevice"); }
inline aclError aclrtSynchronizeDeviceWithTimeout(int32_t timeout, AL_HERE)
{
    return al::AskAt(here, "aclrtSynchronizeDeviceWithTimeout", timeout);
}
inline const char* aclrtGetSocName()
{
    static std::string name;
    name = al::HostCall("aclrtGetSocName").go().text(0);
    return name.c_str();
}

inline aclError aclrtCreateContext(aclrtContext* context, int32_t deviceId, AL_HERE)
{
    return al::AskAt(here, "aclrtCreateContext", context, deviceId);
}
inline aclError aclrtDestroyContext(aclrtContext context, AL_HERE) { return al::AskAt(here, "aclrtDestroyContext", context); }
inline aclError aclrtSetCurrentContext(aclrtContext context, AL_HERE) { return al::AskAt(here, "aclrtSetCurrentContext", context); }
inline aclError aclrtGetCurrentContext(aclrtContext* context, AL_HERE) { return al::AskAt(here, "aclrtGetCurrentContext", context); }

inline aclError aclrtCreateStream(aclrtStream* stream, AL_HERE) { return al::AskAt(here, "aclrtCreateStream", stream); }
inline aclError aclrtCreateStreamWithConfig(aclrtStream* stream, uint32_t priority, uint32_t flag, AL_HERE)
{
    return al::AskAt(here, "aclrtCreateStreamWithConfig", stream, priority, flag);
}
inline aclError aclrtDestroyStream(aclrtStream stream, AL_HERE) { return al::AskAt(here, "aclrtDestroyStream", stream); }
inline aclError aclrtDestroyStreamForce(aclrtStream stream, AL_HERE) { return al::AskAt(here, "aclrtDestroyStreamForce", stream); }
inline aclError aclrtSynchronizeStream(aclrtStream stream, AL_HERE) { return al::AskAt(here, "aclrtSynchronizeStream", stream); }
inline aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t timeout, AL_HERE)
{
    return al::AskAt(here, "aclrtSynchronizeStreamWithTimeout", stream, timeout);
}
inline aclError aclrtStreamQuery(aclrtStream stream, aclrtStreamStatus* status, AL_HERE)
{
    return al::AskAt(here, "aclrtStreamQuery", stream, status);
}
inline aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event, AL_HERE)
{
    return al::AskAt(here, "aclrtStreamWaitEvent", stream, event);
}

inline aclError aclrtCreateEvent(aclrtEvent* event, AL_HERE) { return al::AskAt(here, "aclrtCreateEvent", event); }
inline aclError aclrtCreateEventWithFlag(aclrtEvent* event, uint32_t flag, AL_HERE)
{
    return al::AskAt(here, "aclrtCreateEventWithFlag", event, flag);
}
inline aclError aclrtCreateEventExWithFlag(aclrtEvent* event, uint32_t flag, AL_HERE)
{
    return al::AskAt(here, "aclrtCreateEventExWithFlag", event, flag);
}
inline aclError aclrtDestroyEvent(aclrtEvent event, AL_HERE) { return al::AskAt(here, "aclrtDestroyEvent", event); }
inline aclError aclrtRecordEvent(aclrtEvent event, aclrtStream stream, AL_HERE)
{
    return al::AskAt(here, "aclrtRecordEvent", event, stream);
}
inline aclError aclrtResetEvent(aclrtEvent event, aclrtStream stream, AL_HERE)
{
    return al::AskAt(here, "aclrtResetEvent", event, stream);
}
inline aclError aclrtQueryEventStatus(aclrtEvent event, aclrtEventRecordedStatus* status, AL_HERE)
{
    return al::AskAt(here, "aclrtQueryEventStatus", event, status);
}
inline aclError aclrtSynchronizeEvent(aclrtEvent event, AL_HERE) { return al::AskAt(here, "aclrtSynchronizeEvent", event); }
inline aclError aclrtEventElapsedTime(float* ms, aclrtEvent start, aclrtEvent end, AL_HERE)
{
    return al::AskAt(here, "aclrtEventElapsedTime", ms, start, end);
}

inline aclError aclrtMalloc(void** devPtr, size_t size, aclrtMemMallocPolicy policy, AL_HERE)
{
    return al::AskAt(here, "aclrtMalloc", devPtr, size, policy);
}
inline aclError aclrtMallocAlign32(void** devPtr, size_t size, aclrtMemMallocPolicy policy, AL_HERE)
{
    return al::AskAt(here, "aclrtMallocAlign32", devPtr, size, policy);
}
inline aclError aclrtFree(void* devPtr, AL_HERE) { return al::AskAt(here, "aclrtFree", devPtr); }
aclError aclrtMallocHost(void** hostPtr, size_t size, AL_HERE);
aclError aclrtFreeHost(void* hostPtr, AL_HERE);
inline aclError aclrtMemset(void* devPtr, size_t maxCount, int32_t value, size_t count, AL_HERE)
{
    return al::AskAt(here, "aclrtMemset", devPtr, maxCount, value, count);
}
inline aclError aclrtMemsetAsync(void* devPtr, size_t maxCount, int32_t value, size_t count, aclrtStream stream, AL_HERE)
{
    return al::AskAt(here, "aclrtMemsetAsync", devPtr, maxCount, value, count, stream);
}
inline aclError aclrtMemcpy(void* dst, size_t destMax, const void* src, size_t count, aclrtMemcpyKind kind, AL_HERE)
{
    return al::AskAt(here, "aclrtMemcpy", dst, destMax, src, count, kind);
}
inline aclError aclrtMemcpyAsync(void* dst, size_t destMax, const void* src, size_t count, aclrtMemcpyKind kind, aclrtStream stream, AL_HERE)
{
    return al::AskAt(here, "aclrtMemcpyAsync", dst, destMax, src, count, kind, stream);
}
inline aclError aclrtMemcpy2d(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, size_t height, aclrtMemcpyKind kind, AL_HERE)
{
    return al::AskAt(here, "aclrtMemcpy2d", dst, dpitch, src, spitch, width, height, kind);
}
inline aclError aclrtMemcpy2dAsync(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, size_t height,
    aclrtMemcpyKind kind, aclrtStream stream, AL_HERE)
{
    return al::AskAt(here, "aclrtMemcpy2dAsync", dst, dpitch, src, spitch, width, height, kind, stream);
}
inline aclError aclrtGetMemInfo(aclrtMemAttr attr, size_t* free, size_t* total, AL_HERE)
{
    return al::AskAt(here, "aclrtGetMemInfo", attr, free, total);
}
inline aclError aclrtLaunchCallback(aclrtCallback function, void* userData, aclrtCallbackBlockType blockType, aclrtStream stream, AL_HERE)
{
    return al::AskAt(here, "aclrtLaunchCallback", function, userData, blockType, stream);
}
inline aclError aclrtSubscribeReport(uint64_t threadId, aclrtStream stream, AL_HERE)
{
    return al::AskAt(here, "aclrtSubscribeReport", threadId, stream);
}
inline aclError aclrtUnSubscribeReport(uint64_t threadId, aclrtStream stream, AL_HERE)
{
    return al::AskAt(here, "aclrtUnSubscribeReport", threadId, stream);
}
inline aclError aclrtProcessReport(int32_t timeout, AL_HERE) { return al::AskAt(here, "aclrtProcessReport", timeout); }

inline const char* aclGetRecentErrMsg()
{
    static std::string text;
    text = al::HostCall("aclGetRecentErrMsg").go().text(0);
    return text.empty() ? nullptr : text.c_str();
}
typedef enum aclrtLastErrLevel { ACL_RT_THREAD_LEVEL = 0 } aclrtLastErrLevel;
inline aclError aclrtGetLastError(aclrtLastErrLevel level, AL_HERE) { return al::AskAt(here, "aclrtGetLastError", level); }
inline aclError aclrtPeekAtLastError(aclrtLastErrLevel level, AL_HERE) { return al::AskAt(here, "aclrtPeekAtLastError", level); }
inline float aclFloat16ToFloat(aclFloat16 value) { return al::HalfValue(value); }
inline aclFloat16 aclFloatToFloat16(float value) { return al::HalfBits(value); }
inline size_t aclDataTypeSize(aclDataType type)
{
    switch (type) {
        case ACL_INT8: case ACL_UINT8: case ACL_BOOL: return 1;
        case ACL_FLOAT16: case ACL_BF16: case ACL_INT16: case ACL_UINT16: return 2;
        case ACL_FLOAT: case ACL_INT32: case ACL_UINT32: return 4;
        case ACL_INT64: case ACL_UINT64: case ACL_DOUBLE: case ACL_COMPLEX64: return 8;
        case ACL_COMPLEX128: return 16;
        default: return 0;
    }
}
