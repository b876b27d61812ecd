// AscendCL's profiling interface. The calls are accepted and collect nothing: `ascend-lab prof` shows what a program's
// kernels did. Source: runtime: docs/03_api_ref/19-01_Profiling数据采集接口.md, 19-02_msproftx扩展接口.md,
// 25-02_Enumerations.md; asc-devkit: examples/01_simd_cpp_api/01_utilities/04_profiling (tensors of a range).
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "acl/acl.h"

#define ACL_PROF_ACL_API 0x0001ULL
#define ACL_PROF_TASK_TIME 0x0002ULL
#define ACL_PROF_AICORE_METRICS 0x0004ULL
#define ACL_PROF_AICPU 0x0008ULL
#define ACL_PROF_L2CACHE 0x0010ULL
#define ACL_PROF_HCCL_TRACE 0x0020ULL
#define ACL_PROF_TRAINING_TRACE 0x0040ULL
#define ACL_PROF_MSPROFTX 0x0080ULL
#define ACL_PROF_RUNTIME_API 0x0100ULL

#define ACL_PROF_EVENT_ATTR_VERSION 1
#define ACL_PROF_MESSAGE_TYPE_TENSOR_INFO 0

enum aclprofAicoreMetrics {
    ACL_AICORE_ARITHMETIC_UTILIZATION = 0,
    ACL_AICORE_PIPE_UTILIZATION = 1,
    ACL_AICORE_MEMORY_BANDWIDTH = 2,
    ACL_AICORE_L0B_AND_WIDTH = 3,
    ACL_AICORE_RESOURCE_CONFLICT_RATIO = 4,
    ACL_AICORE_MEMORY_UB = 5,
    ACL_AICORE_L2_CACHE = 6,
    ACL_AICORE_PIPE_EXECUTE_UTILIZATION = 7,
    ACL_AICORE_MEMORY_ACCESS = 8,
    ACL_AICORE_NONE = 0xFF,
};

struct aclprofConfig {
    uint64_t types;
};
struct aclprofAicoreEvents {};

struct aclprofTensor {
    uint32_t type; // 0: input, 1: output
    uint32_t format;
    uint32_t dataType;
    uint32_t shapeDim;
    uint32_t shape[8];
};
struct aclprofTensorInfo {
    uint64_t opNameId; // of aclprofStr2Id
    uint64_t opTypeId;
    uint32_t resv;
    uint32_t tensorNum;
    uint32_t kernelType;
    uint32_t blockNums;
    void* stream;
    aclprofTensor* tensors;
};
struct aclprofEventAttributes {
    uint16_t version;
    uint16_t size;
    uint32_t messageType;
    union {
        aclprofTensorInfo* tensorInfo;
    } message;
};

// --- collecting -----------------------------------------------------------------------------------
inline aclError aclprofInit(const char* path, size_t) { return path == nullptr ? ACL_ERROR_INVALID_PARAM : ACL_SUCCESS; }
inline aclError aclprofFinalize() { return ACL_SUCCESS; }
inline aclprofConfig* aclprofCreateConfig(
    uint32_t* devices, uint32_t count, aclprofAicoreMetrics, const aclprofAicoreEvents*, uint64_t types)
{
    return count != 0 && devices == nullptr ? nullptr : new aclprofConfig{types};
}
inline aclError aclprofDestroyConfig(const aclprofConfig* config)
{
    if (config == nullptr) {
        return ACL_ERROR_INVALID_PARAM;
    }
    delete config;
    return ACL_SUCCESS;
}
inline aclError aclprofStart(const aclprofConfig* config)
{
    return config == nullptr ? ACL_ERROR_INVALID_PARAM : ACL_SUCCESS;
}
inline aclError aclprofStop(const aclprofConfig* config)
{
    return config == nullptr ? ACL_ERROR_INVALID_PARAM : ACL_SUCCESS;
}

// --- marks ----------------------------------------------------------------------------------------
inline void* aclprofCreateStamp() { return new std::string; }
inline void aclprofDestroyStamp(void* stamp) { delete static_cast<std::string*>(stamp); }
inline aclError aclprofSetStampTraceMessage(void* stamp, const char* text, uint32_t length)
{
    if (stamp == nullptr || text == nullptr) {
        return ACL_ERROR_INVALID_PARAM;
    }
    static_cast<std::string*>(stamp)->assign(text, length);
    return ACL_SUCCESS;
}
inline aclError aclprofMark(void* stamp) { return stamp == nullptr ? ACL_ERROR_INVALID_PARAM : ACL_SUCCESS; }
inline aclError aclprofMarkEx(const char* text, size_t, aclrtStream)
{
    return text == nullptr ? ACL_ERROR_INVALID_PARAM : ACL_SUCCESS;
}
inline aclError aclprofPush(void* stamp) { return stamp == nullptr ? ACL_ERROR_INVALID_PARAM : ACL_SUCCESS; }
inline aclError aclprofPop() { return ACL_SUCCESS; }
inline aclError aclprofRangeStart(void* stamp, uint32_t* id)
{
    static uint32_t last = 0;
    if (stamp == nullptr || id == nullptr) {
        return ACL_ERROR_INVALID_PARAM;
    }
    *id = ++last;
    return ACL_SUCCESS;
}
inline aclError aclprofRangeStop(uint32_t) { return ACL_SUCCESS; }
inline uint64_t aclprofStr2Id(const char* text) { return std::hash<std::string>{}(text == nullptr ? "" : text); }
inline aclError aclprofRangePushEx(aclprofEventAttributes* attributes)
{
    return attributes == nullptr ? ACL_ERROR_INVALID_PARAM : ACL_SUCCESS;
}
inline aclError aclprofRangePop() { return ACL_SUCCESS; }
