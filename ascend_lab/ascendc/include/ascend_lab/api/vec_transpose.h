// Changing the places of elements, and weighted sums of blocks that offsets choose.
// asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/数据排布转换
#pragma once
#include "vector.h"

namespace al {

const char* TransposeName(AscendC::TransposeType type);
int64_t TransposeBuffer(const AscendC::TransposeParamsExt& params, size_t size);
void ToFiveHD(const int64_t* dst, const int64_t* src, const Ref& first_dst, const Ref& first_src,
    const AscendC::TransDataTo5HDParams& params, Here here);

// The tensor in UB that an address alone names: in the buffer of InitBuffer that holds it, if one does.
Ref AtAddress(uint64_t address, uint8_t dtype);

} // namespace al

namespace AscendC {

constexpr int32_t NCHW_CONV_ADDR_LIST_SIZE = 16;

// 16 x 16 elements of 16 bits.
template <typename T>
void Transpose(const LocalTensor<T>& dst, const LocalTensor<T>& src, AL_HERE)
{
    al::Rec("Transpose", al::Pipe::V, here)
        .dst(al::Operand(dst.ref, "Transpose"))
        .src(al::Operand(src.ref, "Transpose"))
        .s("type", "");
}
template <typename T>
void Transpose(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint8_t>& sharedTmpBuffer,
    const TransposeParamsExt& p, AL_HERE)
{
    const int64_t needed = al::TransposeBuffer(p, sizeof(T));
    al::Rec rec("Transpose", al::Pipe::V, here);
    rec.dst(al::Operand(dst.ref, "Transpose")).src(al::Operand(src.ref, "Transpose"));
    if (needed) {
        rec.src(al::Operand(sharedTmpBuffer.ref, "Transpose"));
    }
    rec.s("type", al::TransposeName(p.transposeType)).t("shape", {p.nSize, p.cSize, p.hSize, p.wSize});
    if (needed) {
        rec.i("tmp", needed);
    }
}

template <typename T>
void TransDataTo5HD(const LocalTensor<T> (&dstList)[16], const LocalTensor<T> (&srcList)[16],
    const TransDataTo5HDParams& nchwconvParams, AL_HERE)
{
    int64_t dst[16], src[16];
    for (int k = 0; k < 16; ++k) {
        dst[k] = static_cast<int64_t>(al::Operand(dstList[k].ref, "TransDataTo5HD").addr);
        src[k] = static_cast<int64_t>(al::Operand(srcList[k].ref, "TransDataTo5HD").addr);
    }
    al::ToFiveHD(dst, src, dstList[0].ref, srcList[0].ref, nchwconvParams, here);
}
template <typename T>
void TransDataTo5HD(uint64_t dstList[16], uint64_t srcList[16], const TransDataTo5HDParams& nchwconvParams, AL_HERE)
{
    int64_t dst[16], src[16];
    for (int k = 0; k < 16; ++k) {
        dst[k] = static_cast<int64_t>(dstList[k]);
        src[k] = static_cast<int64_t>(srcList[k]);
    }
    al::ToFiveHD(dst, src, al::AtAddress(dstList[0], al::DtypeOf<T>()),
        al::AtAddress(srcList[0], al::DtypeOf<T>()), nchwconvParams, here);
}
template <typename T>
void TransDataTo5HD(const LocalTensor<uint64_t>& dst, const LocalTensor<uint64_t>& src,
    const TransDataTo5HDParams& nchwconvParams, AL_HERE)
{
    uint64_t to[16], from[16];
    for (int k = 0; k < 16; ++k) {
        to[k] = al::AskValue<uint64_t>(dst.ref, k, here);
    }
    for (int k = 0; k < 16; ++k) {
        from[k] = al::AskValue<uint64_t>(src.ref, k, here);
    }
    TransDataTo5HD<T>(to, from, nchwconvParams, here);
}

template <typename T>
void BilinearInterpolation(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<uint32_t>& src0Offset,
    const LocalTensor<T>& src1, const al::Mask& mask, uint8_t hRepeat, bool repeatMode, uint16_t dstBlkStride,
    uint16_t vROffset, uint8_t vRepeat, const LocalTensor<uint8_t>& sharedTmpBuffer, al::Here here)
{
    const char* api = "BilinearInterpolation";
    const int64_t spread = src1.ref.size / 8 * 8; // Brcb makes a DataBlock of every weight
    al::Rec rec(api, al::Pipe::V, here);
    rec.dst(al::Operand(dst.ref, api)).src(al::Operand(src0.ref, api)).src(al::Operand(src0Offset.ref, api));
    rec.src(al::Operand(src1.ref, api)).src(al::Operand(sharedTmpBuffer.ref, api));
    if (mask.kind == al::Mask::LANES) {
        rec.i("lanes", static_cast<int64_t>(mask.low));
    } else {
        rec.words("lanes", mask.low, mask.high);
    }
    rec.i("horizontal", hRepeat).i("vertical", vRepeat).b("per_block", repeatMode).i("dst_blk", dstBlkStride);
    rec.i("offset", vROffset).i("tmp", (static_cast<int64_t>(vRepeat) * hRepeat * 8 + spread) * 32);
}
template <typename T>
void BilinearInterpolation(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<uint32_t>& src0Offset,
    const LocalTensor<T>& src1, uint64_t mask, uint8_t hRepeat, bool repeatMode, uint16_t dstBlkStride, uint16_t vROffset,
    uint8_t vRepeat, const LocalTensor<uint8_t>& sharedTmpBuffer, AL_HERE)
{
    BilinearInterpolation(dst, src0, src0Offset, src1, al::Mask::Lanes(mask), hRepeat, repeatMode, dstBlkStride, vROffset,
        vRepeat, sharedTmpBuffer, here);
}
template <typename T>
void BilinearInterpolation(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<uint32_t>& src0Offset,
    const LocalTensor<T>& src1, const uint64_t mask[], uint8_t hRepeat, bool repeatMode, uint16_t dstBlkStride,
    uint16_t vROffset, uint8_t vRepeat, const LocalTensor<uint8_t>& sharedTmpBuffer, AL_HERE)
{
    BilinearInterpolation(dst, src0, src0Offset, src1, al::Mask::Words(mask), hRepeat, repeatMode, dstBlkStride, vROffset,
        vRepeat, sharedTmpBuffer, here);
}

} // namespace AscendC
