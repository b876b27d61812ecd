// Sorting: pairs of a score and an index, highest score first.
// asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/排序组合（ISASI）
#pragma once
#include "vector.h"

namespace AscendC {

template <typename T>
struct MrgSortSrcList {
    MrgSortSrcList() = default;
    MrgSortSrcList(const LocalTensor<T>& a, const LocalTensor<T>& b, const LocalTensor<T>& c, const LocalTensor<T>& d)
        : src1(a), src2(b), src3(c), src4(d)
    {}
    LocalTensor<T> src1, src2, src3, src4;
};

template <typename T>
void Sort32(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<uint32_t>& src1,
    const int32_t repeatTime, AL_HERE)
{
    al::Rec("Sort32", al::Pipe::V, here)
        .dst(al::Operand(dst.ref, "Sort32"))
        .src(al::Operand(src0.ref, "Sort32"))
        .src(al::Operand(src1.ref, "Sort32"))
        .i("times", repeatTime);
}

template <typename T>
void MrgSort(const LocalTensor<T>& dst, const MrgSortSrcList<T>& src, const MrgSort4Info& p, AL_HERE)
{
    al::Rec rec("MrgSort", al::Pipe::V, here);
    rec.dst(al::Operand(dst.ref, "MrgSort"));
    const LocalTensor<T>* lists[4] = {&src.src1, &src.src2, &src.src3, &src.src4};
    for (int k = 0; k < 4; ++k) {
        if (lists[k]->ref.space != al::NOWHERE) {
            rec.src(lists[k]->ref);
        }
    }
    rec.t("lengths", {p.elementLengths[0], p.elementLengths[1], p.elementLengths[2], p.elementLengths[3]})
        .i("valid", p.validBit)
        .b("suspend", p.ifExhaustedSuspension)
        .i("times", p.repeatTimes);
}

inline void GetMrgSortResult(uint16_t& list1, uint16_t& list2, uint16_t& list3, uint16_t& list4, AL_HERE)
{
    const uint64_t packed = static_cast<uint64_t>(al::Rec("GetMrgSortResult", al::Pipe::S, here).ask_int());
    list1 = static_cast<uint16_t>(packed);
    list2 = static_cast<uint16_t>(packed >> 16);
    list3 = static_cast<uint16_t>(packed >> 32);
    list4 = static_cast<uint16_t>(packed >> 48);
}

template <typename T, bool isExhaustedSuspension = false>
void MrgSort(const LocalTensor<T>& dst, const MrgSortSrcList<T>& sortList, const uint16_t elementCountList[4],
    uint32_t sortedNum[4], uint16_t validBit, const int32_t repeatTime, AL_HERE)
{
    MrgSort(dst, sortList, MrgSort4Info(elementCountList, isExhaustedSuspension, validBit, static_cast<uint16_t>(repeatTime)),
        here);
    if (isExhaustedSuspension) {
        uint16_t taken[4];
        GetMrgSortResult(taken[0], taken[1], taken[2], taken[3], here);
        for (int k = 0; k < 4; ++k) {
            sortedNum[k] = taken[k];
        }
    }
}

template <typename T>
uint32_t GetSortOffset(const uint32_t elemOffset)
{
    return elemOffset * 8 / sizeof(T);
}
template <typename T>
uint32_t GetSortLen(const uint32_t elemCount)
{
    return elemCount * 8 / sizeof(T);
}

// On this chip Sort32 takes scores as they are; nothing is to be joined.
template <typename T>
void Concat(LocalTensor<T>& concat, const LocalTensor<T>& src, const LocalTensor<T>&, const int32_t, AL_HERE)
{
    al::Operand(src.ref, "Concat");
    concat = src;
}

} // namespace AscendC
