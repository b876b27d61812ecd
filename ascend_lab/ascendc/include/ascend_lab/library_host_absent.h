// The host's half of functions that the model does not have yet: a program that asks is told the name.
#pragma once
#include "ascend_lab/runtime.h"

#define AL_ABSENT(NAME)                                  \
    template <typename... A>                             \
    uint32_t NAME(A&&...)                                \
    {                                                    \
        al::NotModelled(#NAME);                          \
    }

namespace AscendC {
AL_ABSENT(GetAntiQuantizeMaxMinTmpSize)
AL_ABSENT(GetBitwiseAndMaxMinTmpSize)
AL_ABSENT(GetBitwiseNotMaxMinTmpSize)
AL_ABSENT(GetBitwiseOrMaxMinTmpSize)
AL_ABSENT(GetBitwiseXorMaxMinTmpSize)
AL_ABSENT(GetDequantizeMaxMinTmpSize)
AL_ABSENT(GetFmaMaxMinTmpSize)
AL_ABSENT(GetHypotMaxMinTmpSize)
AL_ABSENT(GetIsInfMaxMinTmpSize)
AL_ABSENT(GetIsNanMaxMinTmpSize)
AL_ABSENT(GetLogicalAndMaxMinTmpSize)
AL_ABSENT(GetLogicalAndsMaxMinTmpSize)
AL_ABSENT(GetLogicalNotMaxMinTmpSize)
AL_ABSENT(GetLogicalOrMaxMinTmpSize)
AL_ABSENT(GetLogicalOrsMaxMinTmpSize)
AL_ABSENT(GetLogicalXorMaxMinTmpSize)
AL_ABSENT(GetQuantizeMaxMinTmpSize)
AL_ABSENT(GetRintMaxMinTmpSize)
AL_ABSENT(GetSinCosMaxMinTmpSize)
AL_ABSENT(GetSortMaxMinTmpSize)
AL_ABSENT(GetWhereMaxMinTmpSize)
} // namespace AscendC
#undef AL_ABSENT
