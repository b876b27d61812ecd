// What the scalar unit computes by itself: counting bits, conversions.
// asc-devkit: docs/zh/api/SIMD-API/基础API/标量计算
#pragma once
#include "../types.h"

#include <cmath>

namespace AscendC {

template <int countValue>
int64_t GetBitCount(uint64_t valueIn)
{
    return __builtin_popcountll(countValue ? valueIn : ~valueIn);
}
template <int countValue>
int64_t ScalarGetCountOfValue(uint64_t valueIn)
{
    return GetBitCount<countValue>(valueIn);
}
inline int64_t CountLeadingZero(uint64_t valueIn) { return valueIn ? __builtin_clzll(valueIn) : 64; }
inline int64_t ScalarCountLeadingZero(uint64_t valueIn) { return CountLeadingZero(valueIn); }
inline int64_t CountBitsCntSameAsSignBit(int64_t valueIn)
{
    const uint64_t word = static_cast<uint64_t>(valueIn < 0 ? ~valueIn : valueIn);
    return word ? __builtin_clzll(word) - 1 : -1;
}
template <int countValue>
int64_t GetSFFValue(uint64_t valueIn)
{
    const uint64_t word = countValue ? valueIn : ~valueIn;
    return word ? __builtin_ctzll(word) : -1;
}
template <int countValue>
int64_t ScalarGetSFFValue(uint64_t valueIn)
{
    return GetSFFValue<countValue>(valueIn);
}

// float to half (CAST_ODD) or int32.
template <typename T, typename U, RoundMode roundMode>
U ScalarCast(T valueIn)
{
    const float value = static_cast<float>(valueIn);
    if constexpr (std::is_same_v<U, int32_t>) {
        double whole = value;
        if constexpr (roundMode == RoundMode::CAST_CEIL) {
            whole = std::ceil(whole);
        } else if constexpr (roundMode == RoundMode::CAST_FLOOR) {
            whole = std::floor(whole);
        } else if constexpr (roundMode == RoundMode::CAST_ROUND) {
            whole = std::round(whole);
        } else {
            whole = std::nearbyint(whole);
        }
        whole = whole > 2147483647.0 ? 2147483647.0 : whole < -2147483648.0 ? -2147483648.0 : whole;
        return std::isnan(value) ? 0 : static_cast<int32_t>(whole);
    } else if constexpr (std::is_same_v<U, half> && roundMode == RoundMode::CAST_ODD) {
        half cut = static_cast<half>(value);
        const float back = static_cast<float>(cut);
        if (back != value && !std::isnan(value)) { // inexact: towards zero, then the last bit is set
            const bool outward = std::fabs(back) > std::fabs(value);
            const uint16_t bits = static_cast<uint16_t>(outward ? cut.bits() - 1 : cut.bits());
            cut = half::from_bits(static_cast<uint16_t>(bits | 1u));
        }
        return cut;
    } else {
        al::NotModelled("ScalarCast", "this pair of types and round mode");
    }
}
template <typename T, typename U, RoundMode roundMode>
U Cast(T valueIn)
{
    return ScalarCast<T, U, roundMode>(valueIn);
}
inline bfloat16_t ToBfloat16(const float& value) { return bfloat16_t(value); }
inline float ToFloat(const bfloat16_t& value) { return static_cast<float>(value); }
inline bfloat16_t Cast(const float& value) { return bfloat16_t(value); }
inline float Cast(const bfloat16_t& value) { return static_cast<float>(value); }

} // namespace AscendC

// The scalar unit's own, without a namespace. asc-devkit: docs/zh/api/SIMD-API/基础API/标量计算
template <typename A, typename B>
constexpr auto min(const A& a, const B& b)
{
    return b < a ? b : a;
}
template <typename A, typename B>
constexpr auto max(const A& a, const B& b)
{
    return a < b ? b : a;
}
