// Tiling keys by template arguments: what a kernel declares, and which combinations it is built for.
// asc-devkit: docs/zh/api/Utils-API/Tiling模板编程/模板参数定义.md
#pragma once
#include "ascend_lab/op/told.h"
#include "ascend_lab/runtime.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace al::op {

struct TemplateArgument { // kind: d data type, u number, b bool, f format, n no argument
    std::string name;
    char kind;
    std::vector<uint64_t> values; // u: the width in bits first
};
struct TemplateOf {
    std::vector<TemplateArgument> declared;
    std::vector<std::vector<TemplateArgument>> selected;
};

inline std::map<std::string, TemplateOf>& Templates()
{
    static std::map<std::string, TemplateOf> made;
    return made;
}
inline std::string& LatestTemplate()
{
    static std::string latest;
    return latest;
}
struct TemplateDeclared {
    TemplateDeclared(const char* op, std::vector<TemplateArgument> declared)
    {
        LatestTemplate() = op;
        Templates()[op].declared = std::move(declared);
    }
};
struct TemplateSelected {
    explicit TemplateSelected(std::vector<std::vector<TemplateArgument>> selected)
    {
        Templates()[LatestTemplate()].selected = std::move(selected);
    }
};

// The values side by side, each in its width.
inline uint64_t TemplateKey(const TemplateOf& made, const std::vector<uint64_t>& values)
{
    uint64_t key = 0;
    int shift = 0;
    for (size_t k = 0; k < values.size() && k < made.declared.size(); ++k) {
        const TemplateArgument& argument = made.declared[k];
        const int width = argument.kind == 'b' ? 1 : argument.kind == 'u' && !argument.values.empty() ?
            static_cast<int>(argument.values[0]) : 8;
        key |= values[k] << shift;
        shift += width;
    }
    return key;
}

// The key for template arguments; SetTilingKey finds the arguments again.
inline uint64_t KeyOf(const std::vector<uint64_t>& values)
{
    const uint64_t key = TemplateKey(Templates()[LatestTemplate()], values);
    KeysMade()[key] = values;
    return key;
}

template <typename Context>
void SelectTemplate(Context* context, std::vector<uint64_t> values, Here here)
{
    const auto found = Templates().find(context->GetNodeType());
    if (found != Templates().end()) {
        context->SetTilingKey(TemplateKey(found->second, values), here);
    }
    context->AlNode().chosen = std::move(values);
    context->AlNode().key_at = here;
}

} // namespace al::op

#define ASCENDC_TPL_1_BW 1
#define ASCENDC_TPL_2_BW 2
#define ASCENDC_TPL_4_BW 4
#define ASCENDC_TPL_8_BW 8
#define ASCENDC_TPL_UI_RANGE 0
#define ASCENDC_TPL_UI_LIST 1
#define ASCENDC_TPL_UI_MIX 2
#define ASCENDC_TPL_INPUT(index) (100000000 + (index))
#define ASCENDC_TPL_OUTPUT(index) (900000000 + (index))
#define ASCENDC_TPL_AIV_ONLY 0
#define ASCENDC_TPL_AIC_ONLY 1
#define ASCENDC_TPL_MIX_AIV_1_0 4
#define ASCENDC_TPL_MIX_AIC_1_0 5
#define ASCENDC_TPL_MIX_AIC_1_1 6
#define ASCENDC_TPL_MIX_AIC_1_2 7

#define C_DT_FLOAT 0
#define C_DT_FLOAT16 1
#define C_DT_INT8 2
#define C_DT_INT32 3
#define C_DT_UINT8 4
#define C_DT_INT16 6
#define C_DT_UINT16 7
#define C_DT_UINT32 8
#define C_DT_INT64 9
#define C_DT_UINT64 10
#define C_DT_DOUBLE 11
#define C_DT_BOOL 12
#define C_DT_BF16 27
#define C_DT_INT4 29
#define C_FORMAT_NCHW 0
#define C_FORMAT_NHWC 1
#define C_FORMAT_ND 2
#define C_FORMAT_FRACTAL_NZ 29

#define AL_TPL(name, kind, ...) ::al::op::TemplateArgument{#name, kind, std::vector<uint64_t>{__VA_ARGS__}}
#define ASCENDC_TPL_DTYPE_DECL(name, ...) AL_TPL(name, 'd', __VA_ARGS__)
#define ASCENDC_TPL_DATATYPE_DECL(name, ...) AL_TPL(name, 'd', __VA_ARGS__)
#define ASCENDC_TPL_FORMAT_DECL(name, ...) AL_TPL(name, 'f', __VA_ARGS__)
#define ASCENDC_TPL_UINT_DECL(name, ...) AL_TPL(name, 'u', __VA_ARGS__)
#define ASCENDC_TPL_BOOL_DECL(name, ...) AL_TPL(name, 'b', __VA_ARGS__)
#define ASCENDC_TPL_KERNEL_TYPE_DECL(name, ...) AL_TPL(name, 'n', __VA_ARGS__)
#define ASCENDC_TPL_DETERMINISTIC_DECL(...) AL_TPL(al_none, 'n', 0)
#define ASCENDC_TPL_DTYPE_SEL(name, ...) AL_TPL(name, 'd', __VA_ARGS__)
#define ASCENDC_TPL_DATATYPE_SEL(name, ...) AL_TPL(name, 'd', __VA_ARGS__)
#define ASCENDC_TPL_FORMAT_SEL(name, ...) AL_TPL(name, 'f', __VA_ARGS__)
#define ASCENDC_TPL_UINT_SEL(name, ...) AL_TPL(name, 'u', __VA_ARGS__)
#define ASCENDC_TPL_BOOL_SEL(name, ...) AL_TPL(name, 'b', __VA_ARGS__)
#define ASCENDC_TPL_KERNEL_TYPE_SEL(...) AL_TPL(al_none, 'n', 0)
#define ASCENDC_TPL_DETERMINISTIC_SEL(...) AL_TPL(al_none, 'n', 0)
#define ASCENDC_TPL_TILING_STRUCT_SEL(...) AL_TPL(al_none, 'n', 0)
#define ASCENDC_TPL_ARGS_SEL(...) std::vector<::al::op::TemplateArgument>{__VA_ARGS__}
#define ASCENDC_TPL_ARGS_DECL(Op, ...) \
    [[maybe_unused]] static const ::al::op::TemplateDeclared AL_TPL_UNIQUE(al_declared_)(#Op, {__VA_ARGS__})
#define ASCENDC_TPL_SEL(...) \
    [[maybe_unused]] static const ::al::op::TemplateSelected AL_TPL_UNIQUE(al_selected_)({__VA_ARGS__})
#define ASCENDC_TPL_SEL_PARAM(context, ...) ::al::op::SelectTemplate(context, \
    std::vector<uint64_t>{__VA_ARGS__}, ::al::Here::now())
#define GET_TPL_TILING_KEY(...) ::al::op::KeyOf(std::vector<uint64_t>{__VA_ARGS__})
#define AL_TPL_JOIN2(a, b) a##b
#define AL_TPL_JOIN(a, b) AL_TPL_JOIN2(a, b)
#define AL_TPL_UNIQUE(name) AL_TPL_JOIN(name, __COUNTER__)
