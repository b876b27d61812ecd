// Filling with one value, with a row of numbers, and spreading elements over DataBlocks.
// asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/数据填充
#pragma once
#include "vec_binary_scalar.h"
#include "vector.h"

namespace al {

template <typename T>
void Fill(const char* op, const AscendC::LocalTensor<T>& dst, T value, int64_t count, Here here)
{
    Rec rec(op, Pipe::V, here);
    rec.dst(Operand(dst.ref, op)).i("count", count);
    PutScalar<T>(rec, "scalar", value);
}

template <typename T>
void Fill(const char* op, const AscendC::LocalTensor<T>& dst, T value, const Mask& mask, int repeat, int blk, int rep, Here here)
{
    Rec rec(op, Pipe::V, here);
    rec.dst(Operand(dst.ref, op));
    PutMask(rec, mask);
    rec.i("repeat", repeat).t("blk", {blk}).t("rep", {rep});
    PutScalar<T>(rec, "scalar", value);
}

} // namespace al

namespace AscendC {

template <typename T>
void Duplicate(const LocalTensor<T>& dst, const al::Same<T>& scalarValue, const int32_t& count, AL_HERE)
{
    al::Fill<T>("Duplicate", dst, scalarValue, count, here);
}
template <typename T, bool isSetMask = true>
void Duplicate(const LocalTensor<T>& dst, const al::Same<T>& scalarValue, uint64_t mask, const uint8_t repeatTime,
    const uint16_t dstBlockStride, const uint8_t dstRepeatStride, AL_HERE)
{
    al::Fill<T>("Duplicate", dst, scalarValue, al::Mask::Lanes(mask, isSetMask), repeatTime, dstBlockStride,
        dstRepeatStride, here);
}
template <typename T, bool isSetMask = true>
void Duplicate(const LocalTensor<T>& dst, const al::Same<T>& scalarValue, const uint64_t mask[], const uint8_t repeatTime,
    const uint16_t dstBlockStride, const uint8_t dstRepeatStride, AL_HERE)
{
    al::Fill<T>("Duplicate", dst, scalarValue, al::Mask::Words(mask, isSetMask), repeatTime, dstBlockStride,
        dstRepeatStride, here);
}

template <typename T>
void CreateVecIndex(LocalTensor<T> dst, const al::Same<T>& firstValue, uint32_t count, AL_HERE)
{
    al::Fill<T>("CreateVecIndex", dst, firstValue, count, here);
}
template <typename T>
void CreateVecIndex(LocalTensor<T>& dst, const al::Same<T>& firstValue, uint64_t mask, uint8_t repeatTime,
    uint16_t dstBlkStride, uint8_t dstRepStride, AL_HERE)
{
    al::Fill<T>("CreateVecIndex", dst, firstValue, al::Mask::Lanes(mask), repeatTime, dstBlkStride, dstRepStride, here);
}
template <typename T>
void CreateVecIndex(LocalTensor<T>& dst, const al::Same<T>& firstValue, const uint64_t mask[], uint8_t repeatTime,
    uint16_t dstBlkStride, uint8_t dstRepStride, AL_HERE)
{
    al::Fill<T>("CreateVecIndex", dst, firstValue, al::Mask::Words(mask), repeatTime, dstBlkStride, dstRepStride, here);
}

// Eight elements an iteration, each fills one DataBlock.
template <typename T>
void Brcb(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const uint8_t repeatTime, const BrcbRepeatParams& p, AL_HERE)
{
    al::Rec("Brcb", al::Pipe::V, here)
        .dst(al::Operand(dst.ref, "Brcb"))
        .src(al::Operand(src0.ref, "Brcb"))
        .i("times", repeatTime)
        .t("blk", {p.dstBlkStride})
        .t("rep", {p.dstRepStride});
}

} // namespace AscendC
