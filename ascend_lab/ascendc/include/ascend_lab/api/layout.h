// Shapes as tuples: MakeShape, MakeStride, MakeLayout. asc-devkit: docs/zh/api/SIMD-API/基础API/辅助数据结构/Layout
#pragma once
#include "../types.h"

#include <tuple>

namespace AscendC {

template <typename... Dims>
using Shape = std::tuple<Dims...>;
template <typename... Dims>
using Stride = std::tuple<Dims...>;
template <typename... Dims>
using Coord = std::tuple<Dims...>;

template <typename... Dims>
constexpr Shape<Dims...> MakeShape(const Dims&... dims)
{
    return {dims...};
}
template <typename... Dims>
constexpr Stride<Dims...> MakeStride(const Dims&... dims)
{
    return {dims...};
}
template <typename... Dims>
constexpr Coord<Dims...> MakeCoord(const Dims&... dims)
{
    return {dims...};
}

template <typename ShapeType, typename StrideType = std::tuple<>>
struct Layout {
    constexpr Layout() = default;
    constexpr Layout(const ShapeType& shape, const StrideType& stride = {}) : shape_(shape), stride_(stride) {}
    constexpr const ShapeType& GetShape() const { return shape_; }
    constexpr const StrideType& GetStride() const { return stride_; }
    // The size of axis k, 1 where there is none.
    int64_t dim(size_t k) const
    {
        int64_t found = 1;
        size_t at = 0;
        std::apply([&](const auto&... size) { ((found = at++ == k ? static_cast<int64_t>(size) : found), ...); }, shape_);
        return found;
    }

private:
    ShapeType shape_{};
    StrideType stride_{};
};

template <typename ShapeType, typename StrideType>
constexpr Layout<ShapeType, StrideType> MakeLayout(const ShapeType& shape, const StrideType& stride)
{
    return {shape, stride};
}
template <typename ShapeType>
constexpr Layout<ShapeType> MakeLayout(const ShapeType& shape)
{
    return {shape};
}

} // namespace AscendC
