// Functions of the library that the model does not have yet: they compile, and a kernel that calls one is told its name.
#pragma once
#include "library.h"

// A kernel's own function of the name fits its arguments better than these.
#define AL_ABSENT(NAME)                                                                       \
    template <typename T = void, auto... options, typename D, typename... A>                  \
    void NAME(const LocalTensor<D>&, const A&...)                                             \
    {                                                                                         \
        al::NotModelled(#NAME);                                                               \
    }                                                                                         \
    template <typename T, typename U, auto... options, typename D, typename... A>             \
    void NAME(const LocalTensor<D>&, const A&...)                                             \
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
AL_ABSENT(Where)
AL_ABSENT(LogicalAnds)
AL_ABSENT(LogicalOrs)
// Of other chips.
AL_ABSENT(ProposalConcat)
AL_ABSENT(ProposalExtract)
AL_ABSENT(RpSort16)
AL_ABSENT(MrgSort4)
AL_ABSENT(Interleave)
AL_ABSENT(DeInterleave)
AL_ABSENT(Neg)
AL_ABSENT(Prelu)
AL_ABSENT(Mull)
AL_ABSENT(AbsSub)
AL_ABSENT(ExpSub)
AL_ABSENT(MulsCast)
AL_ABSENT(Truncate)
AL_ABSENT(Subs)
AL_ABSENT(Divs)
AL_ABSENT(Ands)
AL_ABSENT(Ors)
} // namespace AscendC
#undef AL_ABSENT
