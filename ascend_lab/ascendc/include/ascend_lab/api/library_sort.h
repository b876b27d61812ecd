// Sort, Extract and TopK, out of the instructions that their pages name: Sort32, MrgSort, GatherMask.
// asc-devkit: docs/zh/api/SIMD-API/高阶API/排序操作
#pragma once
#include "../library_tiling.h"
#include "library.h"
#include "scalar.h"
#include "sync.h"
#include "vec_binary_scalar.h"
#include "vec_cmpsel.h"
#include "vec_fill.h"
#include "vec_sort.h"

#include <algorithm>
#include <vector>

namespace AscendC {

enum class SortType { RADIX_SORT, MERGE_SORT };
struct SortConfig { // of the form of Ascend 950
    SortType type = SortType::RADIX_SORT;
    bool isDescend = false, hasSrcIndex = false, hasDstIndex = false;
};
enum class TopKMode { TOPK_NORMAL, TOPK_NSMALL };
struct TopKInfo {
    int32_t outter = 1, inner, n;
};

} // namespace AscendC

namespace al {

constexpr int32_t SORTED_AT_ONCE = 32, LISTS = 4;
constexpr int64_t PAIR_BYTES = 8;

// What a call needs besides its operands: pairs twice; the negated source; the indices 0, 1, 2 ...
inline int64_t TopKBytes(int64_t inner, int64_t rows, int64_t size, bool has_index, bool small)
{
    const int64_t many = small ? inner * rows : inner;
    return many * (2 * PAIR_BYTES + size + (has_index ? 0 : static_cast<int64_t>(sizeof(int32_t))));
}

inline void DemandPairs(const char* api, Here here)
{
    if (chip.fused) {
        NotModelled(api, "Region Proposal", here);
    }
}

// One round: four lists at a time become one.
template <typename T>
void MergeRound(const AscendC::LocalTensor<T>& to, const AscendC::LocalTensor<T>& from, std::vector<uint16_t>& lengths, Here here)
{
    using namespace AscendC;
    std::vector<uint16_t> merged;
    uint32_t at = 0;
    for (size_t k = 0; k < lengths.size(); k += LISTS) {
        const size_t many = std::min<size_t>(LISTS, lengths.size() - k);
        const uint32_t start = at;
        LocalTensor<T> lists[LISTS];
        uint16_t each[LISTS] = {};
        for (size_t j = 0; j < many; ++j) {
            lists[j] = from[GetSortOffset<T>(at)];
            each[j] = lengths[k + j];
            at += each[j];
        }
        const LocalTensor<T> target = to[GetSortOffset<T>(start)];
        if (many == 1) {
            Adds<T>(target, lists[0], static_cast<T>(0), static_cast<int32_t>(GetSortLen<T>(each[0])), here);
        } else {
            const MrgSortSrcList<T> sources(lists[0], lists[1], lists[2], lists[3]);
            MrgSort(target, sources, MrgSort4Info(each, false, static_cast<uint16_t>((1u << many) - 1), 1), here);
        }
        merged.push_back(static_cast<uint16_t>(at - start));
    }
    lengths = merged;
    AscendC::PipeBarrier<PIPE_V>(here);
}

// All pairs in descending order in `pairs`; `other` is as large.
template <typename T>
void SortPairs(const AscendC::LocalTensor<T>& pairs, const AscendC::LocalTensor<T>& other,
    const AscendC::LocalTensor<T>& scores, const AscendC::LocalTensor<uint32_t>& index, int32_t repeat, Here here)
{
    std::vector<uint16_t> lengths(static_cast<size_t>(repeat), SORTED_AT_ONCE);
    size_t rounds = 0;
    for (size_t left = lengths.size(); left > 1; left = (left + LISTS - 1) / LISTS) {
        ++rounds;
    }
    const AscendC::LocalTensor<T>* held[] = {&pairs, &other};
    AscendC::Sort32(*held[rounds % 2], scores, index, repeat, here);
    AscendC::PipeBarrier<PIPE_V>(here);
    for (; rounds > 0; --rounds) {
        MergeRound(*held[(rounds + 1) % 2], *held[rounds % 2], lengths, here);
    }
}

// The scores or the indices of sorted pairs: `pairs_each` of each of `repeat` groups, 256 B apart; 0: all.
inline void TakeOut(const Ref& dst, const Ref& pairs, int pattern, uint32_t elements, int32_t repeat, Here here)
{
    Rec rec("GatherMask", Pipe::V, here);
    rec.dst(dst).src(pairs).i("pattern", pattern);
    const AscendC::GatherMaskParams params(1, static_cast<uint16_t>(repeat), 8, 0);
    PutGatherMask<uint32_t>(rec, elements != 0, elements, params);
}

template <typename T>
void TakePairs(const AscendC::LocalTensor<T>& values, const AscendC::LocalTensor<uint32_t>& index,
    const AscendC::LocalTensor<T>& pairs, uint32_t pairs_each, int32_t repeat, Here here)
{
    constexpr uint32_t in_pair = PAIR_BYTES / sizeof(T);
    const Ref words = pairs.template ReinterpretCast<uint32_t>().ref;
    TakeOut(values.ref, pairs.ref, sizeof(T) == 4 ? 1 : 3, pairs_each * in_pair, repeat, here);
    TakeOut(index.ref, words, 2, pairs_each * 2, repeat, here);
}

template <typename T>
struct TopKWork {
    AscendC::LocalTensor<T> pairs, other, negated;
    AscendC::LocalTensor<uint32_t> index;
};

template <typename T>
TopKWork<T> CutTopK(const Bytes* given, int64_t many, int64_t needed)
{
    Bytes bytes;
    if (given != nullptr) {
        bytes = *given;
    } else {
        bytes.ref = StackOf("TopK", UINT8, AscendC::TPosition::VECCALC, needed);
    }
    if (bytes.ref.size >= 0 && bytes.ref.size < needed) {
        const std::string has = std::to_string(bytes.ref.size), wants = std::to_string(needed);
        Fault(("TopK：临时空间有 " + has + " B，需要 " + wants + " B。用 GetTopKMaxMinTmpSize 取得大小。").c_str(),
            ("TopK: the temporary buffer has " + has + " B, " + wants + " B are needed. Ask GetTopKMaxMinTmpSize.").c_str());
    }
    const auto at = [&](int64_t start) { return bytes[static_cast<uint32_t>(start)]; };
    const int64_t negated = 2 * many * PAIR_BYTES, index = negated + many * static_cast<int64_t>(sizeof(T));
    return {at(0).template ReinterpretCast<T>(), at(many * PAIR_BYTES).template ReinterpretCast<T>(),
        at(negated).template ReinterpretCast<T>(), at(std::min(index, needed)).template ReinterpretCast<uint32_t>()};
}

template <typename T>
struct TopKCall {
    AscendC::LocalTensor<T> values;
    AscendC::LocalTensor<uint32_t> index;
    AscendC::LocalTensor<T> source;
    AscendC::LocalTensor<uint32_t> given; // indices, when the kernel brings them
    int32_t k;
    bool has_index, largest;
};

// `groups` of 32 in small mode, else one row of any number of groups.
template <typename T>
void TopKOf(const TopKCall<T>& call, const TopKWork<T>& work, int32_t groups, bool small, Here here)
{
    using namespace AscendC;
    const int32_t many = groups * SORTED_AT_ONCE;
    LocalTensor<T> scores = call.source;
    if (!call.largest) {
        Muls<T>(work.negated, call.source, static_cast<T>(-1), many, here);
        scores = work.negated;
    }
    const LocalTensor<uint32_t>& index = call.has_index ? call.given : work.index;
    AscendC::PipeBarrier<PIPE_V>(here);
    if (small) {
        Sort32(work.pairs, scores, index, groups, here);
        AscendC::PipeBarrier<PIPE_V>(here);
    } else {
        SortPairs(work.pairs, work.other, scores, index, groups, here);
    }
    const int32_t taken = small ? groups : 1;
    TakePairs(call.values, call.index, work.pairs, static_cast<uint32_t>(call.k), taken, here);
    if (!call.largest) {
        AscendC::PipeBarrier<PIPE_V>(here);
        Muls<T>(call.values, call.values, static_cast<T>(-1), call.k * taken, here);
    }
}

// 0, 1, 2 ... once for a row, and again for every group in small mode.
template <typename T>
void Numbered(const TopKWork<T>& work, int32_t inner, int32_t times, Here here)
{
    for (int32_t k = 0; k < times; ++k) {
        const auto part = work.index[static_cast<uint32_t>(k * inner)].template ReinterpretCast<int32_t>();
        AscendC::CreateVecIndex<int32_t>(part, 0, static_cast<uint32_t>(inner), here);
    }
}

template <typename T, bool hasIndex, bool hasFinish>
void TopKRows(const AscendC::LocalTensor<T>& values, const AscendC::LocalTensor<int32_t>& index,
    const AscendC::LocalTensor<T>& source, const AscendC::LocalTensor<int32_t>& given,
    const AscendC::LocalTensor<bool>& finish, const Bytes* buffer, int32_t k, const AscendC::TopKInfo& shape, bool largest,
    bool small, Here here)
{
    DemandPairs("TopK", here);
    const int32_t inner = shape.inner, rows = shape.outter;
    if (k < 1 || k > shape.n || shape.n > inner || inner % SORTED_AT_ONCE != 0 || (small && inner != SORTED_AT_ONCE)) {
        Fault("TopK：要求 1 <= k <= n <= inner，inner 是 32 的倍数，Small 模式下 inner 为 32。",
            "TopK: it needs 1 <= k <= n <= inner, inner a multiple of 32, and 32 in small mode.");
    }
    const int64_t needed = TopKBytes(inner, rows, sizeof(T), hasIndex, small);
    const TopKWork<T> work = CutTopK<T>(buffer, small ? inner * rows : inner, needed);
    if (!hasIndex) {
        Numbered(work, inner, small ? rows : 1, here);
    }
    const int32_t apart = (k + 32 / static_cast<int32_t>(sizeof(T)) - 1) / (32 / static_cast<int32_t>(sizeof(T))) *
                          (32 / static_cast<int32_t>(sizeof(T)));
    const int32_t index_apart = (k + 7) / 8 * 8;
    const auto numbers = index.template ReinterpretCast<uint32_t>();
    const auto bring = hasIndex ? given.template ReinterpretCast<uint32_t>() : AscendC::LocalTensor<uint32_t>();
    if (small) {
        TopKOf<T>({values, numbers, source, bring, k, hasIndex, largest}, work, rows, true, here);
        return;
    }
    for (int32_t row = 0; row < rows; ++row) {
        const auto part = numbers[static_cast<uint32_t>(row * index_apart)];
        TopKOf<T>({values[static_cast<uint32_t>(row * apart)], part, source[static_cast<uint32_t>(row * inner)], bring, k,
                      hasIndex, largest},
            work, inner / SORTED_AT_ONCE, false, here);
        AscendC::PipeBarrier<PIPE_V>(here);
        if constexpr (hasFinish) {
            if (finish.GetValue(static_cast<uint32_t>(row), here)) {
                AscendC::Duplicate<int32_t>(index[static_cast<uint32_t>(row * index_apart)], shape.n, k, here);
            }
        }
    }
}

} // namespace al

namespace AscendC {

template <typename T, bool isFullSort>
void Sort(const LocalTensor<T>& dst, const LocalTensor<T>& concat, const LocalTensor<uint32_t>& index,
    LocalTensor<T>& tmp, const int32_t repeatTime, AL_HERE)
{
    al::DemandPairs("Sort", here);
    if (isFullSort) {
        al::SortPairs(dst, tmp, concat, index, repeatTime, here);
    } else {
        Sort32(dst, concat, index, repeatTime, here);
    }
}

template <typename T>
void Extract(const LocalTensor<T>& dstValue, const LocalTensor<uint32_t>& dstIndex, const LocalTensor<T>& sorted,
    const int32_t repeatTime, AL_HERE)
{
    al::DemandPairs("Extract", here);
    al::TakePairs(dstValue, dstIndex, sorted, 0, repeatTime, here);
}

template <typename T, bool isInitIndex = false, bool isHasfinish = false, bool isReuseSrc = false,
    enum TopKMode topkMode = TopKMode::TOPK_NORMAL>
void TopK(const LocalTensor<T>& dstValueLocal, const LocalTensor<int32_t>& dstIndexLocal, const LocalTensor<T>& srcLocal,
    const LocalTensor<int32_t>& srcIndexLocal, const LocalTensor<bool>& finishLocal, const LocalTensor<uint8_t>& tmpLocal,
    const int32_t k, const TopkTiling&, const TopKInfo& topKInfo, const bool isLargest = true, AL_HERE)
{
    al::TopKRows<T, isInitIndex, isHasfinish>(dstValueLocal, dstIndexLocal, srcLocal, srcIndexLocal, finishLocal, &tmpLocal,
        k, topKInfo, isLargest, topkMode == TopKMode::TOPK_NSMALL, here);
}
template <typename T, bool isInitIndex = false, bool isHasfinish = false, bool isReuseSrc = false,
    enum TopKMode topkMode = TopKMode::TOPK_NORMAL>
void TopK(const LocalTensor<T>& dstValueLocal, const LocalTensor<int32_t>& dstIndexLocal, const LocalTensor<T>& srcLocal,
    const LocalTensor<int32_t>& srcIndexLocal, const LocalTensor<bool>& finishLocal, const int32_t k, const TopkTiling&,
    const TopKInfo& topKInfo, const bool isLargest = true, AL_HERE)
{
    al::TopKRows<T, isInitIndex, isHasfinish>(dstValueLocal, dstIndexLocal, srcLocal, srcIndexLocal, finishLocal, nullptr,
        k, topKInfo, isLargest, topkMode == TopKMode::TOPK_NSMALL, here);
}

} // namespace AscendC
