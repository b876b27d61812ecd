// The two-phase call of an operator: what a generated aclnn_<op>.h calls. The lab runs tiling and kernel.
// asc-devkit: docs/zh/guide, single-operator API execution.
#pragma once
#include "acl/acl.h"

#include <string>
#include <vector>

using aclnnStatus = int32_t;
constexpr aclnnStatus OK = 0;
constexpr aclnnStatus ACLNN_SUCCESS = 0;
constexpr aclnnStatus ACLNN_ERR_PARAM_NULLPTR = 161001;
constexpr aclnnStatus ACLNN_ERR_PARAM_INVALID = 161002;
constexpr aclnnStatus ACLNN_ERR_RUNTIME_ERROR = 361001;
constexpr aclnnStatus ACLNN_ERR_INNER = 561000;

struct aclTensor {
    std::vector<int64_t> view, strides, storage;
    int64_t offset = 0;
    aclDataType type = ACL_FLOAT;
    aclFormat format = ACL_FORMAT_ND;
    void* data = nullptr;
};
struct aclTensorList {
    std::vector<const aclTensor*> tensors;
};
struct aclScalar {
    aclDataType type;
    double real;
    int64_t whole;
};
struct aclIntArray {
    std::vector<int64_t> values;
};
struct aclFloatArray {
    std::vector<float> values;
};
struct aclBoolArray {
    std::vector<uint8_t> values;
};
struct aclOpExecutor {
    int64_t id;
};

inline aclTensor* aclCreateTensor(const int64_t* viewDims, uint64_t viewDimsNum, aclDataType dataType,
    const int64_t* stride, int64_t offset, aclFormat format, const int64_t* storageDims, uint64_t storageDimsNum,
    void* tensorData)
{
    aclTensor* made = new aclTensor;
    made->view.assign(viewDims, viewDims + viewDimsNum);
    if (stride != nullptr) {
        made->strides.assign(stride, stride + viewDimsNum);
    }
    made->storage.assign(storageDims, storageDims + storageDimsNum);
    made->offset = offset;
    made->type = dataType;
    made->format = format;
    made->data = tensorData;
    return made;
}
inline aclnnStatus aclDestroyTensor(const aclTensor* tensor)
{
    delete tensor;
    return 0;
}
inline aclTensorList* aclCreateTensorList(const aclTensor* const* value, uint64_t size)
{
    return new aclTensorList{std::vector<const aclTensor*>(value, value + size)};
}
inline aclnnStatus aclDestroyTensorList(const aclTensorList* list)
{
    for (const aclTensor* tensor : list->tensors) {
        delete tensor;
    }
    delete list;
    return 0;
}
inline aclScalar* aclCreateScalar(void* value, aclDataType type)
{
    double real = 0;
    int64_t whole = 0;
    switch (type) {
        case ACL_FLOAT: real = *static_cast<float*>(value); break;
        case ACL_DOUBLE: real = *static_cast<double*>(value); break;
        case ACL_INT64: whole = *static_cast<int64_t*>(value); break;
        case ACL_INT32: whole = *static_cast<int32_t*>(value); break;
        case ACL_BOOL: whole = *static_cast<bool*>(value); break;
        default: break;
    }
    return new aclScalar{type, real, whole};
}
inline aclnnStatus aclDestroyScalar(const aclScalar* scalar)
{
    delete scalar;
    return 0;
}
inline aclIntArray* aclCreateIntArray(const int64_t* value, uint64_t size)
{
    return new aclIntArray{std::vector<int64_t>(value, value + size)};
}
inline aclnnStatus aclDestroyIntArray(const aclIntArray* array)
{
    delete array;
    return 0;
}
inline aclFloatArray* aclCreateFloatArray(const float* value, uint64_t size)
{
    return new aclFloatArray{std::vector<float>(value, value + size)};
}
inline aclnnStatus aclDestroyFloatArray(const aclFloatArray* array)
{
    delete array;
    return 0;
}
inline aclBoolArray* aclCreateBoolArray(const bool* value, uint64_t size)
{
    return new aclBoolArray{std::vector<uint8_t>(value, value + size)};
}
inline aclnnStatus aclDestroyBoolArray(const aclBoolArray* array)
{
    delete array;
    return 0;
}
inline aclnnStatus aclSetAclOpExecutorRepeatable(aclOpExecutor*) { return 0; }
inline aclnnStatus aclDestroyAclOpExecutor(aclOpExecutor* executor)
{
    delete executor;
    return 0;
}
inline aclnnStatus aclnnInit(const char*) { return 0; }
inline aclnnStatus aclnnFinalize() { return 0; }

namespace al::op {

// Gathers the arguments of aclnn<Op>GetWorkspaceSize as JSON.
class AclnnCall {
public:
    explicit AclnnCall(const char* type) : type_(type) {}
    AclnnCall& Tensor(const aclTensor* tensor)
    {
        return Add(tensor == nullptr ? "[]" : "[" + Text(*tensor) + "]");
    }
    AclnnCall& Tensor(const aclTensorList* list)
    {
        std::string text = "[";
        for (const aclTensor* tensor : list == nullptr ? std::vector<const aclTensor*>() : list->tensors) {
            text += (text.size() > 1 ? "," : "") + Text(*tensor);
        }
        return Add(text + "]");
    }
    AclnnCall& Attr(double value)
    {
        char text[40];
        std::snprintf(text, sizeof(text), "%.17g", value);
        return Add(text);
    }
    AclnnCall& Attr(int64_t value) { return Add(std::to_string(value)); }
    AclnnCall& Attr(bool value) { return Add(value ? "true" : "false"); }
    AclnnCall& Attr(const char* value) { return Add("\"" + std::string(value == nullptr ? "" : value) + "\""); }
    AclnnCall& Attr(const aclIntArray* array) { return Add(array == nullptr ? "null" : List(array->values)); }
    AclnnCall& Attr(const aclFloatArray* array) { return Add(array == nullptr ? "null" : List(array->values)); }
    AclnnCall& Attr(const aclBoolArray* array) { return Add(array == nullptr ? "null" : List(array->values)); }
    aclnnStatus Prepare(uint64_t* workspaceSize, aclOpExecutor** executor, Here here)
    {
        if (workspaceSize == nullptr || executor == nullptr) {
            return ACLNN_ERR_PARAM_NULLPTR;
        }
        HostCall call("aclnn.prepare");
        call.s(type_).s(("[" + text_ + "]").c_str()).s(here.file).i(here.line).go();
        if (call.status() == 0) {
            *workspaceSize = static_cast<uint64_t>(call.value(1));
            *executor = new aclOpExecutor{call.value(2)};
        }
        return static_cast<aclnnStatus>(call.status());
    }

private:
    AclnnCall& Add(const std::string& text)
    {
        text_ += (text_.empty() ? "" : ",") + text;
        return *this;
    }
    template <typename T>
    static std::string List(const std::vector<T>& values)
    {
        std::string text = "[";
        for (const T& value : values) {
            text += (text.size() > 1 ? "," : "") + std::to_string(value);
        }
        return text + "]";
    }
    static std::string Text(const aclTensor& tensor)
    {
        return "{\"shape\":" + List(tensor.view) + ",\"strides\":" + List(tensor.strides) + ",\"offset\":" +
            std::to_string(tensor.offset) + ",\"type\":" + std::to_string(static_cast<int>(tensor.type)) +
            ",\"format\":" + std::to_string(static_cast<int>(tensor.format)) + ",\"data\":" +
            std::to_string(reinterpret_cast<uint64_t>(tensor.data)) + "}";
    }
    const char* type_;
    std::string text_;
};

inline aclnnStatus AclnnExecute(void* workspace, uint64_t size, aclOpExecutor* executor, aclrtStream stream, Here here)
{
    if (executor == nullptr) {
        return ACLNN_ERR_PARAM_NULLPTR;
    }
    HostCall call("aclnn.execute");
    call.i(executor->id).p(workspace).i(static_cast<int64_t>(size)).p(stream).s(here.file).i(here.line).go();
    return static_cast<aclnnStatus>(call.status());
}

} // namespace al::op
