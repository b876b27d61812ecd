// Clamp on the host: prototype, shapes, and how the work is divided.
#include <algorithm>

#include "../op_kernel/clamp_tiling.h"
#include "../op_kernel/tiling_key_clamp.h"
#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
constexpr uint32_t TILE = 6144;
constexpr uint32_t TILES_PER_CORE = 2; // fewer, and the launch of one more core costs more than it saves
constexpr uint32_t MOST_CORES = 40;

static ge::graphStatus TilingFunc(gert::TilingContext* context)
{
    auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
    const uint32_t length = static_cast<uint32_t>(context->GetInputShape(0)->GetStorageShape().GetShapeSize());
    const uint32_t tiles = (length + TILE - 1) / TILE;
    const uint32_t cores = std::min({platform.GetCoreNumAiv(), MOST_CORES, tiles / TILES_PER_CORE});

    auto* tiling = context->GetTilingData<ClampTilingData>();
    tiling->length = length;
    tiling->tileLength = TILE;
    tiling->lowest = *context->GetAttrs()->GetFloat(0);
    tiling->highest = *context->GetAttrs()->GetFloat(1);

    const uint32_t D_T_X = static_cast<uint32_t>(context->GetInputDesc(0)->GetDataType());
    ASCENDC_TPL_SEL_PARAM(context, D_T_X);
    context->SetBlockDim(std::max(1U, cores));
    context->GetWorkspaceSizes(1)[0] = 0;
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
class Clamp : public OpDef {
public:
    explicit Clamp(const char* name) : OpDef(name)
    {
        this->Input("x")
            .ParamType(REQUIRED)
            .DataType({ge::DT_FLOAT, ge::DT_FLOAT16, ge::DT_INT8})
            .Format({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND});
        this->Output("z")
            .ParamType(REQUIRED)
            .DataType({ge::DT_FLOAT, ge::DT_FLOAT16, ge::DT_INT8})
            .Format({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND});
        this->Attr("lowest").AttrType(REQUIRED).Float();
        this->Attr("highest").AttrType(REQUIRED).Float();
        this->SetInferShape(ge::InferShape).SetInferDataType(ge::InferDataType);
        this->AICore().SetTiling(optiling::TilingFunc);
        this->AICore().AddConfig("ascend910b");
    }
};
OP_ADD(Clamp);
} // namespace ops
