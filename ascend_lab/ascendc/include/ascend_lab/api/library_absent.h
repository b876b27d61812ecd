// Functions of the library that the model does not have yet: they compile, and a kernel that calls one is told its name.
#pragma once
#include "library.h"

#define AL_ABSENT(NAME)                                                                       \
    template <typename T = void, auto... options, typename... A>                              \
    void NAME(A&&...)                                                                         \
    {                                                                                         \
        al::NotModelled(#NAME);                                                               \
    }                                                                                         \
    template <typename T, typename U, auto... options, typename... A>                         \
    void NAME(A&&...)                                                                         \
    {                                                                                         \
        al::NotModelled(#NAME);                                                               \
    }

namespace AscendC {
AL_ABSENT(Clamp)
AL_ABSENT(Fma)
AL_ABSENT(Hypot)
AL_ABSENT(Rint)
AL_ABSENT(IsFinite)
AL_ABSENT(IsInf)
AL_ABSENT(IsNan)
AL_ABSENT(SinCos)
AL_ABSENT(LogicalAnd)
AL_ABSENT(LogicalOr)
AL_ABSENT(LogicalNot)
AL_ABSENT(LogicalXor)
AL_ABSENT(BitwiseAnd)
AL_ABSENT(BitwiseOr)
AL_ABSENT(BitwiseNot)
AL_ABSENT(BitwiseXor)
AL_ABSENT(Quantize)
AL_ABSENT(Dequantize)
AL_ABSENT(AntiQuantize)
} // namespace AscendC
#undef AL_ABSENT
