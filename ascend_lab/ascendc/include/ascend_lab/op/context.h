// The contexts that TilingFunc, InferShape and InferDataType get. asc-devkit: docs/zh/guide, operator projects.
#pragma once
#include "ascend_lab/op/shape.h"
#include "tiling/platform/platform_ascendc.h"

#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace fe {
class PlatFormInfos {
public:
    uint32_t GetCoreNum() const { return al::chip.vector_cores; }
};
} // namespace fe

namespace gert {

class TilingData {
public:
    void* GetData() { return bytes.data(); }
    const void* GetData() const { return bytes.data(); }
    size_t GetCapacity() const { return bytes.size(); }
    size_t GetDataSize() const { return size; }
    void SetDataSize(size_t bytes_used, AL_HERE)
    {
        size = bytes_used;
        if (bytes_used > bytes.size()) {
            ::al::op::Tell("tiling_size", here, std::to_string(bytes_used), std::to_string(bytes.size()));
        }
    }
    template <typename T>
    ge::graphStatus Append(const T& value)
    {
        if (size + sizeof(T) > bytes.size()) {
            return ge::GRAPH_FAILED;
        }
        std::memcpy(bytes.data() + size, &value, sizeof(T));
        size += sizeof(T);
        return ge::GRAPH_SUCCESS;
    }
    template <typename T>
    ge::graphStatus Append(const T* data, size_t append_num)
    {
        if (size + append_num * sizeof(T) > bytes.size()) {
            return ge::GRAPH_FAILED;
        }
        std::memcpy(bytes.data() + size, data, append_num * sizeof(T));
        size += append_num * sizeof(T);
        return ge::GRAPH_SUCCESS;
    }
    size_t size = 0;
    std::vector<char> bytes;
};

} // namespace gert

namespace al::op {

// One node: what its inputs, outputs and attributes are, and what TilingFunc says.
struct Node {
    std::string type, name;
    std::vector<gert::Tensor> inputs, outputs;   // as they are passed: a dynamic input has several
    std::vector<int> input_start, output_start;  // by the operator's own list: the first of each, one more at the end
    gert::RuntimeAttrs attrs;
    gert::TilingData tiling;
    std::vector<size_t> workspaces;
    uint64_t key = 0;
    int64_t blocks = -1; // not set
    Here blocks_at{"", "", 0}, workspaces_at{"", "", 0}, key_at{"", "", 0};
    std::vector<uint64_t> chosen; // template arguments
    int schedule_mode = 0;
    fe::PlatFormInfos platform;
};

template <typename T>
T& CompileInfoOf()
{
    static T info{};
    return info;
}

} // namespace al::op

namespace gert {

// What the contexts have in common.
class ExtendedKernelContext {
public:
    explicit ExtendedKernelContext(::al::op::Node& node) : node_(node) {}
    const char* GetNodeName() const { return node_.name.c_str(); }
    const char* GetNodeType() const { return node_.type.c_str(); }
    const RuntimeAttrs* GetAttrs(AL_HERE) const
    {
        Seen(here);
        return &node_.attrs;
    }
    size_t GetComputeNodeInputNum() const { return node_.inputs.size(); }
    size_t GetComputeNodeOutputNum() const { return node_.outputs.size(); }
    size_t GetInputsNum() const { return node_.inputs.size(); }
    size_t GetOutputsNum() const { return node_.outputs.size(); }
    size_t GetIrInputsNum() const { return node_.input_start.size() - 1; }
    const CompileTimeTensorDesc* GetInputDesc(size_t index, AL_HERE) const
    {
        const Tensor* found = Input(index, "GetInputDesc", here);
        return found == nullptr ? nullptr : &found->desc;
    }
    const CompileTimeTensorDesc* GetRequiredInputDesc(size_t index, AL_HERE) const { return GetInputDesc(index, here); }
    const CompileTimeTensorDesc* GetOptionalInputDesc(size_t index, AL_HERE) const
    {
        const Tensor* found = Optional(index, "GetOptionalInputDesc", here);
        return found == nullptr ? nullptr : &found->desc;
    }
    const CompileTimeTensorDesc* GetDynamicInputDesc(size_t index, size_t relative, AL_HERE) const
    {
        const Tensor* found = Dynamic(index, relative, "GetDynamicInputDesc", here);
        return found == nullptr ? nullptr : &found->desc;
    }
    const CompileTimeTensorDesc* GetOutputDesc(size_t index, AL_HERE) const
    {
        const Tensor* found = Output(index, "GetOutputDesc", here);
        return found == nullptr ? nullptr : &found->desc;
    }
    const Tensor* GetInputTensor(size_t index, AL_HERE) const { return Input(index, "GetInputTensor", here); }
    const Tensor* GetRequiredInputTensor(size_t index, AL_HERE) const { return Input(index, "GetRequiredInputTensor", here); }
    const Tensor* GetOptionalInputTensor(size_t index, AL_HERE) const
    {
        return Optional(index, "GetOptionalInputTensor", here);
    }
    const Tensor* GetDynamicInputTensor(size_t index, size_t relative, AL_HERE) const
    {
        return Dynamic(index, relative, "GetDynamicInputTensor", here);
    }
    const ExtendedKernelContext* GetComputeNodeInfo() const { return this; }

protected:
    static void Seen(::al::Here here) { ::al::op::last_seen = here; }
    Tensor* Input(size_t index, const char* api, ::al::Here here) const
    {
        return At(node_.inputs, index, api, "input", here);
    }
    Tensor* Output(size_t index, const char* api, ::al::Here here) const
    {
        return At(node_.outputs, index, api, "output", here);
    }
    // By the operator's own list of inputs; one that was not given is null, and that is no fault.
    Tensor* Optional(size_t index, const char* api, ::al::Here here) const
    {
        Seen(here);
        if (index + 1 >= node_.input_start.size()) {
            ::al::op::TellIndex(api, "input", index, node_.input_start.size() - 1, here);
            return nullptr;
        }
        const size_t first = static_cast<size_t>(node_.input_start[index]);
        const bool given = node_.input_start[index + 1] > node_.input_start[index] && node_.inputs[first].present;
        return given ? &node_.inputs[first] : nullptr;
    }
    Tensor* Dynamic(size_t index, size_t relative, const char* api, ::al::Here here) const
    {
        Seen(here);
        const bool known = index + 1 < node_.input_start.size();
        const size_t count = known ? static_cast<size_t>(node_.input_start[index + 1] - node_.input_start[index]) : 0;
        if (relative >= count) {
            ::al::op::TellIndex(api, "input", known ? relative : index, known ? count : node_.input_start.size() - 1, here);
            return nullptr;
        }
        return &node_.inputs[static_cast<size_t>(node_.input_start[index]) + relative];
    }
    Tensor* At(std::vector<Tensor>& list, size_t index, const char* api, const char* what, ::al::Here here) const
    {
        Seen(here);
        if (index >= list.size()) {
            ::al::op::TellIndex(api, what, index, list.size(), here);
            return nullptr;
        }
        return &list[index];
    }
    ::al::op::Node& node_;
};
using ComputeNodeInfo = ExtendedKernelContext;

class TilingContext : public ExtendedKernelContext {
public:
    using ExtendedKernelContext::ExtendedKernelContext;
    const StorageShape* GetInputShape(size_t index, AL_HERE) const { return Of(Input(index, "GetInputShape", here)); }
    const StorageShape* GetRequiredInputShape(size_t index, AL_HERE) const
    {
        return Of(Input(index, "GetRequiredInputShape", here));
    }
    const StorageShape* GetOptionalInputShape(size_t index, AL_HERE) const
    {
        return Of(Optional(index, "GetOptionalInputShape", here));
    }
    const StorageShape* GetDynamicInputShape(size_t index, size_t relative, AL_HERE) const
    {
        return Of(Dynamic(index, relative, "GetDynamicInputShape", here));
    }
    const StorageShape* GetOutputShape(size_t index, AL_HERE) const { return Of(Output(index, "GetOutputShape", here)); }
    fe::PlatFormInfos* GetPlatformInfo() const { return &node_.platform; }
    uint32_t GetDeterministic() const { return 0; }

    ge::graphStatus SetBlockDim(uint32_t blocks, AL_HERE)
    {
        Seen(here);
        node_.blocks = blocks;
        node_.blocks_at = here;
        return ge::GRAPH_SUCCESS;
    }
    ge::graphStatus SetNumBlocks(uint32_t blocks, AL_HERE) { return SetBlockDim(blocks, here); }
    ge::graphStatus SetSimdNumBlocks(uint32_t blocks, AL_HERE) { return SetBlockDim(blocks, here); }
    uint32_t GetBlockDim() const { return node_.blocks < 0 ? 0 : static_cast<uint32_t>(node_.blocks); }
    uint32_t GetNumBlocks() const { return GetBlockDim(); }
    ge::graphStatus SetTilingKey(uint64_t key, AL_HERE)
    {
        Seen(here);
        node_.key = key;
        node_.key_at = here;
        const auto made = al::op::KeysMade().find(key);
        if (made != al::op::KeysMade().end()) {
            node_.chosen = made->second;
        }
        return ge::GRAPH_SUCCESS;
    }
    uint64_t GetTilingKey() const { return node_.key; }
    size_t* GetWorkspaceSizes(size_t count, AL_HERE)
    {
        Seen(here);
        node_.workspaces_at = here;
        node_.workspaces.resize(count > node_.workspaces.size() ? count : node_.workspaces.size());
        return node_.workspaces.data();
    }
    size_t GetWorkspaceNum() const { return node_.workspaces.size(); }
    TilingData* GetRawTilingData(AL_HERE)
    {
        Seen(here);
        return &node_.tiling;
    }
    template <typename T>
    T* GetTilingData(AL_HERE)
    {
        Seen(here);
        if (sizeof(T) > node_.tiling.GetCapacity()) {
            ::al::op::Tell("tiling_size", here, std::to_string(sizeof(T)), std::to_string(node_.tiling.GetCapacity()));
            return nullptr;
        }
        node_.tiling.size = sizeof(T);
        return static_cast<T*>(node_.tiling.GetData());
    }
    const void* GetCompileInfo() const { return nullptr; } // whose type is not told
    template <typename T>
    const T* GetCompileInfo() const
    {
        return &::al::op::CompileInfoOf<T>();
    }
    ge::graphStatus SetScheduleMode(uint32_t mode)
    {
        node_.schedule_mode = static_cast<int>(mode);
        return ge::GRAPH_SUCCESS;
    }
    ge::graphStatus SetNeedAtomic(bool) { return ge::GRAPH_SUCCESS; }
    ge::graphStatus SetTilingCond(int32_t) { return ge::GRAPH_SUCCESS; }
    ge::graphStatus SetLocalMemorySize(uint32_t) { return ge::GRAPH_SUCCESS; }
    ge::graphStatus SetDynUBufSize(uint32_t) { return ge::GRAPH_SUCCESS; }
    ::al::op::Node& AlNode() { return node_; }

private:
    static const StorageShape* Of(const Tensor* tensor) { return tensor == nullptr ? nullptr : &tensor->shape; }
};

class TilingParseContext : public ExtendedKernelContext {
public:
    using ExtendedKernelContext::ExtendedKernelContext;
    template <typename T>
    T* GetCompiledInfo()
    {
        return &::al::op::CompileInfoOf<T>();
    }
    fe::PlatFormInfos* GetPlatformInfo() const { return &node_.platform; }
};
using KernelContext = TilingParseContext;

class InferShapeContext : public ExtendedKernelContext {
public:
    using ExtendedKernelContext::ExtendedKernelContext;
    const Shape* GetInputShape(size_t index, AL_HERE) const { return Of(Input(index, "GetInputShape", here)); }
    const Shape* GetRequiredInputShape(size_t index, AL_HERE) const
    {
        return Of(Input(index, "GetRequiredInputShape", here));
    }
    const Shape* GetOptionalInputShape(size_t index, AL_HERE) const
    {
        return Of(Optional(index, "GetOptionalInputShape", here));
    }
    const Shape* GetDynamicInputShape(size_t index, size_t relative, AL_HERE) const
    {
        return Of(Dynamic(index, relative, "GetDynamicInputShape", here));
    }
    Shape* GetOutputShape(size_t index, AL_HERE) const
    {
        Tensor* found = Output(index, "GetOutputShape", here);
        return found == nullptr ? nullptr : &found->shape.MutableOriginShape();
    }

private:
    static const Shape* Of(const Tensor* tensor) { return tensor == nullptr ? nullptr : &tensor->GetOriginShape(); }
};

template <typename T>
struct Range {
    T *min = nullptr, *max = nullptr;
    T* GetMin() const { return min; }
    T* GetMax() const { return max; }
    void SetMin(T* value) { min = value; }
    void SetMax(T* value) { max = value; }
};

// Compiles; ranges of shapes are for graphs, which nothing here builds.
class InferShapeRangeContext : public ExtendedKernelContext {
public:
    using ExtendedKernelContext::ExtendedKernelContext;
    const Range<Shape>* GetInputShapeRange(size_t) const { return &range_; }
    Range<Shape>* GetOutputShapeRange(size_t) { return &range_; }

private:
    Range<Shape> range_;
};

class InferDataTypeContext : public ExtendedKernelContext {
public:
    using ExtendedKernelContext::ExtendedKernelContext;
    ge::DataType GetInputDataType(size_t index, AL_HERE) const
    {
        const Tensor* found = Input(index, "GetInputDataType", here);
        return found == nullptr ? ge::DT_UNDEFINED : found->desc.type;
    }
    ge::DataType GetRequiredInputDataType(size_t index, AL_HERE) const { return GetInputDataType(index, here); }
    ge::DataType GetOptionalInputDataType(size_t index, AL_HERE) const
    {
        const Tensor* found = Optional(index, "GetOptionalInputDataType", here);
        return found == nullptr ? ge::DT_UNDEFINED : found->desc.type;
    }
    ge::DataType GetDynamicInputDataType(size_t index, size_t relative, AL_HERE) const
    {
        const Tensor* found = Dynamic(index, relative, "GetDynamicInputDataType", here);
        return found == nullptr ? ge::DT_UNDEFINED : found->desc.type;
    }
    ge::DataType GetOutputDataType(size_t index, AL_HERE) const
    {
        const Tensor* found = Output(index, "GetOutputDataType", here);
        return found == nullptr ? ge::DT_UNDEFINED : found->desc.type;
    }
    ge::graphStatus SetOutputDataType(size_t index, ge::DataType type, AL_HERE)
    {
        Tensor* found = Output(index, "SetOutputDataType", here);
        if (found == nullptr) {
            return ge::GRAPH_FAILED;
        }
        found->desc.type = type;
        return ge::GRAPH_SUCCESS;
    }
};

} // namespace gert
