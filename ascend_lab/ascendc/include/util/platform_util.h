// Sizes of the chip as the operator repositories' op_host asks for them.
#pragma once
#pragma GCC system_header
#include "tiling/platform/platform_ascendc.h"

namespace Ops::Base {
template <typename Context>
uint32_t GetUbBlockSize(const Context*)
{
    return static_cast<uint32_t>(al::chip.block_bytes);
}
} // namespace Ops::Base
