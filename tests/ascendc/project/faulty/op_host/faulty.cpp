// One mistake of a tiling function for each value of attribute `mode`.
#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
struct FaultyTilingData {
    uint32_t length;
};

static ge::graphStatus TilingFunc(gert::TilingContext* context)
{
    const int64_t mode = *context->GetAttrs()->GetInt(0);
    const uint32_t length = static_cast<uint32_t>(context->GetInputShape(0)->GetStorageShape().GetShapeSize());
    FaultyTilingData* tiling = context->GetTilingData<FaultyTilingData>();
    tiling->length = length;
    context->SetBlockDim(1);
    size_t* workspaces = context->GetWorkspaceSizes(1);
    workspaces[0] = 0;
    volatile uint32_t zero = 0;
    switch (mode) {
        case 1: tiling->length = static_cast<uint32_t>(*context->GetAttrs()->GetAttrPointer<float>(7)); break;
        case 2: context->SetBlockDim(length / 4096); break;
        case 3: context->SetBlockDim(70000); break;
        case 4: tiling->length = static_cast<uint32_t>(*context->GetAttrs()->GetFloat(0)); break;
        case 5: return ge::GRAPH_FAILED;
        case 6: workspaces[0] = 1ull << 60; break;
        case 7: context->SetBlockDim(length / zero); break;
        case 8: context->GetRawTilingData()->SetDataSize(1 << 20); break;
        case 9: context->SetBlockDim(100); break;
        case 10: tiling->length = context->GetInputShape(0)->GetStorageShape().GetDim(5); break;
        case 11: tiling->length = context->GetInputTensor(0)->GetData<int32_t>()[0]; break;
        default: break;
    }
    return ge::GRAPH_SUCCESS;
}
} // namespace optiling

namespace ops {
class Faulty : public OpDef {
public:
    explicit Faulty(const char* name) : OpDef(name)
    {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT, ge::DT_INT32}).Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT, ge::DT_INT32}).Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Attr("mode").Int();
        this->AICore().SetTiling(optiling::TilingFunc).AddConfig("ascend910b");
    }
};
OP_ADD(Faulty);
} // namespace ops
