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
AL_ABSENT(GeGLU)
AL_ABSENT(ReGlu)
AL_ABSENT(SwiGLU)
AL_ABSENT(FasterGeluV2)
AL_ABSENT(SimpleSoftMax)
AL_ABSENT(SoftmaxFlash)
AL_ABSENT(SoftmaxFlashV2)
AL_ABSENT(SoftmaxFlashV3)
AL_ABSENT(SoftmaxGrad)
AL_ABSENT(SoftmaxGradFront)
AL_ABSENT(BatchNorm)
AL_ABSENT(DeepNorm)
AL_ABSENT(GroupNorm)
AL_ABSENT(Normalize)
AL_ABSENT(WelfordUpdate)
AL_ABSENT(WelfordFinalize)
AL_ABSENT(Mean)
AL_ABSENT(ReduceXorSum)
AL_ABSENT(ReduceAny)
AL_ABSENT(ReduceAll)
AL_ABSENT(ReduceProd)
AL_ABSENT(CumSum)
AL_ABSENT(Clamp)
AL_ABSENT(ClampMax)
AL_ABSENT(ClampMin)
AL_ABSENT(Fmod)
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
AL_ABSENT(Log2)
AL_ABSENT(Log10)
AL_ABSENT(DropOut)
AL_ABSENT(ArithProgression)
AL_ABSENT(Arange)
AL_ABSENT(Pad)
AL_ABSENT(UnPad)
AL_ABSENT(TransData)
AL_ABSENT(ConfusionTranspose)
AL_ABSENT(AscendAntiQuant)
AL_ABSENT(Quantize)
AL_ABSENT(Dequantize)
AL_ABSENT(AntiQuantize)
} // namespace AscendC
#undef AL_ABSENT
