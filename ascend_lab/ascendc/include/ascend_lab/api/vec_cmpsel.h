// Comparing into bit masks, choosing by them, packing what is chosen.
// asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/比较与选择
#pragma once
#include "vec_binary_scalar.h"
#include "vector.h"

namespace al {

inline const char* CompareName(AscendC::CMPMODE mode)
{
    static const char* const names[] = {"LT", "GT", "EQ", "LE", "GE", "NE"};
    return names[static_cast<int>(mode)];
}

} // namespace al

namespace AscendC {

template <typename T, typename U>
void Compare(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, CMPMODE cmpMode,
    uint32_t count, AL_HERE)
{
    al::Rec rec("Compare", al::Pipe::V, here);
    rec.dst(al::Operand(dst.ref, "Compare")).src(al::Operand(src0.ref, "Compare")).src(al::Operand(src1.ref, "Compare"));
    rec.i("count", count).s("mode", al::CompareName(cmpMode));
}
template <typename T, typename U, bool isSetMask = true>
void Compare(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, CMPMODE cmpMode,
    const uint64_t mask, uint8_t repeatTime, const BinaryRepeatParams& repeatParams, AL_HERE)
{
    al::Rec rec("Compare", al::Pipe::V, here);
    rec.dst(al::Operand(dst.ref, "Compare")).src(al::Operand(src0.ref, "Compare")).src(al::Operand(src1.ref, "Compare"));
    al::PutForm(rec, al::Mask::Lanes(mask, isSetMask), repeatTime, repeatParams);
    rec.s("mode", al::CompareName(cmpMode));
}
template <typename T, typename U, bool isSetMask = true>
void Compare(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, CMPMODE cmpMode,
    const uint64_t mask[], uint8_t repeatTime, const BinaryRepeatParams& repeatParams, AL_HERE)
{
    al::Rec rec("Compare", al::Pipe::V, here);
    rec.dst(al::Operand(dst.ref, "Compare")).src(al::Operand(src0.ref, "Compare")).src(al::Operand(src1.ref, "Compare"));
    al::PutForm(rec, al::Mask::Words(mask, isSetMask), repeatTime, repeatParams);
    rec.s("mode", al::CompareName(cmpMode));
}

} // namespace AscendC

namespace al {

// One iteration, into the register CMPMASK.
template <typename T>
void CompareToRegister(const AscendC::LocalTensor<T>& src0, const AscendC::LocalTensor<T>& src1, AscendC::CMPMODE mode,
    const Mask& mask, const AscendC::BinaryRepeatParams& p, Here here)
{
    Rec rec("Compare", Pipe::V, here);
    rec.src(Operand(src0.ref, "Compare")).src(Operand(src1.ref, "Compare"));
    PutMask(rec, mask);
    rec.t("blk", {p.dstBlkStride, p.src0BlkStride, p.src1BlkStride})
        .t("rep", {p.dstRepStride, p.src0RepStride, p.src1RepStride})
        .s("mode", CompareName(mode));
}

template <typename T>
void PutSelect(Rec& rec, const Ref& dst, const Ref& mask, const Ref& src0)
{
    rec.dst(Operand(dst, "Select")).src(Operand(mask, "Select")).src(Operand(src0, "Select"));
}

} // namespace al

namespace AscendC {

template <typename T, bool isSetMask = true>
void Compare(const LocalTensor<T>& src0, const LocalTensor<T>& src1, CMPMODE cmpMode, const uint64_t mask,
    const BinaryRepeatParams& repeatParams, AL_HERE)
{
    al::CompareToRegister(src0, src1, cmpMode, al::Mask::Lanes(mask, isSetMask), repeatParams, here);
}
template <typename T, bool isSetMask = true>
void Compare(const LocalTensor<T>& src0, const LocalTensor<T>& src1, CMPMODE cmpMode, const uint64_t mask[],
    const BinaryRepeatParams& repeatParams, AL_HERE)
{
    al::CompareToRegister(src0, src1, cmpMode, al::Mask::Words(mask, isSetMask), repeatParams, here);
}

template <typename T>
void GetCmpMask(const LocalTensor<T>& dst, AL_HERE)
{
    al::Rec("GetCmpMask", al::Pipe::V, here).dst(al::Operand(dst.ref, "GetCmpMask"));
}
template <typename T>
void SetCmpMask(const LocalTensor<T>& src, AL_HERE)
{
    al::Rec("SetCmpMask", al::Pipe::V, here).src(al::Operand(src.ref, "SetCmpMask"));
}

#define AL_COMPARES(NAME)                                                                                             \
    template <typename T, typename U>                                                                                 \
    void NAME(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const al::Same<T>& src1Scalar, CMPMODE cmpMode,     \
        uint32_t count, AL_HERE)                                                                                       \
    {                                                                                                                 \
        al::Rec rec("CompareScalar", al::Pipe::V, here);                                                               \
        rec.dst(al::Operand(dst.ref, #NAME)).src(al::Operand(src0.ref, #NAME)).i("count", count);                       \
        al::PutScalar<T>(rec, "scalar", src1Scalar);                                                                   \
        rec.s("mode", al::CompareName(cmpMode));                                                                       \
    }                                                                                                                 \
    template <typename T, typename U, bool isSetMask = true>                                                           \
    void NAME(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const al::Same<T>& src1Scalar, CMPMODE cmpMode,     \
        const uint64_t mask, uint8_t repeatTime, const UnaryRepeatParams& repeatParams, AL_HERE)                        \
    {                                                                                                                 \
        al::Rec rec("CompareScalar", al::Pipe::V, here);                                                               \
        rec.dst(al::Operand(dst.ref, #NAME)).src(al::Operand(src0.ref, #NAME));                                         \
        al::PutForm(rec, al::Mask::Lanes(mask, isSetMask), repeatTime, repeatParams);                                   \
        al::PutScalar<T>(rec, "scalar", src1Scalar);                                                                   \
        rec.s("mode", al::CompareName(cmpMode));                                                                       \
    }                                                                                                                 \
    template <typename T, typename U, bool isSetMask = true>                                                           \
    void NAME(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const al::Same<T>& src1Scalar, CMPMODE cmpMode,     \
        const uint64_t mask[], uint8_t repeatTime, const UnaryRepeatParams& repeatParams, AL_HERE)                      \
    {                                                                                                                 \
        al::Rec rec("CompareScalar", al::Pipe::V, here);                                                               \
        rec.dst(al::Operand(dst.ref, #NAME)).src(al::Operand(src0.ref, #NAME));                                         \
        al::PutForm(rec, al::Mask::Words(mask, isSetMask), repeatTime, repeatParams);                                   \
        al::PutScalar<T>(rec, "scalar", src1Scalar);                                                                   \
        rec.s("mode", al::CompareName(cmpMode));                                                                       \
    }
AL_COMPARES(CompareScalar)
AL_COMPARES(Compares)
#undef AL_COMPARES

template <typename T, typename U>
void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0,
    const LocalTensor<T>& src1, SELMODE selMode, uint32_t count, AL_HERE)
{
    al::Rec rec("Select", al::Pipe::V, here);
    al::PutSelect<T>(rec, dst.ref, selMask.ref, src0.ref);
    rec.src(al::Operand(src1.ref, "Select")).i("count", count).i("mode", static_cast<int>(selMode));
}
template <typename T, typename U>
void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0, const al::Same<T>& src1,
    SELMODE selMode, uint32_t count, AL_HERE)
{
    al::Rec rec("Select", al::Pipe::V, here);
    al::PutSelect<T>(rec, dst.ref, selMask.ref, src0.ref);
    rec.i("count", count).i("mode", static_cast<int>(selMode));
    al::PutScalar<T>(rec, "scalar", src1);
}
#define AL_SELECT(MASK_TYPE, MAKE)                                                                                    \
    template <typename T, typename U, bool isSetMask = true>                                                           \
    void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0,                    \
        const LocalTensor<T>& src1, SELMODE selMode, MASK_TYPE, uint8_t repeatTime,                                     \
        const BinaryRepeatParams& repeatParams, AL_HERE)                                                               \
    {                                                                                                                 \
        al::Rec rec("Select", al::Pipe::V, here);                                                                      \
        al::PutSelect<T>(rec, dst.ref, selMask.ref, src0.ref);                                                         \
        rec.src(al::Operand(src1.ref, "Select"));                                                                      \
        al::PutForm(rec, al::Mask::MAKE(mask, isSetMask), repeatTime, repeatParams);                                    \
        rec.i("mode", static_cast<int>(selMode));                                                                      \
    }                                                                                                                 \
    template <typename T, typename U, bool isSetMask = true>                                                           \
    void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0,                    \
        const al::Same<T>& src1, SELMODE selMode, MASK_TYPE, uint8_t repeatTime,                                        \
        const BinaryRepeatParams& repeatParams, AL_HERE)                                                               \
    {                                                                                                                 \
        al::Rec rec("Select", al::Pipe::V, here);                                                                      \
        al::PutSelect<T>(rec, dst.ref, selMask.ref, src0.ref);                                                         \
        al::PutForm(rec, al::Mask::MAKE(mask, isSetMask), repeatTime, repeatParams);                                    \
        rec.i("mode", static_cast<int>(selMode));                                                                      \
        al::PutScalar<T>(rec, "scalar", src1);                                                                         \
    }
AL_SELECT(uint64_t mask, Lanes)
AL_SELECT(const uint64_t mask[], Words)
#undef AL_SELECT

// By the bits of CMPMASK, the same in every iteration.
template <typename T, SELMODE selMode>
void Select(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, uint8_t repeatTime,
    const BinaryRepeatParams& repeatParams, AL_HERE)
{
    al::Rec rec("Select", al::Pipe::V, here);
    rec.dst(al::Operand(dst.ref, "Select")).src(al::Operand(src0.ref, "Select")).src(al::Operand(src1.ref, "Select"));
    al::PutForm(rec, al::Mask::Lanes(0, false), repeatTime, repeatParams);
    rec.i("mode", static_cast<int>(selMode)).b("cmpmask", true);
}
template <typename T, typename U>
void Select(const LocalTensor<T>&, const LocalTensor<U>&, const LocalTensor<T>&, uint8_t, const BinaryRepeatParams&, AL_HERE)
{
    al::NotModelled("Select", "the form without src1 and selMode", here);
}

} // namespace AscendC

namespace al {

template <typename T>
uint64_t PutGatherMask(Rec& rec, bool counter, uint32_t elements, const AscendC::GatherMaskParams& p)
{
    rec.b("counter", counter)
        .i("elements", elements)
        .b("total", chip.fused)
        .i("times", p.repeatTimes)
        .i("src_blk", p.src0BlockStride)
        .i("src_rep", p.src0RepeatStride)
        .i("pattern_rep", p.src1RepeatStride);
    return 0;
}
uint64_t RemainCount(Here here);

} // namespace al

namespace AscendC {

// Elements of src0 whose bit is 1, packed to the front of dst. Reading the count waits for the instruction.
template <typename T, typename U, GatherMaskMode mode = defaultGatherMaskMode>
void GatherMask(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<U>& src1Pattern,
    const bool reduceMode, const uint32_t mask, const GatherMaskParams& gatherMaskParams, uint64_t& rsvdCnt, AL_HERE)
{
    {
        al::Rec rec("GatherMask", al::Pipe::V, here);
        rec.dst(al::Operand(dst.ref, "GatherMask")).src(al::Operand(src0.ref, "GatherMask"));
        rec.src(al::Operand(src1Pattern.ref, "GatherMask")).i("pattern", 0);
        al::PutGatherMask<T>(rec, reduceMode, mask, gatherMaskParams);
    }
    rsvdCnt = al::RemainCount(here);
}
template <typename T, GatherMaskMode mode = defaultGatherMaskMode>
void GatherMask(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const uint8_t src1Pattern, const bool reduceMode,
    const uint32_t mask, const GatherMaskParams& gatherMaskParams, uint64_t& rsvdCnt, AL_HERE)
{
    {
        al::Rec rec("GatherMask", al::Pipe::V, here);
        rec.dst(al::Operand(dst.ref, "GatherMask")).src(al::Operand(src0.ref, "GatherMask")).i("pattern", src1Pattern);
        al::PutGatherMask<T>(rec, reduceMode, mask, gatherMaskParams);
    }
    rsvdCnt = al::RemainCount(here);
}
inline int64_t GetGatherMaskRemainCount(AL_HERE) { return static_cast<int64_t>(al::RemainCount(here)); }

} // namespace AscendC
