// Descriptions of tensors and buffers of device memory, as op_runner.cpp of operator projects keeps them. Running an
// operator by its name from an offline model (aclopExecuteV2) needs files of the real compiler.
#pragma once
#pragma GCC system_header
#include "acl_rt.h"

#include <string>
#include <vector>

struct aclTensorDesc {
    aclDataType type;
    aclFormat format;
    std::vector<int64_t> dims;
    std::string name;
};
struct aclDataBuffer {
    void* data;
    size_t size;
};
struct aclopAttr {};

inline aclTensorDesc* aclCreateTensorDesc(aclDataType dataType, int numDims, const int64_t* dims, aclFormat format)
{
    return new aclTensorDesc{dataType, format, std::vector<int64_t>(dims, dims + (numDims > 0 ? numDims : 0)), ""};
}
inline void aclDestroyTensorDesc(const aclTensorDesc* desc) { delete desc; }
inline aclDataType aclGetTensorDescType(const aclTensorDesc* desc) { return desc == nullptr ? ACL_DT_UNDEFINED : desc->type; }
inline aclFormat aclGetTensorDescFormat(const aclTensorDesc* desc)
{
    return desc == nullptr ? ACL_FORMAT_UNDEFINED : desc->format;
}
inline size_t aclGetTensorDescNumDims(const aclTensorDesc* desc) { return desc == nullptr ? 0 : desc->dims.size(); }
inline size_t aclGetTensorDescElementCount(const aclTensorDesc* desc)
{
    size_t count = desc == nullptr ? 0 : 1;
    for (size_t axis = 0; axis < aclGetTensorDescNumDims(desc); ++axis) {
        count *= static_cast<size_t>(desc->dims[axis]);
    }
    return count;
}
inline size_t aclGetTensorDescSize(const aclTensorDesc* desc)
{
    return aclGetTensorDescElementCount(desc) * aclDataTypeSize(aclGetTensorDescType(desc));
}
inline aclError aclGetTensorDescDimV2(const aclTensorDesc* desc, size_t index, int64_t* dimSize)
{
    if (dimSize == nullptr || index >= aclGetTensorDescNumDims(desc)) {
        return ACL_ERROR_INVALID_PARAM;
    }
    *dimSize = desc->dims[index];
    return ACL_SUCCESS;
}
inline int64_t aclGetTensorDescDim(const aclTensorDesc* desc, size_t index)
{
    return index < aclGetTensorDescNumDims(desc) ? desc->dims[index] : -1;
}
inline void aclSetTensorDescName(aclTensorDesc* desc, const char* name) { desc->name = name == nullptr ? "" : name; }
inline const char* aclGetTensorDescName(aclTensorDesc* desc) { return desc->name.c_str(); }

inline aclDataBuffer* aclCreateDataBuffer(void* data, size_t size) { return new aclDataBuffer{data, size}; }
inline aclError aclDestroyDataBuffer(const aclDataBuffer* dataBuffer)
{
    delete dataBuffer;
    return ACL_SUCCESS;
}
inline void* aclGetDataBufferAddr(const aclDataBuffer* dataBuffer) { return dataBuffer == nullptr ? nullptr : dataBuffer->data; }
inline uint32_t aclGetDataBufferSize(const aclDataBuffer* dataBuffer)
{
    return dataBuffer == nullptr ? 0 : static_cast<uint32_t>(dataBuffer->size);
}
inline size_t aclGetDataBufferSizeV2(const aclDataBuffer* dataBuffer) { return dataBuffer == nullptr ? 0 : dataBuffer->size; }
inline aclError aclUpdateDataBuffer(aclDataBuffer* dataBuffer, void* data, size_t size)
{
    *dataBuffer = {data, size};
    return ACL_SUCCESS;
}

inline aclopAttr* aclopCreateAttr() { return new aclopAttr; }
inline void aclopDestroyAttr(const aclopAttr* attr) { delete attr; }
inline aclError aclopSetModelDir(const char*) { al::NotModelled("aclopSetModelDir"); }
template <typename... A>
aclError aclopExecuteV2(const char*, A&&...)
{
    al::NotModelled("aclopExecuteV2");
}
template <typename... A>
aclError aclopCompileAndExecute(const char*, A&&...)
{
    al::NotModelled("aclopCompileAndExecute");
}
