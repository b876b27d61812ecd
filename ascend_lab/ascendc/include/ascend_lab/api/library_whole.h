// Functions of the library that take whole tensors: what is read, what is written, and a few numbers. One instruction
// a call. asc-devkit: docs/zh/api/SIMD-API/高阶API/{激活函数,归一化操作,归约操作,数据过滤,索引计算,量化操作,张量变换}
#pragma once
#include "library.h"

#include <initializer_list>

namespace al {

// An instruction over whole tensors. Sources first, then results.
class Whole {
public:
    Whole(const char* op, const char* api, Here here) : rec_(op, Pipe::V, here), api_(api) {}
    template <typename T>
    Whole& in(const AscendC::LocalTensor<T>& tensor, int64_t count)
    {
        rec_.src(Operand(tensor.ref, api_));
        reads_[read_++] = count;
        return *this;
    }
    template <typename T>
    Whole& out(const AscendC::LocalTensor<T>& tensor, int64_t count)
    {
        const Ref& ref = Operand(tensor.ref, api_);
        written_ == 0 ? rec_.dst(ref) : rec_.src(ref);
        writes_[written_++] = count;
        return *this;
    }
    Whole& i(const char* name, int64_t value) { return rec_.i(name, value), *this; }
    Whole& f(const char* name, double value) { return rec_.f(name, value), *this; }
    Whole& b(const char* name, bool value) { return rec_.b(name, value), *this; }
    // The last call: the temporary buffer, of which at most `needed` bytes are spoilt.
    void with(const Bytes* given, int64_t needed)
    {
        rec_.t("reads", reads_, static_cast<size_t>(read_)).t("writes", writes_, static_cast<size_t>(written_));
        SpoilBuffer(rec_, api_, given, needed);
    }

private:
    Rec rec_;
    const char* api_;
    int64_t reads_[8] = {}, writes_[8] = {};
    int read_ = 0, written_ = 0;
};

inline int64_t InBlocks(int64_t elements, size_t size) { return (elements * static_cast<int64_t>(size) + 31) / 32 * 32 / static_cast<int64_t>(size); }


} // namespace al

namespace AscendC {

// The axes of a reduction.
namespace Pattern::Reduce {
struct AR {
    static constexpr bool first = false;
};
struct RA {
    static constexpr bool first = true;
};
struct R : AR {};
} // namespace Pattern::Reduce

struct MeanParams {
    uint32_t outter = 1, inner, n;
};
enum class CumSumAlgorithm { CUMSUM_ALGORITHM_LINEBYLINE = 0, CUMSUM_ALGORITHM_SKLANSKY = 1 };
struct CumSumConfig {
    bool isLastAxis{true}, isReuseSource{false}, outputLastRow{false};
    CumSumAlgorithm algorithm{CumSumAlgorithm::CUMSUM_ALGORITHM_LINEBYLINE};
};
constexpr CumSumConfig defaultCumSumConfig = {true, false, false, CumSumAlgorithm::CUMSUM_ALGORITHM_LINEBYLINE};
struct CumSumInfo {
    uint32_t outter{0}, inner{0};
};
struct DropOutShapeInfo {
    DropOutShapeInfo() {}
    uint32_t firstAxis = 0, srcLastAxis = 0, maskLastAxis = 0;
};
struct SelectWithBytesMaskShapeInfo {
    SelectWithBytesMaskShapeInfo() {}
    uint32_t firstAxis = 0, srcLastAxis = 0, maskLastAxis = 0;
};
struct AntiQuantShapeInfo {
    uint32_t offsetHeight{0}, offsetWidth{0}, scaleHeight{0}, scaleWidth{0};
};

// dst[i] = firstValue + i * diffValue
template <typename T>
void Arange(const LocalTensor<T>& dst, const al::Same<T> firstValue, const al::Same<T> diffValue, const int32_t count, AL_HERE)
{
    al::Whole("Arange", "Arange", here)
        .out(dst, count)
        .f("from", static_cast<double>(firstValue))
        .f("step", static_cast<double>(diffValue))
        .with(nullptr, 0);
}
template <typename T>
void ArithProgression(const LocalTensor<T>& dst, const al::Same<T> firstValue, const al::Same<T> diffValue,
    const int32_t count, AL_HERE)
{
    Arange<T>(dst, firstValue, diffValue, count, here);
}

} // namespace AscendC

namespace al {

// A matrix of which one axis is reduced. Rows lie in whole blocks of 32 B.
template <typename Pattern, typename T>
void ReducedAlong(const char* op, const char* api, const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src,
    const Bytes* given, const uint32_t* shape, Here here)
{
    constexpr bool one = std::is_same_v<Pattern, AscendC::Pattern::Reduce::R>;
    const int64_t rows = one ? 1 : shape[0], columns = one ? shape[0] : shape[1], pitch = InBlocks(columns, sizeof(T));
    Whole(op, api, here)
        .in(src, rows * pitch)
        .out(dst, Pattern::first ? pitch : rows)
        .i("rows", rows)
        .i("columns", columns)
        .b("first", Pattern::first)
        .with(given, Pattern::first ? 0 : UpTo32(rows * 32));
}

} // namespace al

#define AL_REDUCED(NAME)                                                                                              \
    template <class T, class pattern, bool isReuseSource = false>                                                     \
    void NAME(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,                                        \
        const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t srcShape[], bool, AL_HERE)                         \
    {                                                                                                                 \
        al::ReducedAlong<pattern>(#NAME "Rows", #NAME, dstTensor, srcTensor, &sharedTmpBuffer, srcShape, here);        \
    }                                                                                                                 \
    template <class T, class pattern, bool isReuseSource = false>                                                     \
    void NAME(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const uint32_t srcShape[], bool, AL_HERE) \
    {                                                                                                                 \
        al::ReducedAlong<pattern>(#NAME "Rows", #NAME, dstTensor, srcTensor, nullptr, srcShape, here);                 \
    }

namespace AscendC {
AL_REDUCED(ReduceSum)
AL_REDUCED(ReduceMax)
AL_REDUCED(ReduceMin)
AL_REDUCED(ReduceMean)
AL_REDUCED(ReduceProd)
AL_REDUCED(ReduceAny)
AL_REDUCED(ReduceAll)
#undef AL_REDUCED
} // namespace AscendC

namespace al {

template <typename T>
void MeanOfRows(const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src, const Bytes* given,
    const AscendC::MeanParams& shape, Here here)
{
    Rec rec("Mean", Pipe::V, here);
    rec.dst(Operand(dst.ref, "Mean")).src(Operand(src.ref, "Mean"));
    rec.i("rows", shape.outter).i("columns", shape.n).i("pitch", shape.inner);
    SpoilBuffer(rec, "Mean", given, UpTo32((static_cast<int64_t>(shape.inner) * 4 + 255) / 256 * 4));
}

template <typename T>
void XorSum(const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src0, const AscendC::LocalTensor<T>& src1,
    const Bytes* given, int64_t count, Here here)
{
    Whole("ReduceXorSum", "ReduceXorSum", here).in(src0, count).in(src1, count).out(dst, 1).with(given, UpTo32(count * 4));
}

template <typename T>
void Running(const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& last, const AscendC::LocalTensor<T>& src,
    const Bytes* given, const AscendC::CumSumConfig& config, const AscendC::CumSumInfo& shape, Here here)
{
    const int64_t count = static_cast<int64_t>(shape.outter) * shape.inner;
    Whole call("CumSum", "CumSum", here);
    call.in(src, count).out(dst, count);
    if (config.outputLastRow) {
        call.out(last, shape.inner);
    }
    call.i("rows", shape.outter).b("first", !config.isLastAxis).with(given, count * static_cast<int64_t>(sizeof(T)));
}

template <typename T>
void Dropped(const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src, const AscendC::LocalTensor<uint8_t>& mask,
    const Bytes* given, float keep, uint32_t mode, const AscendC::DropOutShapeInfo& shape, Here here)
{
    const bool bits = mode == 0 ? shape.maskLastAxis < shape.srcLastAxis : mode >= 3;
    const int64_t rows = shape.firstAxis, count = rows * shape.srcLastAxis, masks = rows * shape.maskLastAxis;
    Whole("DropOut", "DropOut", here)
        .in(src, count)
        .in(mask, masks)
        .out(dst, count)
        .i("rows", rows)
        .i("columns", shape.srcLastAxis)
        .b("bits", bits)
        .f("keep", static_cast<double>(keep))
        .with(given, UpTo32(masks * 2));
}

template <typename T, typename U>
void ChosenByBytes(const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src, T scalar, bool swapped,
    const AscendC::LocalTensor<U>& mask, const Bytes& given, const AscendC::SelectWithBytesMaskShapeInfo& shape, Here here)
{
    const int64_t rows = shape.firstAxis, count = rows * shape.srcLastAxis;
    Whole("SelectBytes", "Select", here)
        .in(src, count)
        .in(mask, rows * shape.maskLastAxis)
        .out(dst, count)
        .i("rows", rows)
        .i("columns", shape.srcLastAxis)
        .b("swapped", swapped)
        .f("scalar", static_cast<double>(static_cast<float>(scalar)))
        .with(&given, UpTo32(rows * shape.maskLastAxis * 2));
}

// Scale and offset: tensors of `wide` columns, or numbers.
template <typename O, typename I>
class Antiquantised {
public:
    Antiquantised(const AscendC::LocalTensor<O>& dst, const AscendC::LocalTensor<I>& src, bool transposed, uint32_t k, Here here)
        : call_("AscendAntiQuant", "AscendAntiQuant", here), dst_(dst)
    {
        static_assert(std::is_same_v<I, int8_t>, "AscendAntiQuant: int8_t on this chip");
        const int64_t count = CountOf(src.ref), other = k > 0 ? count / k : 0;
        rows_ = transposed ? other : k;
        columns_ = transposed ? k : other;
        count_ = rows_ * columns_;
        transposed_ = transposed;
        call_.in(src, count_);
    }
    Antiquantised& factor(const char* at, const AscendC::LocalTensor<O>& given, uint32_t height, uint32_t width)
    {
        const int64_t line = transposed_ ? rows_ : columns_; // of one group
        const int64_t held = line > 0 ? CountOf(given.ref) / line : 0, along = transposed_ ? columns_ : rows_;
        const int64_t told = height && width ? (transposed_ ? width : height) : held;
        const int64_t groups = told > 0 && along % told == 0 ? told : 1; // a larger tensor holds one line that counts
        call_.in(given, line * groups).i(at, given_++);
        groups_ = transposed_ ? line : groups;
        wide_ = transposed_ ? groups : line;
        return *this;
    }
    Antiquantised& number(const char* name, O value) { return call_.f(name, static_cast<double>(static_cast<float>(value))), *this; }
    void with(const Bytes* given)
    {
        call_.out(dst_, count_).i("rows", rows_).i("columns", columns_).i("groups", groups_).i("wide", wide_);
        call_.with(given, UpTo32(count_ * 4));
    }

private:
    Whole call_;
    AscendC::LocalTensor<O> dst_;
    int64_t rows_ = 0, columns_ = 0, count_ = 0, groups_ = 1, wide_ = 1;
    int given_ = 0;
    bool transposed_ = false;
};

} // namespace al

namespace AscendC {

template <typename T, typename accType = T, bool isReuseSource = false, bool isBasicBlock = false, int32_t reduceDim = -1>
void Mean(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const LocalTensor<uint8_t>& sharedTmpBuffer,
    const MeanParams& meanParams, AL_HERE)
{
    al::MeanOfRows(dstTensor, srcTensor, &sharedTmpBuffer, meanParams, here);
}
template <typename T, typename accType = T, bool isReuseSource = false, bool isBasicBlock = false, int32_t reduceDim = -1>
void Mean(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const MeanParams& meanParams, AL_HERE)
{
    al::MeanOfRows<T>(dstTensor, srcTensor, nullptr, meanParams, here);
}

template <typename T, bool isReuseSource = false>
void ReduceXorSum(const LocalTensor<T>& dstTensor, const LocalTensor<T>& src0Tensor, const LocalTensor<T>& src1Tensor,
    const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t calCount, AL_HERE)
{
    al::XorSum(dstTensor, src0Tensor, src1Tensor, &sharedTmpBuffer, calCount, here);
}
template <typename T, bool isReuseSource = false>
void ReduceXorSum(const LocalTensor<T>& dstTensor, const LocalTensor<T>& src0Tensor, const LocalTensor<T>& src1Tensor,
    const uint32_t calCount, AL_HERE)
{
    al::XorSum<T>(dstTensor, src0Tensor, src1Tensor, nullptr, calCount, here);
}

template <typename T, const CumSumConfig& config = defaultCumSumConfig>
void CumSum(const LocalTensor<T>& dstTensor, const LocalTensor<T>& lastRowTensor, const LocalTensor<T>& srcTensor,
    const LocalTensor<uint8_t>& sharedTmpBuffer, const CumSumInfo& cumSumInfo, AL_HERE)
{
    al::Running(dstTensor, lastRowTensor, srcTensor, &sharedTmpBuffer, config, cumSumInfo, here);
}
template <typename T, const CumSumConfig& config = defaultCumSumConfig>
void CumSum(const LocalTensor<T>& dstTensor, const LocalTensor<T>& lastRowTensor, const LocalTensor<T>& srcTensor,
    const CumSumInfo& cumSumInfo, AL_HERE)
{
    al::Running<T>(dstTensor, lastRowTensor, srcTensor, nullptr, config, cumSumInfo, here);
}

template <typename T, bool isInitBitMode = false, uint32_t dropOutMode = 0>
void DropOut(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal, const LocalTensor<uint8_t>& maskLocal,
    const float keepProb, const DropOutShapeInfo& info, AL_HERE)
{
    al::Dropped<T>(dstLocal, srcLocal, maskLocal, nullptr, keepProb, dropOutMode, info, here);
}
template <typename T, bool isInitBitMode = false, uint32_t dropOutMode = 0>
void DropOut(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal, const LocalTensor<uint8_t>& maskLocal,
    const LocalTensor<uint8_t>& sharedTmpBuffer, const float keepProb, const DropOutShapeInfo& info, AL_HERE)
{
    al::Dropped(dstLocal, srcLocal, maskLocal, &sharedTmpBuffer, keepProb, dropOutMode, info, here);
}

// A mask of whole values: 0 takes src0, anything else src1.
template <typename T, typename U, bool isReuseMask = true>
void Select(const LocalTensor<T>& dst, const LocalTensor<T>& src0, al::Same<T> src1, const LocalTensor<U>& mask,
    const LocalTensor<uint8_t>& sharedTmpBuffer, const SelectWithBytesMaskShapeInfo& info, AL_HERE)
{
    al::ChosenByBytes<T>(dst, src0, src1, false, mask, sharedTmpBuffer, info, here);
}
template <typename T, typename U, bool isReuseMask = true>
void Select(const LocalTensor<T>& dst, al::Same<T> src0, const LocalTensor<T>& src1, const LocalTensor<U>& mask,
    const LocalTensor<uint8_t>& sharedTmpBuffer, const SelectWithBytesMaskShapeInfo& info, AL_HERE)
{
    al::ChosenByBytes<T>(dst, src1, src0, true, mask, sharedTmpBuffer, info, here);
}

#define AL_ANTIQUANT(PARAMETERS, FACTORS)                                                                             \
    template <typename InputDataType, typename OutputDataType, bool isTranspose>                                      \
    void AscendAntiQuant(const LocalTensor<OutputDataType>& dst, const LocalTensor<InputDataType>& src, PARAMETERS,    \
        const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t k, const AntiQuantShapeInfo& shapeInfo = {}, AL_HERE) \
    {                                                                                                                 \
        (void)shapeInfo;                                                                                              \
        al::Antiquantised<OutputDataType, InputDataType> call(dst, src, isTranspose, k, here);                        \
        call FACTORS.with(&sharedTmpBuffer);                                                                          \
    }                                                                                                                 \
    template <typename InputDataType, typename OutputDataType, bool isTranspose>                                      \
    void AscendAntiQuant(const LocalTensor<OutputDataType>& dst, const LocalTensor<InputDataType>& src, PARAMETERS,    \
        const uint32_t k, const AntiQuantShapeInfo& shapeInfo = {}, AL_HERE)                                           \
    {                                                                                                                 \
        (void)shapeInfo;                                                                                              \
        al::Antiquantised<OutputDataType, InputDataType> call(dst, src, isTranspose, k, here);                        \
        call FACTORS.with(nullptr);                                                                                   \
    }
#define AL_COMMA ,
AL_ANTIQUANT(const LocalTensor<OutputDataType>& offset AL_COMMA const LocalTensor<OutputDataType>& scale,
    .factor("offset_at", offset, shapeInfo.offsetHeight, shapeInfo.offsetWidth)
        .factor("scale_at", scale, shapeInfo.scaleHeight, shapeInfo.scaleWidth))
AL_ANTIQUANT(const LocalTensor<OutputDataType>& scale,
    .number("offset", OutputDataType(0)).factor("scale_at", scale, shapeInfo.scaleHeight, shapeInfo.scaleWidth))
AL_ANTIQUANT(const OutputDataType offset AL_COMMA const OutputDataType scale,
    .number("offset", offset).number("scale", scale))
AL_ANTIQUANT(const OutputDataType scale, .number("offset", OutputDataType(0)).number("scale", scale))
#undef AL_ANTIQUANT
#undef AL_COMMA

} // namespace AscendC
