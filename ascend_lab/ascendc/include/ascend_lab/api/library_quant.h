// Quantising and back. asc-devkit: docs/zh/api/SIMD-API/高阶API/量化操作
#pragma once
#include "library.h"
#include "library_whole.h"
#include "vec_binary_scalar.h"

namespace AscendC {

struct AscendQuantConfig {
    constexpr AscendQuantConfig(uint32_t count, uint32_t offsets, uint32_t scales, uint32_t work)
        : calcCount(count), offsetCount(offsets), scaleCount(scales), workLocalSize(work)
    {}
    uint32_t calcCount = 0, offsetCount = 0, scaleCount = 0, workLocalSize = 0;
};
constexpr AscendQuantConfig ASCEND_QUANT_DEFAULT_CFG = {0, 0, 0, 0};
enum class DeQuantMode : uint8_t { DEQUANT_WITH_SINGLE_ROW = 0, DEQUANT_WITH_MULTI_ROW };
struct DequantParams {
    uint32_t m, n, calCount;
};

} // namespace AscendC

namespace al {

template <typename T>
void Quantised(const AscendC::LocalTensor<int8_t>& dst, const AscendC::LocalTensor<T>& src, const Bytes* given,
    double scale, double offset, int64_t count, Here here)
{
    Rec rec("AscendQuant", Pipe::V, here);
    rec.dst(Operand(dst.ref, "AscendQuant")).src(Operand(src.ref, "AscendQuant"));
    rec.i("count", count).f("scale", scale).f("offset", offset);
    PutBuffer(rec, "AscendQuant", given, 512);
}

template <typename D, typename Scale>
void Dequantised(const AscendC::LocalTensor<D>& dst, const AscendC::LocalTensor<int32_t>& src, const Scale& scale,
    const Bytes* given, const AscendC::DequantParams& shape, Here here)
{
    Rec rec("AscendDequant", Pipe::V, here);
    rec.dst(Operand(dst.ref, "AscendDequant")).src(Operand(src.ref, "AscendDequant"));
    rec.i("rows", shape.m).i("columns", shape.n).i("calc", shape.calCount);
    if constexpr (std::is_class_v<Scale> && !std::is_convertible_v<Scale, float>) {
        rec.src(Operand(scale.ref, "AscendDequant"));
    } else {
        rec.f("scalar", static_cast<double>(static_cast<float>(scale)));
    }
    PutBuffer(rec, "AscendDequant", given, 2 * ((static_cast<int64_t>(shape.n) * 4 + 31) / 32 * 32) + 64);
}

template <typename T>
void QuantisedRows(const AscendC::LocalTensor<int8_t>& dst, const AscendC::LocalTensor<T>& src, const Bytes* given,
    const AscendC::LocalTensor<T>& scale, const AscendC::LocalTensor<T>* offset, T number, int64_t each, int64_t count, Here here)
{
    Whole whole("AscendQuantRows", "AscendQuant", here);
    whole.in(src, count).in(scale, each);
    if (offset != nullptr) {
        whole.in(*offset, each);
    }
    whole.out(dst, count);
    if (offset == nullptr) {
        whole.f("offset", static_cast<double>(static_cast<float>(number)));
    }
    whole.with(given, UpTo32(count * 2));
}

} // namespace al

namespace AscendC {

template <typename T, bool isReuseSource = false, const AscendQuantConfig& config = ASCEND_QUANT_DEFAULT_CFG>
void AscendQuant(const LocalTensor<int8_t>& dstTensor, const LocalTensor<T>& srcTensor,
    const LocalTensor<uint8_t>& sharedTmpBuffer, const float scale, const float offset, const uint32_t calCount, AL_HERE)
{
    al::Quantised(dstTensor, srcTensor, &sharedTmpBuffer, scale, offset, calCount, here);
}
template <typename T, bool isReuseSource = false, const AscendQuantConfig& config = ASCEND_QUANT_DEFAULT_CFG>
void AscendQuant(const LocalTensor<int8_t>& dstTensor, const LocalTensor<T>& srcTensor, const float scale,
    const float offset, const uint32_t calCount, AL_HERE)
{
    al::Quantised<T>(dstTensor, srcTensor, nullptr, scale, offset, calCount, here);
}
template <typename T, bool isReuseSource = false, const AscendQuantConfig& config = ASCEND_QUANT_DEFAULT_CFG>
void AscendQuant(const LocalTensor<int8_t>& dstTensor, const LocalTensor<T>& srcTensor,
    const LocalTensor<uint8_t>& sharedTmpBuffer, const float scale, const float offset, AL_HERE)
{
    al::Quantised(dstTensor, srcTensor, &sharedTmpBuffer, scale, offset, al::CountOf(srcTensor.ref), here);
}
template <typename T, bool isReuseSource = false, const AscendQuantConfig& config = ASCEND_QUANT_DEFAULT_CFG>
void AscendQuant(const LocalTensor<int8_t>& dstTensor, const LocalTensor<T>& srcTensor, const float scale, const float offset, AL_HERE)
{
    al::Quantised<T>(dstTensor, srcTensor, nullptr, scale, offset, al::CountOf(srcTensor.ref), here);
}

// Of one row of scales, and of offsets or one offset: a row serves every `scaleCount` elements.
#define AL_QUANT_ROWS(BUFFER, GIVEN)                                                                                  \
    template <typename T, bool isReuseSource = false, const AscendQuantConfig& config = ASCEND_QUANT_DEFAULT_CFG>      \
    void AscendQuant(const LocalTensor<int8_t>& dstTensor, const LocalTensor<T>& srcTensor, BUFFER                     \
        const LocalTensor<T>& scaleTensor, const al::Same<T> offset, const uint32_t scaleCount, const uint32_t calCount, \
        AL_HERE)                                                                                                      \
    {                                                                                                                 \
        al::QuantisedRows<T>(dstTensor, srcTensor, GIVEN, scaleTensor, nullptr, offset, scaleCount, calCount, here);   \
    }                                                                                                                 \
    template <typename T, bool isReuseSource = false, const AscendQuantConfig& config = ASCEND_QUANT_DEFAULT_CFG>      \
    void AscendQuant(const LocalTensor<int8_t>& dstTensor, const LocalTensor<T>& srcTensor, BUFFER                     \
        const LocalTensor<T>& scaleTensor, const LocalTensor<T>& offsetTensor, const uint32_t scaleCount,              \
        const uint32_t, const uint32_t calCount, AL_HERE)                                                             \
    {                                                                                                                 \
        al::QuantisedRows<T>(dstTensor, srcTensor, GIVEN, scaleTensor, &offsetTensor, T(0), scaleCount, calCount, here); \
    }                                                                                                                 \
    template <typename T, bool isReuseSource = false, const AscendQuantConfig& config = ASCEND_QUANT_DEFAULT_CFG>      \
    void AscendQuant(const LocalTensor<int8_t>& dstTensor, const LocalTensor<T>& srcTensor, BUFFER                     \
        const LocalTensor<T>& scaleTensor, const al::Same<T> offset, AL_HERE)                                          \
    {                                                                                                                 \
        al::QuantisedRows<T>(dstTensor, srcTensor, GIVEN, scaleTensor, nullptr, offset, al::CountOf(scaleTensor.ref),  \
            al::CountOf(srcTensor.ref), here);                                                                        \
    }                                                                                                                 \
    template <typename T, bool isReuseSource = false, const AscendQuantConfig& config = ASCEND_QUANT_DEFAULT_CFG>      \
    void AscendQuant(const LocalTensor<int8_t>& dstTensor, const LocalTensor<T>& srcTensor, BUFFER                     \
        const LocalTensor<T>& scaleTensor, const LocalTensor<T>& offsetTensor, AL_HERE)                                \
    {                                                                                                                 \
        al::QuantisedRows<T>(dstTensor, srcTensor, GIVEN, scaleTensor, &offsetTensor, T(0),                            \
            al::CountOf(scaleTensor.ref), al::CountOf(srcTensor.ref), here);                                           \
    }
#define AL_COMMA ,
AL_QUANT_ROWS(const LocalTensor<uint8_t>& sharedTmpBuffer AL_COMMA, &sharedTmpBuffer)
AL_QUANT_ROWS(, nullptr)
#undef AL_QUANT_ROWS
#undef AL_COMMA

template <typename dstT, typename scaleT, DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW>
void AscendDequant(const LocalTensor<dstT>& dstTensor, const LocalTensor<int32_t>& srcTensor,
    const LocalTensor<scaleT>& deqScale, const LocalTensor<uint8_t>& sharedTmpBuffer, DequantParams params, AL_HERE)
{
    al::Dequantised(dstTensor, srcTensor, deqScale, &sharedTmpBuffer, params, here);
}
template <typename dstT, typename scaleT, DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW>
void AscendDequant(const LocalTensor<dstT>& dstTensor, const LocalTensor<int32_t>& srcTensor,
    const LocalTensor<scaleT>& deqScale, DequantParams params, AL_HERE)
{
    al::Dequantised(dstTensor, srcTensor, deqScale, nullptr, params, here);
}
template <typename dstT, typename scaleT, DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW>
void AscendDequant(const LocalTensor<dstT>& dstTensor, const LocalTensor<int32_t>& srcTensor, const scaleT deqScale,
    const LocalTensor<uint8_t>& sharedTmpBuffer, DequantParams params, AL_HERE)
{
    al::Dequantised(dstTensor, srcTensor, deqScale, &sharedTmpBuffer, params, here);
}
template <typename dstT, typename scaleT, DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW>
void AscendDequant(const LocalTensor<dstT>& dstTensor, const LocalTensor<int32_t>& srcTensor, const scaleT deqScale,
    DequantParams params, AL_HERE)
{
    al::Dequantised(dstTensor, srcTensor, deqScale, nullptr, params, here);
}

// The older forms, which the page advises against: they leave the shape to the tensors.
template <typename dstT, typename scaleT, DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW>
void AscendDequant(const LocalTensor<dstT>&, const LocalTensor<int32_t>&, const LocalTensor<scaleT>&,
    const LocalTensor<uint8_t>&, const uint32_t, AL_HERE)
{
    al::NotModelled("AscendDequant", "calCount instead of DequantParams", here);
}
template <typename dstT, typename scaleT, DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW>
void AscendDequant(
    const LocalTensor<dstT>&, const LocalTensor<int32_t>&, const LocalTensor<scaleT>&, const uint32_t, AL_HERE)
{
    al::NotModelled("AscendDequant", "calCount instead of DequantParams", here);
}

} // namespace AscendC
