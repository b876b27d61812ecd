// Sums, maxima and minima over elements.
// asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/归约计算
#pragma once
#include "vector.h"

namespace AscendC {
enum class ReduceType { NONE = -1, SUM = 0, MAX, MIN };
}

namespace al {

struct Strides {
    int repeat, dst_rep, src_blk, src_rep;
};

template <typename D, typename S>
void PerRepeat(const char* op, const AscendC::LocalTensor<D>& dst, const AscendC::LocalTensor<S>& src, const Mask& mask,
    const Strides& strides, const char* order, Here here)
{
    Rec rec(op, Pipe::V, here);
    rec.dst(Operand(dst.ref, op)).src(Operand(src.ref, op));
    PutMask(rec, mask);
    rec.i("repeat", strides.repeat)
        .i("dst_rep", strides.dst_rep)
        .i("src_blk", strides.src_blk)
        .i("src_rep", strides.src_rep);
    if (order != nullptr) {
        rec.s("order", order);
    }
}

inline const char* OrderName(AscendC::ReduceOrder order)
{
    static const char* const names[] = {"ORDER_VALUE_INDEX", "ORDER_INDEX_VALUE", "ORDER_ONLY_VALUE", "ORDER_ONLY_INDEX"};
    return names[static_cast<int>(order)];
}

template <typename T>
void PutReduce(Rec& rec, const char* op, const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src,
    const AscendC::LocalTensor<T>& tmp)
{
    rec.dst(Operand(dst.ref, op)).src(Operand(src.ref, op)).src(Operand(tmp.ref, op));
}

} // namespace al

namespace AscendC {

template <typename T, bool isSetMask = true>
void ReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<T>& sharedTmpBuffer,
    const int32_t count, AL_HERE)
{
    al::Rec rec("ReduceSum", al::Pipe::V, here);
    al::PutReduce(rec, "ReduceSum", dst, src, sharedTmpBuffer);
    rec.i("count", count);
}
template <typename T>
void ReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<T>& sharedTmpBuffer,
    const int32_t mask, const int32_t repeatTime, const int32_t srcRepStride, AL_HERE)
{
    al::Rec rec("ReduceSum", al::Pipe::V, here);
    al::PutReduce(rec, "ReduceSum", dst, src, sharedTmpBuffer);
    rec.i("mask", mask).i("repeat", repeatTime).t("rep", {srcRepStride});
}
template <typename T>
void ReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<T>& sharedTmpBuffer,
    const uint64_t mask[], const int32_t repeatTime, const int32_t srcRepStride, AL_HERE)
{
    al::Rec rec("ReduceSum", al::Pipe::V, here);
    al::PutReduce(rec, "ReduceSum", dst, src, sharedTmpBuffer);
    rec.words("mask", mask[0], mask[1]).i("repeat", repeatTime).t("rep", {srcRepStride});
}

#define AL_REDUCE_INDEXED(NAME)                                                                                       \
    template <typename T>                                                                                             \
    void NAME(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<T>& sharedTmpBuffer,               \
        const int32_t count, bool calIndex = 0, AL_HERE)                                                               \
    {                                                                                                                 \
        al::Rec rec(#NAME, al::Pipe::V, here);                                                                         \
        al::PutReduce(rec, #NAME, dst, src, sharedTmpBuffer);                                                          \
        rec.i("count", count).b("index", calIndex);                                                                    \
    }                                                                                                                 \
    template <typename T>                                                                                             \
    void NAME(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<T>& sharedTmpBuffer,               \
        const int32_t mask, const int32_t repeatTime, const int32_t srcRepStride, bool calIndex = 0, AL_HERE)           \
    {                                                                                                                 \
        al::Rec rec(#NAME, al::Pipe::V, here);                                                                         \
        al::PutReduce(rec, #NAME, dst, src, sharedTmpBuffer);                                                          \
        rec.i("mask", mask).i("repeat", repeatTime).t("rep", {srcRepStride}).b("index", calIndex);                      \
    }                                                                                                                 \
    template <typename T>                                                                                             \
    void NAME(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<T>& sharedTmpBuffer,               \
        const uint64_t mask[], const int32_t repeatTime, const int32_t srcRepStride, bool calIndex = 0, AL_HERE)        \
    {                                                                                                                 \
        al::Rec rec(#NAME, al::Pipe::V, here);                                                                         \
        al::PutReduce(rec, #NAME, dst, src, sharedTmpBuffer);                                                          \
        rec.words("mask", mask[0], mask[1]).i("repeat", repeatTime).t("rep", {srcRepStride}).b("index", calIndex);      \
    }
AL_REDUCE_INDEXED(ReduceMax)
AL_REDUCE_INDEXED(ReduceMin)
#undef AL_REDUCE_INDEXED

#define AL_WHOLE(MASK_TYPE, MAKE)                                                                                     \
    template <typename T, bool isSetMask = true>                                                                       \
    void WholeReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src, MASK_TYPE, const int32_t repeatTime,       \
        const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride, AL_HERE)                    \
    {                                                                                                                 \
        al::PerRepeat("WholeReduceSum", dst, src, al::Mask::MAKE, {repeatTime, dstRepStride, srcBlkStride, srcRepStride},\
            nullptr, here);                                                                                            \
    }                                                                                                                 \
    template <typename T, bool isSetMask = true>                                                                       \
    void WholeReduceMax(const LocalTensor<T>& dst, const LocalTensor<T>& src, MASK_TYPE, const int32_t repeatTime,       \
        const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride,                             \
        ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX, AL_HERE)                                                   \
    {                                                                                                                 \
        al::PerRepeat("WholeReduceMax", dst, src, al::Mask::MAKE, {repeatTime, dstRepStride, srcBlkStride, srcRepStride},\
            al::OrderName(order), here);                                                                               \
    }                                                                                                                 \
    template <typename T, bool isSetMask = true>                                                                       \
    void WholeReduceMin(const LocalTensor<T>& dst, const LocalTensor<T>& src, MASK_TYPE, const int32_t repeatTime,       \
        const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride,                             \
        ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX, AL_HERE)                                                   \
    {                                                                                                                 \
        al::PerRepeat("WholeReduceMin", dst, src, al::Mask::MAKE, {repeatTime, dstRepStride, srcBlkStride, srcRepStride},\
            al::OrderName(order), here);                                                                               \
    }                                                                                                                 \
    template <typename T, bool isSetMask = true>                                                                       \
    void RepeatReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t repeatTime, MASK_TYPE,      \
        const int32_t, const int32_t srcBlkStride, const int32_t dstRepStride, const int32_t srcRepStride, AL_HERE)     \
    {                                                                                                                 \
        al::PerRepeat("WholeReduceSum", dst, src, al::Mask::MAKE, {repeatTime, dstRepStride, srcBlkStride, srcRepStride},\
            nullptr, here);                                                                                            \
    }                                                                                                                 \
    template <ReduceType reduceType, typename T, typename U, bool isSetMask = true>                                     \
    void ReduceRepeat(const LocalTensor<T>& dst, const LocalTensor<U>& src, MASK_TYPE, const int32_t repeatTime,         \
        const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride,                             \
        ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX, AL_HERE)                                                   \
    {                                                                                                                 \
        al::PerRepeat(reduceType == ReduceType::SUM   ? "WholeReduceSum"                                               \
                      : reduceType == ReduceType::MAX ? "WholeReduceMax"                                               \
                                                      : "WholeReduceMin",                                              \
            dst, src, al::Mask::MAKE, {repeatTime, dstRepStride, srcBlkStride, srcRepStride},                           \
            reduceType == ReduceType::SUM ? nullptr : al::OrderName(order), here);                                      \
    }                                                                                                                 \
    template <ReduceType reduceType, typename T, typename U, bool isSetMask = true>                                     \
    void ReduceDataBlock(const LocalTensor<T>& dst, const LocalTensor<U>& src, MASK_TYPE, const int32_t repeatTime,      \
        const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride, AL_HERE)                    \
    {                                                                                                                 \
        al::PerRepeat(reduceType == ReduceType::SUM   ? "BlockReduceSum"                                               \
                      : reduceType == ReduceType::MAX ? "BlockReduceMax"                                               \
                                                      : "BlockReduceMin",                                              \
            dst, src, al::Mask::MAKE, {repeatTime, dstRepStride, srcBlkStride, srcRepStride}, nullptr, here);            \
    }                                                                                                                 \
    template <ReduceType reduceType, typename T, typename U, bool isSetMask = true>                                     \
    void ReducePairElem(const LocalTensor<T>& dst, const LocalTensor<U>& src, MASK_TYPE, const int32_t repeatTime,       \
        const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride, AL_HERE)                    \
    {                                                                                                                 \
        al::PerRepeat("PairReduceSum", dst, src, al::Mask::MAKE, {repeatTime, dstRepStride, srcBlkStride, srcRepStride}, \
            nullptr, here);                                                                                            \
    }
AL_WHOLE(const int32_t mask, Lanes(static_cast<uint64_t>(mask), isSetMask))
AL_WHOLE(const uint64_t mask[], Words(mask, isSetMask))
#undef AL_WHOLE

#define AL_BLOCK(NAME, MASK_TYPE, MAKE)                                                                               \
    template <typename T, bool isSetMask = true>                                                                       \
    void NAME(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t repeat, MASK_TYPE,                     \
        const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride, AL_HERE)                    \
    {                                                                                                                 \
        al::PerRepeat(#NAME, dst, src, al::Mask::MAKE, {repeat, dstRepStride, srcBlkStride, srcRepStride}, nullptr,      \
            here);                                                                                                     \
    }
AL_BLOCK(BlockReduceSum, const int32_t mask, Lanes(static_cast<uint64_t>(mask), isSetMask))
AL_BLOCK(BlockReduceSum, const uint64_t mask[], Words(mask, isSetMask))
AL_BLOCK(BlockReduceMax, const int32_t mask, Lanes(static_cast<uint64_t>(mask), isSetMask))
AL_BLOCK(BlockReduceMax, const uint64_t mask[], Words(mask, isSetMask))
AL_BLOCK(BlockReduceMin, const int32_t mask, Lanes(static_cast<uint64_t>(mask), isSetMask))
AL_BLOCK(BlockReduceMin, const uint64_t mask[], Words(mask, isSetMask))
AL_BLOCK(PairReduceSum, const int32_t mask, Lanes(static_cast<uint64_t>(mask), isSetMask))
AL_BLOCK(PairReduceSum, const uint64_t mask[], Words(mask, isSetMask))
#undef AL_BLOCK

template <typename T>
T GetReduceRepeatSumSpr(AL_HERE)
{
    return static_cast<T>(static_cast<float>(al::Rec("GetReduceRepeatSumSpr", al::Pipe::S, here).ask_float()));
}
template <typename T>
T GetAccVal(AL_HERE)
{
    al::NotModelled("GetAccVal", "", here);
}
template <typename T>
void GetReduceRepeatMaxMinSpr(T&, T&, AL_HERE)
{
    al::NotModelled("GetReduceRepeatMaxMinSpr", "", here);
}
template <typename T>
void GetReduceRepeatMaxMinSpr(T&, AL_HERE)
{
    al::NotModelled("GetReduceRepeatMaxMinSpr", "", here);
}
template <typename T>
void GetReduceMaxMinCount(T&, T&, AL_HERE)
{
    al::NotModelled("GetReduceMaxMinCount", "", here);
}

} // namespace AscendC
