// What all vector instructions share: the two ways to say how much of their operands they mean.
// Count form: the first `count` elements. High-dimension form: a mask of lanes, repeats, strides.
// repeatTime is wider here than on the chip (8 bits), so that a value which does not fit is seen and not cut off (G7).
// asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/SIMD计算说明
#pragma once
#include "../tensor.h"

namespace al {

// A mask: a number of leading lanes, two words of lanes, or the register (isSetMask = false).
struct Mask {
    enum Kind { LANES, WORDS, REGISTER } kind;
    uint64_t low, high;
    static Mask Lanes(uint64_t count, bool set = true) { return {set ? LANES : REGISTER, count, 0}; }
    static Mask Words(const uint64_t* words, bool set = true)
    {
        return {set ? WORDS : REGISTER, set ? words[0] : 0, set ? words[1] : 0};
    }
};

inline void PutMask(Rec& rec, const Mask& mask)
{
    if (mask.kind == Mask::LANES) {
        rec.i("mask", static_cast<int64_t>(mask.low));
    } else if (mask.kind == Mask::WORDS) {
        rec.words("mask", mask.low, mask.high);
    } else {
        rec.none("mask");
    }
}

inline void PutForm(Rec& rec, const Mask& mask, int repeat, const AscendC::BinaryRepeatParams& p)
{
    PutMask(rec, mask);
    rec.i("repeat", repeat)
        .t("blk", {p.dstBlkStride, p.src0BlkStride, p.src1BlkStride})
        .t("rep", {p.dstRepStride, p.src0RepStride, p.src1RepStride});
}

inline void PutForm(Rec& rec, const Mask& mask, int repeat, const AscendC::UnaryRepeatParams& p)
{
    PutMask(rec, mask);
    rec.i("repeat", repeat).t("blk", {p.dstBlkStride, p.srcBlkStride}).t("rep", {p.dstRepStride, p.srcRepStride});
}

template <typename T, typename V>
void PutScalar(Rec& rec, const char* name, V value)
{
    if constexpr (IsFloat<T>) {
        rec.f(name, static_cast<double>(static_cast<float>(static_cast<T>(value))));
    } else {
        rec.i(name, static_cast<int64_t>(static_cast<T>(value)));
    }
}

} // namespace al
