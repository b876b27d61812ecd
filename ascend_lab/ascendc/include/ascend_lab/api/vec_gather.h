// Gathering and scattering by byte offsets.
// asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/离散与聚合
#pragma once
#include "vector.h"

namespace al {

template <typename T>
void PutIndexed(Rec& rec, const char* op, const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src,
    const AscendC::LocalTensor<uint32_t>& offset, int64_t base)
{
    rec.dst(Operand(dst.ref, op)).src(Operand(src.ref, op)).src(Operand(offset.ref, op)).i("base", base);
}

} // namespace al

namespace AscendC {

template <typename T>
void Gather(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint32_t>& srcOffset,
    const uint32_t srcBaseAddr, const uint32_t count, AL_HERE)
{
    al::Rec rec("Gather", al::Pipe::V, here);
    al::PutIndexed(rec, "Gather", dst, src, srcOffset, srcBaseAddr);
    rec.i("count", count);
}
template <typename T>
void Gather(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint32_t>& srcOffset,
    const uint32_t srcBaseAddr, const uint64_t mask, const uint8_t repeatTime, const uint16_t dstRepStride, AL_HERE)
{
    al::Rec rec("Gather", al::Pipe::V, here);
    al::PutIndexed(rec, "Gather", dst, src, srcOffset, srcBaseAddr);
    al::PutMask(rec, al::Mask::Lanes(mask));
    rec.i("repeat", repeatTime).t("rep", {dstRepStride});
}
template <typename T>
void Gather(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint32_t>& srcOffset,
    const uint32_t srcBaseAddr, const uint64_t mask[], const uint8_t repeatTime, const uint16_t dstRepStride, AL_HERE)
{
    al::Rec rec("Gather", al::Pipe::V, here);
    al::PutIndexed(rec, "Gather", dst, src, srcOffset, srcBaseAddr);
    al::PutMask(rec, al::Mask::Words(mask));
    rec.i("repeat", repeatTime).t("rep", {dstRepStride});
}

template <typename T>
void Scatter(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint32_t>& dstOffset,
    const uint32_t dstBaseAddr, const uint32_t count, AL_HERE)
{
    al::Rec rec("Scatter", al::Pipe::V, here);
    al::PutIndexed(rec, "Scatter", dst, src, dstOffset, dstBaseAddr);
    rec.i("count", count);
}
template <typename T>
void Scatter(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint32_t>& dstOffset,
    const uint32_t dstBaseAddr, const uint64_t mask, const uint8_t repeatTime, const uint8_t srcRepStride, AL_HERE)
{
    al::Rec rec("Scatter", al::Pipe::V, here);
    al::PutIndexed(rec, "Scatter", dst, src, dstOffset, dstBaseAddr);
    al::PutMask(rec, al::Mask::Lanes(mask));
    rec.i("repeat", repeatTime).t("rep", {8, srcRepStride});
}
template <typename T>
void Scatter(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint32_t>& dstOffset,
    const uint32_t dstBaseAddr, const uint64_t mask[], const uint8_t repeatTime, const uint8_t srcRepStride, AL_HERE)
{
    al::Rec rec("Scatter", al::Pipe::V, here);
    al::PutIndexed(rec, "Scatter", dst, src, dstOffset, dstBaseAddr);
    al::PutMask(rec, al::Mask::Words(mask));
    rec.i("repeat", repeatTime).t("rep", {8, srcRepStride});
}

// Eight DataBlocks an iteration, each from its own byte offset.
template <typename T>
void Gatherb(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<uint32_t>& offset,
    const uint8_t repeatTime, const GatherRepeatParams& p, AL_HERE)
{
    al::Rec("Gatherb", al::Pipe::V, here)
        .dst(al::Operand(dst.ref, "Gatherb"))
        .src(al::Operand(src0.ref, "Gatherb"))
        .src(al::Operand(offset.ref, "Gatherb"))
        .i("times", repeatTime)
        .t("blk", {p.dstBlkStride})
        .t("rep", {p.dstRepStride});
}

} // namespace AscendC
