// Functions of the library that only move elements: Pad, UnPad, TransData, Transpose with a tiling.
// asc-devkit: docs/zh/api/SIMD-API/高阶API/张量变换
#pragma once
#include "../library_tiling.h"
#include "layout.h"
#include "library.h"
#include "vec_transpose.h"

namespace AscendC {

struct PadParams {
    uint16_t leftPad = 0, rightPad = 0;
    int32_t padValue = 0;
};
struct UnPadParams {
    uint16_t leftPad = 0, rightPad = 0;
};
struct TransDataConfig {
    DataFormat srcFormat, dstFormat;
};
template <typename T, typename U>
struct TransDataParams {
    T srcLayout;
    U dstLayout;
};

} // namespace AscendC

namespace al {

template <typename T, typename Tiling>
void Padded(const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src, const AscendC::PadParams& p,
    const Bytes* given, const Tiling& tiling, Here here)
{
    Rec rec("Pad", Pipe::V, here);
    rec.dst(Operand(dst.ref, "Pad")).src(Operand(src.ref, "Pad")).t("shape", {tiling.srcHeight, tiling.srcWidth});
    rec.i("valid", tiling.srcOriWidth).i("left", p.leftPad).i("right", p.rightPad).i("value", p.padValue);
    SpoilBuffer(rec, "Pad", given, UpTo32(static_cast<int64_t>(tiling.srcHeight) * tiling.srcWidth * static_cast<int64_t>(sizeof(T))));
}

template <typename T, typename Tiling>
void Unpadded(const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src, const AscendC::UnPadParams& p,
    const Bytes* given, const Tiling& tiling, Here here)
{
    Rec rec("UnPad", Pipe::V, here);
    rec.dst(Operand(dst.ref, "UnPad")).src(Operand(src.ref, "UnPad")).t("shape", {tiling.srcHeight, tiling.srcWidth});
    rec.i("right", p.rightPad);
    SpoilBuffer(rec, "UnPad", given, UpTo32(static_cast<int64_t>(tiling.srcHeight) * tiling.srcWidth * static_cast<int64_t>(sizeof(T))));
}

const char* FormatName(AscendC::DataFormat from, AscendC::DataFormat to); // "" when the model has it not

template <typename T, typename L>
void Reformatted(const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src, AscendC::DataFormat from,
    AscendC::DataFormat to, const L& plain, const Bytes* given, Here here)
{
    const int64_t n = plain.dim(0), c = plain.dim(1), d = plain.dim(2), h = plain.dim(3), w = plain.dim(4);
    const int64_t each = 32 / static_cast<int64_t>(sizeof(T)), plane = (h * w + each - 1) / each * each;
    Rec rec("TransData", Pipe::V, here);
    rec.dst(Operand(dst.ref, "TransData")).src(Operand(src.ref, "TransData")).t("shape", {n, c, d, h, w});
    rec.i("plane", plane).s("kind", FormatName(from, to));
    SpoilBuffer(rec, "TransData", given, UpTo32(16 * plane * static_cast<int64_t>(sizeof(T))));
}

template <typename T, typename Tiling>
void Confused(const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src, AscendC::TransposeType type,
    const Bytes* given, const Tiling& tiling, Here here)
{
    Rec rec("ConfusionTranspose", Pipe::V, here);
    rec.dst(Operand(dst.ref, "Transpose")).src(Operand(src.ref, "Transpose")).s("type", TransposeName(type));
    if (type == AscendC::TransposeType::TRANSPOSE_ND2ND_ONLY) {
        rec.t("shape", {tiling.param0, tiling.param1});
    } else {
        rec.t("shape", {tiling.param0, tiling.param1, tiling.param2, tiling.param3});
    }
    SpoilBuffer(rec, "Transpose", given, UpTo32(static_cast<int64_t>(tiling.param4) * static_cast<int64_t>(sizeof(T))));
}

} // namespace al

namespace AscendC {

template <typename T>
void Pad(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const PadParams& padParams,
    const LocalTensor<uint8_t>& sharedTmpBuffer, const tiling::PadTiling& tiling, AL_HERE)
{
    al::Padded(dstTensor, srcTensor, padParams, &sharedTmpBuffer, tiling, here);
}
template <typename T>
void Pad(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const PadParams& padParams,
    const tiling::PadTiling& tiling, AL_HERE)
{
    al::Padded(dstTensor, srcTensor, padParams, nullptr, tiling, here);
}
template <typename T>
void UnPad(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const UnPadParams& unPadParams,
    const LocalTensor<uint8_t>& sharedTmpBuffer, const tiling::UnPadTiling& tiling, AL_HERE)
{
    al::Unpadded(dstTensor, srcTensor, unPadParams, &sharedTmpBuffer, tiling, here);
}
template <typename T>
void UnPad(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const UnPadParams& unPadParams,
    const tiling::UnPadTiling& tiling, AL_HERE)
{
    al::Unpadded(dstTensor, srcTensor, unPadParams, nullptr, tiling, here);
}

template <const TransDataConfig& config, typename T, typename U, typename S>
void TransData(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const LocalTensor<uint8_t>& sharedTmpBuffer,
    const TransDataParams<U, S>& params, AL_HERE)
{
    if constexpr (config.srcFormat == DataFormat::NCDHW) {
        al::Reformatted(dstTensor, srcTensor, config.srcFormat, config.dstFormat, params.srcLayout, &sharedTmpBuffer, here);
    } else {
        al::Reformatted(dstTensor, srcTensor, config.srcFormat, config.dstFormat, params.dstLayout, &sharedTmpBuffer, here);
    }
}
template <const TransDataConfig& config, typename T, typename U, typename S>
void TransData(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const TransDataParams<U, S>& params, AL_HERE)
{
    if constexpr (config.srcFormat == DataFormat::NCDHW) {
        al::Reformatted(dstTensor, srcTensor, config.srcFormat, config.dstFormat, params.srcLayout, nullptr, here);
    } else {
        al::Reformatted(dstTensor, srcTensor, config.srcFormat, config.dstFormat, params.dstLayout, nullptr, here);
    }
}

#define AL_CONFUSION(NAME)                                                                                            \
    template <typename T>                                                                                             \
    void NAME(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint8_t>& sharedTmpBuffer,        \
        TransposeType transposeType, const tiling::ConfusionTransposeTiling& tiling, AL_HERE)                          \
    {                                                                                                                 \
        al::Confused(dst, src, transposeType, &sharedTmpBuffer, tiling, here);                                         \
    }                                                                                                                 \
    template <typename T>                                                                                             \
    void NAME(const LocalTensor<T>& dst, const LocalTensor<T>& src, TransposeType transposeType,                        \
        const tiling::ConfusionTransposeTiling& tiling, AL_HERE)                                                       \
    {                                                                                                                 \
        al::Confused(dst, src, transposeType, nullptr, tiling, here);                                                  \
    }
AL_CONFUSION(Transpose)
AL_CONFUSION(ConfusionTranspose)
#undef AL_CONFUSION

} // namespace AscendC
