// Shapes as tuples: MakeShape, MakeStride, MakeLayout. asc-devkit: docs/zh/api/SIMD-API/基础API/辅助数据结构/Layout
#pragma once
#include "../tensor.h"

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
struct Layout;

} // namespace AscendC

namespace al {

template <typename T>
struct IsTuple : std::false_type {};
template <typename... T>
struct IsTuple<std::tuple<T...>> : std::true_type {};

template <typename Coord, typename Shape, typename Stride>
constexpr int64_t IndexOf(const Coord& coord, const Shape& shape, const Stride& stride);

template <typename Coord, typename Shape, typename Stride, size_t... k>
constexpr int64_t SumOfAxes(const Coord& coord, const Shape& shape, const Stride& stride, std::index_sequence<k...>)
{
    return (int64_t{0} + ... + IndexOf(std::get<k>(coord), std::get<k>(shape), std::get<k>(stride)));
}

// One number for several axes: the first axis counts fastest, the last takes what is left.
template <typename Shape, typename Stride, size_t... k>
constexpr int64_t SumOfDigits(int64_t left, const Shape& shape, const Stride& stride, std::index_sequence<k...>)
{
    int64_t index = 0;
    const auto take = [&](auto size, auto step, bool last) {
        const int64_t digit = last ? left : left % static_cast<int64_t>(size);
        index += digit * static_cast<int64_t>(step);
        left /= static_cast<int64_t>(size);
    };
    (take(std::get<k>(shape), std::get<k>(stride), k + 1 == sizeof...(k)), ...);
    return index;
}

template <typename Coord, typename Shape, typename Stride>
constexpr int64_t IndexOf(const Coord& coord, const Shape& shape, const Stride& stride)
{
    if constexpr (IsTuple<Coord>::value) {
        return SumOfAxes(coord, shape, stride, std::make_index_sequence<std::tuple_size_v<Coord>>());
    } else if constexpr (IsTuple<Shape>::value) {
        return SumOfDigits(static_cast<int64_t>(coord), shape, stride, std::make_index_sequence<std::tuple_size_v<Shape>>());
    } else {
        return static_cast<int64_t>(coord) * static_cast<int64_t>(stride);
    }
}

} // namespace al

namespace AscendC {

// Where the element of a coordinate lies. asc-devkit: docs/zh/api/SIMD-API/基础API/辅助数据结构/Coordinate/Crd2Idx.md
template <typename CoordType, typename ShapeType, typename StrideType>
constexpr auto Crd2Idx(const CoordType& coord, const ShapeType& shape, const StrideType& stride)
{
    return al::IndexOf(coord, shape, stride);
}
template <typename CoordType, typename ShapeType, typename StrideType>
constexpr auto Crd2Idx(const CoordType& coord, const Layout<ShapeType, StrideType>& layout)
{
    return al::IndexOf(coord, layout.GetShape(), layout.GetStride());
}

template <typename ShapeType, typename StrideType>
struct Layout {
    constexpr Layout() = default;
    constexpr Layout(const ShapeType& shape, const StrideType& stride = {}) : shape_(shape), stride_(stride) {}
    constexpr const ShapeType& GetShape() const { return shape_; }
    constexpr const StrideType& GetStride() const { return stride_; }
    constexpr ShapeType& GetShape() { return shape_; }
    constexpr StrideType& GetStride() { return stride_; }
    constexpr const Layout& layout() const { return *this; }
    constexpr Layout& layout() { return *this; }
    template <typename CoordType>
    constexpr auto operator()(const CoordType& coord) const
    {
        return Crd2Idx(coord, *this);
    }
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

template <typename T>
struct is_layout : std::false_type {};
template <typename ShapeType, typename StrideType>
struct is_layout<Layout<ShapeType, StrideType>> : std::true_type {};

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

// The type of an element with where it lies and how. asc-devkit: docs/zh/api/SIMD-API/基础API/辅助数据结构/TensorTrait
template <typename T, TPosition pos = TPosition::GM, typename LayoutType = Layout<Shape<>, Stride<>>>
struct TensorTrait {
    using LiteType = T;
    using LiteLayoutType = LayoutType;
    static constexpr TPosition tPos = pos;
    constexpr TensorTrait(const LayoutType& t = {}) : layout_(t) {}
    constexpr LayoutType& GetLayout() { return layout_; }
    constexpr const LayoutType& GetLayout() const { return layout_; }
    constexpr void SetLayout(const LayoutType& t) { layout_ = t; }

private:
    LayoutType layout_;
};
template <typename T, TPosition pos, typename LayoutType>
constexpr auto MakeTensorTrait(const LayoutType& t)
{
    return TensorTrait<T, pos, LayoutType>(t);
}
template <typename T>
struct is_tensorTrait : std::false_type {};
template <typename T, TPosition pos, typename LayoutType>
struct is_tensorTrait<TensorTrait<T, pos, LayoutType>> : std::true_type {};

// Tensors of such a type are those of its elements.
template <typename T, TPosition pos, typename LayoutType>
class LocalTensor<TensorTrait<T, pos, LayoutType>> : public LocalTensor<T> {
public:
    using LocalTensor<T>::LocalTensor;
    LocalTensor() = default;
    LocalTensor(const LocalTensor<T>& plain) : LocalTensor<T>(plain) {}
    LocalTensor operator[](uint32_t offset) const { return LocalTensor<T>::operator[](offset); }
};
template <typename T, TPosition pos, typename LayoutType>
class GlobalTensor<TensorTrait<T, pos, LayoutType>> : public GlobalTensor<T> {
public:
    GlobalTensor() = default;
    GlobalTensor(const GlobalTensor<T>& plain) : GlobalTensor<T>(plain) {}
    GlobalTensor operator[](uint64_t offset) const { return GlobalTensor<T>::operator[](offset); }
};

} // namespace AscendC
