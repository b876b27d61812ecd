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

template <typename... Args>
int Ask(const char* name, Args... args)
{
    HostCall call(name);
    (Tell(call, args), ...);
    return static_cast<int>(call.go().status());
}

} // namespace al

inline aclError aclInit(const char* configPath) { return al::Ask("aclInit", configPath); }
inline aclError aclFinalize() { return al::Ask("aclFinalize"); }
inline aclError aclrtSetDevice(int32_t deviceId) { return al::Ask("aclrtSetDevice", deviceId); }
inline aclError aclrtResetDevice(int32_t deviceId) { return al::Ask("aclrtResetDevice", deviceId); }
inline aclError aclrtGetDevice(int32_t* deviceId) { return al::Ask("aclrtGetDevice", deviceId); }
inline aclError aclrtGetDeviceCount(uint32_t* count) { return al::Ask("aclrtGetDeviceCount", count); }
inline aclError aclrtGetRunMode(aclrtRunMode* mode) { return al::Ask("aclrtGetRunMode", mode); }
inline aclError aclrtGetDeviceInfo(uint32_t deviceId, aclrtDevAttr attr, int64_t* value)
{
    return al::Ask("aclrtGetDeviceInfo", deviceId, attr, value);
}
inline aclError aclrtSynchronizeDevice() { return al::Ask("aclrtSynchronizeDevice"); }
inline aclError aclrtSynchronizeDeviceWithTimeout(int32_t timeout)
{
    return al::Ask("aclrtSynchronizeDeviceWithTimeout", timeout);
}
inline const char* aclrtGetSocName()
{
    static std::string name;
    name = al::HostCall("aclrtGetSocName").go().text(0);
    return name.c_str();
}

inline aclError aclrtCreateContext(aclrtContext* context, int32_t deviceId)
{
    return al::Ask("aclrtCreateContext", context, deviceId);
}
inline aclError aclrtDestroyContext(aclrtContext context) { return al::Ask("aclrtDestroyContext", context); }
inline aclError aclrtSetCurrentContext(aclrtContext context) { return al::Ask("aclrtSetCurrentContext", context); }
inline aclError aclrtGetCurrentContext(aclrtContext* context) { return al::Ask("aclrtGetCurrentContext", context); }

inline aclError aclrtCreateStream(aclrtStream* stream) { return al::Ask("aclrtCreateStream", stream); }
inline aclError aclrtCreateStreamWithConfig(aclrtStream* stream, uint32_t priority, uint32_t flag)
{
    return al::Ask("aclrtCreateStreamWithConfig", stream, priority, flag);
}
inline aclError aclrtDestroyStream(aclrtStream stream) { return al::Ask("aclrtDestroyStream", stream); }
inline aclError aclrtDestroyStreamForce(aclrtStream stream) { return al::Ask("aclrtDestroyStreamForce", stream); }
inline aclError aclrtSynchronizeStream(aclrtStream stream) { return al::Ask("aclrtSynchronizeStream", stream); }
inline aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t timeout)
{
    return al::Ask("aclrtSynchronizeStreamWithTimeout", stream, timeout);
}
inline aclError aclrtStreamQuery(aclrtStream stream, aclrtStreamStatus* status)
{
    return al::Ask("aclrtStreamQuery", stream, status);
}
inline aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event)
{
    return al::Ask("aclrtStreamWaitEvent", stream, event);
}

inline aclError aclrtCreateEvent(aclrtEvent* event) { return al::Ask("aclrtCreateEvent", event); }
inline aclError aclrtCreateEventWithFlag(aclrtEvent* event, uint32_t flag)
{
    return al::Ask("aclrtCreateEventWithFlag", event, flag);
}
inline aclError aclrtCreateEventExWithFlag(aclrtEvent* event, uint32_t flag)
{
    return al::Ask("aclrtCreateEventExWithFlag", event, flag);
}
inline aclError aclrtDestroyEvent(aclrtEvent event) { return al::Ask("aclrtDestroyEvent", event); }
inline aclError aclrtRecordEvent(aclrtEvent event, aclrtStream stream)
{
    return al::Ask("aclrtRecordEvent", event, stream);
}
inline aclError aclrtResetEvent(aclrtEvent event, aclrtStream stream)
{
    return al::Ask("aclrtResetEvent", event, stream);
}
inline aclError aclrtQueryEventStatus(aclrtEvent event, aclrtEventRecordedStatus* status)
{
    return al::Ask("aclrtQueryEventStatus", event, status);
}
inline aclError aclrtSynchronizeEvent(aclrtEvent event) { return al::Ask("aclrtSynchronizeEvent", event); }
inline aclError aclrtEventElapsedTime(float* ms, aclrtEvent start, aclrtEvent end)
{
    return al::Ask("aclrtEventElapsedTime", ms, start, end);
}

inline aclError aclrtMalloc(void** devPtr, size_t size, aclrtMemMallocPolicy policy)
{
    return al::Ask("aclrtMalloc", devPtr, size, policy);
}
inline aclError aclrtMallocAlign32(void** devPtr, size_t size, aclrtMemMallocPolicy policy)
{
    return al::Ask("aclrtMallocAlign32", devPtr, size, policy);
}
inline aclError aclrtFree(void* devPtr) { return al::Ask("aclrtFree", devPtr); }
aclError aclrtMallocHost(void** hostPtr, size_t size);
aclError aclrtFreeHost(void* hostPtr);
inline aclError aclrtMemset(void* devPtr, size_t maxCount, int32_t value, size_t count)
{
    return al::Ask("aclrtMemset", devPtr, maxCount, value, count);
}
inline aclError aclrtMemsetAsync(void* devPtr, size_t maxCount, int32_t value, size_t count, aclrtStream stream)
{
    return al::Ask("aclrtMemsetAsync", devPtr, maxCount, value, count, stream);
}
inline aclError aclrtMemcpy(void* dst, size_t destMax, const void* src, size_t count, aclrtMemcpyKind kind)
{
    return al::Ask("aclrtMemcpy", dst, destMax, src, count, kind);
}
inline aclError aclrtMemcpyAsync(
    void* dst, size_t destMax, const void* src, size_t count, aclrtMemcpyKind kind, aclrtStream stream)
{
    return al::Ask("aclrtMemcpyAsync", dst, destMax, src, count, kind, stream);
}
inline aclError aclrtMemcpy2d(
    void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, size_t height, aclrtMemcpyKind kind)
{
    return al::Ask("aclrtMemcpy2d", dst, dpitch, src, spitch, width, height, kind);
}
inline aclError aclrtMemcpy2dAsync(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, size_t height,
    aclrtMemcpyKind kind, aclrtStream stream)
{
    return al::Ask("aclrtMemcpy2dAsync", dst, dpitch, src, spitch, width, height, kind, stream);
}
inline aclError aclrtGetMemInfo(aclrtMemAttr attr, size_t* free, size_t* total)
{
    return al::Ask("aclrtGetMemInfo", attr, free, total);
}
inline aclError aclrtLaunchCallback(
    aclrtCallback function, void* userData, aclrtCallbackBlockType blockType, aclrtStream stream)
{
    return al::Ask("aclrtLaunchCallback", function, userData, blockType, stream);
}
inline aclError aclrtSubscribeReport(uint64_t threadId, aclrtStream stream)
{
    return al::Ask("aclrtSubscribeReport", threadId, stream);
}
inline aclError aclrtUnSubscribeReport(uint64_t threadId, aclrtStream stream)
{
    return al::Ask("aclrtUnSubscribeReport", threadId, stream);
}
inline aclError aclrtProcessReport(int32_t timeout) { return al::Ask("aclrtProcessReport", timeout); }

inline const char* aclGetRecentErrMsg()
{
    static std::string text;
    text = al::HostCall("aclGetRecentErrMsg").go().text(0);
    return text.empty() ? nullptr : text.c_str();
}
typedef enum aclrtLastErrLevel { ACL_RT_THREAD_LEVEL = 0 } aclrtLastErrLevel;
inline aclError aclrtGetLastError(aclrtLastErrLevel level) { return al::Ask("aclrtGetLastError", level); }
inline aclError aclrtPeekAtLastError(aclrtLastErrLevel level) { return al::Ask("aclrtPeekAtLastError", level); }
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
