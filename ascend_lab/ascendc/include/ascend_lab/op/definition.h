// The prototype of an operator: OpDef and its parts. asc-devkit: docs/zh/api/Utils-API/原型注册与管理.
#pragma once
#include "ascend_lab/op/context.h"

#include <deque>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace al::op {

using TilingFunction = ge::graphStatus (*)(gert::TilingContext*);
using InferShapeFunction = ge::graphStatus (*)(gert::InferShapeContext*);
using InferRangeFunction = ge::graphStatus (*)(gert::InferShapeRangeContext*);
using InferTypeFunction = ge::graphStatus (*)(gert::InferDataTypeContext*);

struct Functions {
    TilingFunction tiling = nullptr;
    InferShapeFunction shape = nullptr;
    InferTypeFunction type = nullptr;
    std::function<ge::graphStatus(Node&)> parse;
};

} // namespace al::op

namespace ge {
class Operator; // of graphs: named in signatures only
} // namespace ge

namespace ops {

enum Option { IGNORE = 0, OPTIONAL = 1, REQUIRED = 2, DYNAMIC = 3, VIRTUAL = 4 };
enum class DependScope : uint32_t { ALL = 0, TILING = 1, INVALID_SCOPE };
enum class FollowType : uint32_t { ALL = 0, DTYPE, FORMAT, SHAPE, INVALID_TYPE };
enum class InitValueType { INIT_VALUE_UINT64_T = 0, INIT_VALUE_DEFAULT };

class OpParamDef {
public:
    explicit OpParamDef(const char* text) : name(text) {}
    OpParamDef& ParamType(Option value) { option = value; return *this; }
    OpParamDef& DataType(std::vector<ge::DataType> values) { types = std::move(values); return *this; }
    OpParamDef& DataTypeList(std::vector<ge::DataType> values) { types = std::move(values); is_list = true; return *this; }
    OpParamDef& Format(std::vector<ge::Format> values) { formats = std::move(values); return *this; }
    OpParamDef& FormatList(std::vector<ge::Format> values) { formats = std::move(values); return *this; }
    OpParamDef& DataTypeForBinQuery(std::vector<ge::DataType>) { return *this; }
    OpParamDef& FormatForBinQuery(std::vector<ge::Format>) { return *this; }
    OpParamDef& UnknownShapeFormat(std::vector<ge::Format>) { return *this; }
    OpParamDef& ValueDepend(Option) { depends = true; return *this; }
    OpParamDef& ValueDepend(Option, DependScope) { depends = true; return *this; }
    OpParamDef& IgnoreContiguous() { return *this; }
    OpParamDef& AutoContiguous() { return *this; }
    OpParamDef& Scalar() { return *this; }
    OpParamDef& ScalarList() { return *this; }
    OpParamDef& To(ge::DataType) { return *this; }
    OpParamDef& To(const char*) { return *this; }
    OpParamDef& Follow(const char* other) { follows = other; return *this; }
    OpParamDef& Follow(const char* other, FollowType) { follows = other; return *this; }
    OpParamDef& Version(uint32_t) { return *this; }
    OpParamDef& InitValue(uint64_t) { return *this; }
    OpParamDef& OutputShapeDependOnCompute() { return *this; }
    OpParamDef& Comment(const char*) { return *this; }

    std::string name, follows;
    Option option = REQUIRED;
    bool depends = false, is_list = false;
    std::vector<ge::DataType> types;
    std::vector<ge::Format> formats;
};

enum class CommentSection { CATEGORY, BRIEF, CONSTRAINTS, RESTRICTIONS, SEE, THIRDPARTYFWKCOMPAT };

class OpAttrDef {
public:
    explicit OpAttrDef(const char* text) { value.name = text; }
    OpAttrDef& AttrType(Option type) { option = type; return *this; }
    OpAttrDef& Bool() { return Kind('b'); }
    OpAttrDef& Bool(bool given) { value.flag = given; return Default('b'); }
    OpAttrDef& Float() { return Kind('f'); }
    OpAttrDef& Float(float given) { value.real = given; return Default('f'); }
    OpAttrDef& Int() { return Kind('i'); }
    OpAttrDef& Int(int64_t given) { value.whole = given; return Default('i'); }
    OpAttrDef& String() { return Kind('s'); }
    OpAttrDef& String(const char* given) { value.text = given; return Default('s'); }
    OpAttrDef& ListBool() { return Kind('B'); }
    OpAttrDef& ListBool(std::vector<bool> given)
    {
        value.flags.values.assign(given.begin(), given.end());
        return Default('B');
    }
    OpAttrDef& ListFloat() { return Kind('F'); }
    OpAttrDef& ListFloat(std::vector<float> given) { value.reals.values = std::move(given); return Default('F'); }
    OpAttrDef& ListInt() { return Kind('I'); }
    OpAttrDef& ListInt(std::vector<int64_t> given) { value.wholes.values = std::move(given); return Default('I'); }
    OpAttrDef& ListListInt() { ::al::NotModelled("OpAttrDef::ListListInt"); }
    OpAttrDef& ListListInt(const std::vector<std::vector<int64_t>>&) { return ListListInt(); }
    OpAttrDef& Version(uint32_t) { return *this; }
    OpAttrDef& Comment(const char*) { return *this; }

    Option option = REQUIRED;
    bool has_default = false;
    ::al::op::AttrValue value;

private:
    OpAttrDef& Kind(char kind) { value.kind = kind; return *this; }
    OpAttrDef& Default(char kind) { has_default = true; return Kind(kind); }
};

class OpAICoreConfig {
public:
    OpAICoreConfig() = default;
    explicit OpAICoreConfig(const char*) {}
    OpParamDef& Input(const char* name) { return params_.emplace_back(name); }
    OpParamDef& Output(const char* name) { return params_.emplace_back(name); }
    OpAICoreConfig& AsyncFlag(bool) { return *this; }
    OpAICoreConfig& RangeLimitValue(const char*) { return *this; }
    OpAICoreConfig& HeavyOpFlag(bool) { return *this; }
    OpAICoreConfig& DynamicCompileStaticFlag(bool) { return *this; }
    OpAICoreConfig& DynamicFormatFlag(bool) { return *this; }
    OpAICoreConfig& DynamicRankSupportFlag(bool) { return *this; }
    OpAICoreConfig& DynamicShapeSupportFlag(bool) { return *this; }
    OpAICoreConfig& NeedCheckSupportFlag(bool) { return *this; }
    OpAICoreConfig& PrecisionReduceFlag(bool) { return *this; }
    OpAICoreConfig& ExtendCfgInfo(const char*, const char*) { return *this; }

private:
    std::deque<OpParamDef> params_;
};

class OpAICoreDef {
public:
    OpAICoreDef& SetTiling(::al::op::TilingFunction function) { tiling = function; return *this; }
    template <typename F>
    OpAICoreDef& SetTilingParse(F) { return *this; }
    template <typename F>
    OpAICoreDef& SetCheckSupport(F) { return *this; }
    template <typename F>
    OpAICoreDef& SetOpSelectFormat(F) { return *this; }
    template <typename F>
    OpAICoreDef& SetOpSupportInfo(F) { return *this; }
    template <typename F>
    OpAICoreDef& SetOpSpecInfo(F) { return *this; }
    template <typename F>
    OpAICoreDef& SetParamGeneralize(F) { return *this; }
    OpAICoreDef& AddConfig(const char* soc) { socs.emplace_back(soc); return *this; }
    OpAICoreDef& AddConfig(const char* soc, OpAICoreConfig&) { return AddConfig(soc); }
    OpAICoreDef& AddConfig(const char* soc, OpAICoreConfig&&) { return AddConfig(soc); }

    ::al::op::TilingFunction tiling = nullptr;
    std::vector<std::string> socs;
};

class OpAICPUDef {
public:
    template <typename... A>
    OpAICPUDef& SetTiling(A...) { return *this; }
};

class OpMC2Def {
public:
    OpMC2Def& HcclGroup(const char*) { return *this; }
    OpMC2Def& HcclGroup(std::vector<const char*>) { return *this; }
};

class OpDef {
public:
    explicit OpDef(const char* type) : name(type) {}
    virtual ~OpDef() = default;
    OpParamDef& Input(const char* text) { return Found(inputs, text); }
    OpParamDef& Output(const char* text) { return Found(outputs, text); }
    OpAttrDef& Attr(const char* text)
    {
        for (OpAttrDef& attr : attrs) {
            if (attr.value.name == text) {
                return attr;
            }
        }
        return attrs.emplace_back(text);
    }
    OpDef& SetInferShape(::al::op::InferShapeFunction function) { shape = function; return *this; }
    OpDef& SetInferShapeRange(::al::op::InferRangeFunction) { return *this; }
    OpDef& SetInferDataType(::al::op::InferTypeFunction function) { type = function; return *this; }
    OpDef& Comment(const char*) { return *this; }
    OpDef& Comment(CommentSection, const char*) { return *this; }
    OpDef& FormatMatchMode(int) { return *this; }
    OpDef& EnableFallBack() { return *this; }
    OpAICoreDef& AICore() { return core; }
    OpAICPUDef& AICPU() { return cpu_; }
    OpMC2Def& MC2() { return mc2_; }

    std::string name;
    std::deque<OpParamDef> inputs, outputs;
    std::deque<OpAttrDef> attrs;
    OpAICoreDef core;
    ::al::op::InferShapeFunction shape = nullptr;
    ::al::op::InferTypeFunction type = nullptr;

private:
    static OpParamDef& Found(std::deque<OpParamDef>& list, const char* text)
    {
        for (OpParamDef& param : list) {
            if (param.name == text) {
                return param;
            }
        }
        return list.emplace_back(text);
    }
    OpAICPUDef cpu_;
    OpMC2Def mc2_;
};

} // namespace ops

namespace al::op {

inline std::map<std::string, std::function<ops::OpDef*()>>& Definitions()
{
    static std::map<std::string, std::function<ops::OpDef*()>> made;
    return made;
}
inline std::map<std::string, Functions>& Implementations()
{
    static std::map<std::string, Functions> made;
    return made;
}

struct Defined {
    Defined(const char* type, std::function<ops::OpDef*()> make) { Definitions()[type] = std::move(make); }
};

// IMPL_OP_OPTILING(Op).Tiling(f).TilingParse<Info>(g), IMPL_OP_INFERSHAPE(Op).InferShape(f)...
class Implement {
public:
    explicit Implement(const char* type) : type_(type) {}
    Implement& Tiling(TilingFunction function, size_t = 0) { Mine().tiling = function; return *this; }
    Implement& InferShape(InferShapeFunction function) { Mine().shape = function; return *this; }
    Implement& InferShapeRange(InferRangeFunction) { return *this; }
    Implement& InferDataType(InferTypeFunction function) { Mine().type = function; return *this; }
    template <typename Info, typename Context>
    Implement& TilingParse(ge::graphStatus (*function)(Context*))
    {
        Mine().parse = [function](Node& node) {
            gert::TilingParseContext context(node);
            return function(&context);
        };
        return *this;
    }
    Implement& TilingInputsDataDependency(std::initializer_list<int32_t>) { return *this; }
    Implement& InputsDataDependency(std::initializer_list<int32_t>) { return *this; }

private:
    Functions& Mine() { return Implementations()[type_]; }
    std::string type_;
};

} // namespace al::op

#define AL_JOIN2(a, b) a##b
#define AL_JOIN(a, b) AL_JOIN2(a, b)
#define AL_UNIQUE(name) AL_JOIN(name, __COUNTER__)
#define OP_ADD(Op, ...) \
    [[maybe_unused]] static const ::al::op::Defined AL_UNIQUE(al_defined_)(#Op, []() -> ::ops::OpDef* { return new Op(#Op); })
#define AL_IMPLEMENT(Op) [[maybe_unused]] static const ::al::op::Implement AL_UNIQUE(al_implemented_) = ::al::op::Implement(#Op)
#define IMPL_OP(Op) AL_IMPLEMENT(Op)
#define IMPL_OP_INFERSHAPE(Op) AL_IMPLEMENT(Op)
#define IMPL_OP_INFERDATATYPE(Op) AL_IMPLEMENT(Op)
#define IMPL_OP_OPTILING(Op) AL_IMPLEMENT(Op)
#define DEVICE_IMPL_OP_OPTILING(Op) AL_IMPLEMENT(Op)
