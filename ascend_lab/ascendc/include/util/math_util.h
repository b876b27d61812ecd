// Whole-number helpers of the operator repositories' op_host.
#pragma once
#pragma GCC system_header
#include <cstdint>

namespace Ops::Base {
template <typename T, typename U>
constexpr auto CeilDiv(T value, U by) -> decltype(value / by)
{
    return by == 0 ? value : (value + by - 1) / by;
}
template <typename T, typename U>
constexpr auto CeilAlign(T value, U to) -> decltype(value / to)
{
    return CeilDiv(value, to) * to;
}
template <typename T, typename U>
constexpr auto FloorDiv(T value, U by) -> decltype(value / by)
{
    return by == 0 ? value : value / by;
}
template <typename T, typename U>
constexpr auto FloorAlign(T value, U to) -> decltype(value / to)
{
    return FloorDiv(value, to) * to;
}
} // namespace Ops::Base
