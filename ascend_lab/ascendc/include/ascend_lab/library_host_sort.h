// The host's half of the sorting functions. Sizes are those that this library needs.
// asc-devkit: docs/zh/api/SIMD-API/高阶API/排序操作/{TopK-Tiling,GetSortTmpSize,GetConcatTmpSize}.md
#pragma once
#include "ascend_lab/api/library_sort.h"
#include "ascend_lab/library_tiling.h"
#include "tiling/platform/platform_ascendc.h"

namespace AscendC {

inline bool GetTopKMaxMinTmpSize(const platform_ascendc::PlatformAscendC&, const int32_t inner, const int32_t outter,
    const bool, const bool isInitIndex, enum TopKMode mode, const bool, const uint32_t dataTypeSize, uint32_t& maxValue,
    uint32_t& minValue)
{
    const bool small = mode == TopKMode::TOPK_NSMALL;
    if (inner <= 0 || inner % al::SORTED_AT_ONCE != 0 || outter <= 0 || (small && inner != al::SORTED_AT_ONCE)) {
        return false;
    }
    minValue = static_cast<uint32_t>(al::TopKBytes(inner, outter, dataTypeSize, isInitIndex, small));
    maxValue = minValue;
    return true;
}

// Fills what the shape says; the kernel's side of this library needs none of it.
template <typename Set>
bool TileTopK(int32_t inner, int32_t outter, int32_t k, uint32_t size, bool has_index, TopKMode mode, Set set)
{
    const bool small = mode == TopKMode::TOPK_NSMALL;
    if (inner <= 0 || inner % al::SORTED_AT_ONCE != 0 || outter <= 0 || k <= 0 || k > inner) {
        return false;
    }
    const int64_t bytes = al::TopKBytes(inner, outter, size, has_index, small);
    set(static_cast<int32_t>(bytes / size), small ? inner * outter : inner, static_cast<uint32_t>(inner / al::SORTED_AT_ONCE),
        (k + 7) / 8 * 8, (k + 15) / 16 * 16);
    return true;
}

inline bool TopKTilingFunc(const platform_ascendc::PlatformAscendC&, const int32_t inner, const int32_t outter,
    const int32_t k, const uint32_t dataTypeSize, const bool isInitIndex, enum TopKMode mode, const bool,
    optiling::TopkTiling& topKTiling)
{
    return TileTopK(inner, outter, k, dataTypeSize, isInitIndex, mode,
        [&](int32_t work, int32_t all, uint32_t repeat, int32_t words, int32_t halves) {
            topKTiling.set_tmpLocalSize(work);
            topKTiling.set_allDataSize(all);
            topKTiling.set_innerDataSize(inner);
            topKTiling.set_sortRepeat(repeat);
            topKTiling.set_kAlignFourBytes(words);
            topKTiling.set_kAlignTwoBytes(halves);
        });
}
inline bool TopKTilingFunc(const platform_ascendc::PlatformAscendC&, const int32_t inner, const int32_t outter,
    const int32_t k, const uint32_t dataTypeSize, const bool isInitIndex, enum TopKMode mode, const bool,
    AscendC::tiling::TopkTiling& topKTiling)
{
    return TileTopK(inner, outter, k, dataTypeSize, isInitIndex, mode,
        [&](int32_t work, int32_t all, uint32_t repeat, int32_t words, int32_t halves) {
            topKTiling.tmpLocalSize = work;
            topKTiling.allDataSize = all;
            topKTiling.innerDataSize = inner;
            topKTiling.sortRepeat = repeat;
            topKTiling.kAlignFourBytes = words;
            topKTiling.kAlignTwoBytes = halves;
        });
}

inline uint32_t GetSortTmpSize(const platform_ascendc::PlatformAscendC&, const uint32_t elemCount, const uint32_t)
{
    return elemCount * static_cast<uint32_t>(al::PAIR_BYTES);
}
inline uint32_t GetConcatTmpSize(const platform_ascendc::PlatformAscendC&, const uint32_t elemCount, const uint32_t)
{
    return elemCount * static_cast<uint32_t>(al::PAIR_BYTES);
}

} // namespace AscendC
