// OpName on the host: prototype, shapes, and how the work is divided.
#include "op_name_tiling.h"

#include <algorithm>

#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
constexpr uint32_t ELEMENTS_PER_BLOCK = 32 / 2; // half has 2 bytes, UB blocks 32
constexpr uint32_t BYTES_PER_ELEMENT = 8;       // in UB: two buffers each of x and y

static ge::graphStatus TilingFunc(gert::TilingContext* context)
{
    auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
    uint64_t ubBytes = 0;
    platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ubBytes);

    const uint32_t totalLength = static_cast<uint32_t>(context->GetInputShape(0)->GetStorageShape().GetShapeSize());
    const uint32_t blocks = (totalLength + ELEMENTS_PER_BLOCK - 1) / ELEMENTS_PER_BLOCK;
    const uint32_t cores = std::max(1U, std::min(platform.GetCoreNumAiv(), blocks));

    // Whole blocks of 32 bytes to every core; the first cores take one more each.
    const uint32_t smallBlocks = blocks / cores;
    OpNameTilingData tiling;
    tiling.set_bigCores(blocks % cores);
    tiling.set_bigLength((smallBlocks + 1) * ELEMENTS_PER_BLOCK);
    tiling.set_smallLength(smallBlocks * ELEMENTS_PER_BLOCK);
    tiling.set_tileLength(static_cast<uint32_t>(ubBytes / BYTES_PER_ELEMENT) / 128 * 128);
    tiling.set_totalLength(totalLength);
    tiling.set_factor(*context->GetAttrs()->GetFloat(0));
    tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());

    context->SetBlockDim(cores);
    size_t* workspaces = context->GetWorkspaceSizes(1);
    workspaces[0] = 0;
    return ge::GRAPH_SUCCESS;
}
} // namespace optiling

namespace ge {
static graphStatus InferShape(gert::InferShapeContext* context)
{
    *context->GetOutputShape(0) = *context->GetInputShape(0);
    return GRAPH_SUCCESS;
}

static graphStatus InferDataType(gert::InferDataTypeContext* context)
{
    context->SetOutputDataType(0, context->GetInputDataType(0));
    return GRAPH_SUCCESS;
}
} // namespace ge

namespace ops {
class OpName : public OpDef {
public:
    explicit OpName(const char* name) : OpDef(name)
    {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT16}).Format({ge::FORMAT_ND});
        this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT16}).Format({ge::FORMAT_ND});
        this->Attr("factor").AttrType(OPTIONAL).Float(2.0);
        this->SetInferShape(ge::InferShape).SetInferDataType(ge::InferDataType);
        this->AICore().SetTiling(optiling::TilingFunc);
        this->AICore().AddConfig("ascend910b");
    }
};
OP_ADD(OpName);
} // namespace ops
