// Functions of the library, element by element: mathematics and activations.
// asc-devkit: docs/zh/api/SIMD-API/高阶API/{数学计算,激活函数}
#pragma once
#include "library.h"
#include "vec_binary_scalar.h"

namespace al {

template <typename T>
void Elementwise(const char* op, const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src,
    const Bytes* given, int64_t needed, int64_t count, Here here)
{
    Rec rec(op, Pipe::V, here);
    rec.dst(Operand(dst.ref, op)).src(Operand(src.ref, op)).i("count", count);
    PutBuffer(rec, op, given, needed);
}

template <typename T>
void Elementwise2(const char* op, const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src0,
    const AscendC::LocalTensor<T>& src1, const Bytes* given, int64_t needed, int64_t count, Here here)
{
    Rec rec(op, Pipe::V, here);
    rec.dst(Operand(dst.ref, op)).src(Operand(src0.ref, op)).src(Operand(src1.ref, op)).i("count", count);
    PutBuffer(rec, op, given, needed);
}

template <typename T>
constexpr int64_t PowerBytes(bool tensors)
{
    const int more = tensors ? 0 : 1, fused = chip.fused ? 1 : 0;
    if (sizeof(T) == 2) {
        return LIBRARY_REPEAT * (8 + fused);
    }
    return LIBRARY_REPEAT * ((IsFloat<T> ? 5 : 6) + fused + more);
}

template <typename T>
void PowerOf(const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src, T scalar, bool base,
    const Bytes* given, int64_t count, Here here)
{
    Rec rec("Power", Pipe::V, here);
    rec.dst(Operand(dst.ref, "Power")).src(Operand(src.ref, "Power")).i("count", count);
    PutScalar<T>(rec, "scalar", scalar);
    rec.b("base", base);
    PutBuffer(rec, "Power", given, PowerBytes<T>(false));
}

} // namespace al

#define AL_LIBRARY_FORMS(NAME, OPTIONS, NEEDED)                                                                       \
    template <OPTIONS>                                                                                                \
    void NAME(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,                                        \
        const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t calCount, AL_HERE)                                 \
    {                                                                                                                 \
        al::Elementwise(#NAME, dstTensor, srcTensor, &sharedTmpBuffer, NEEDED, calCount, here);                        \
    }                                                                                                                 \
    template <OPTIONS>                                                                                                \
    void NAME(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,                                        \
        const LocalTensor<uint8_t>& sharedTmpBuffer, AL_HERE)                                                          \
    {                                                                                                                 \
        al::Elementwise(#NAME, dstTensor, srcTensor, &sharedTmpBuffer, NEEDED, al::CountOf(srcTensor.ref), here);      \
    }                                                                                                                 \
    template <OPTIONS>                                                                                                \
    void NAME(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const uint32_t calCount, AL_HERE)      \
    {                                                                                                                 \
        al::Elementwise<T>(#NAME, dstTensor, srcTensor, nullptr, NEEDED, calCount, here);                              \
    }                                                                                                                 \
    template <OPTIONS>                                                                                                \
    void NAME(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, AL_HERE)                               \
    {                                                                                                                 \
        al::Elementwise<T>(#NAME, dstTensor, srcTensor, nullptr, NEEDED, al::CountOf(srcTensor.ref), here);            \
    }
#define AL_COMMA ,
#define AL_LIBRARY(NAME, HALF, FLOAT, REUSING)                                                                        \
    AL_LIBRARY_FORMS(NAME, typename T AL_COMMA bool isReuseSource = false,                                             \
        (al::Units{HALF, FLOAT, REUSING}.Of(sizeof(T), isReuseSource)))
#define AL_ACTIVATION(NAME, HALF, FLOAT)                                                                              \
    AL_LIBRARY_FORMS(NAME, typename T AL_COMMA bool highPrecision = false AL_COMMA bool highPerformance = false,       \
        (al::Units{HALF, FLOAT, FLOAT}.Of(sizeof(T), false)))

namespace AscendC {
AL_LIBRARY(Acos, 6, 2, 2)
AL_LIBRARY(Acosh, 2, 1, 1)
AL_LIBRARY(Asin, 6, 2, 2)
AL_LIBRARY(Asinh, 3, 3, 3)
AL_LIBRARY(Atan, 12, 5, 5)
AL_LIBRARY(Atanh, 4, 1, 1)
AL_LIBRARY(Ceil, 2, 1, 1)
AL_LIBRARY(Cos, 8, 3, 2)
AL_LIBRARY(Cosh, 6, 2, 2)
AL_LIBRARY(Digamma, 16, 7, 6)
AL_LIBRARY(Erf, 8, 3, 3)
AL_LIBRARY(Erfc, 16, 7, 7)
AL_LIBRARY(Floor, 2, 0, 0)
AL_LIBRARY(Frac, 4, 0, 0)
AL_LIBRARY(Lgamma, 26, 8, 7)
AL_LIBRARY(Log, 0, 0, 0)
AL_LIBRARY(Sign, 3, 3, 3)
AL_LIBRARY(Sin, 8, 3, 2)
AL_LIBRARY(Sinh, 4, 1, 1)
AL_LIBRARY(Tan, 10, 4, 4)
AL_LIBRARY(Tanh, 4, 1, 1)
AL_LIBRARY(Trunc, 2, 1, 1)
AL_LIBRARY(Sigmoid, 1, 1, 1)
AL_LIBRARY_FORMS(Round, typename T AL_COMMA bool isReuseSource = false,
    al::LIBRARY_REPEAT * (sizeof(T) == 4 ? (al::chip.fused ? 1 : 0) : (al::chip.fused ? 2 : 1)))
AL_ACTIVATION(Gelu, 3, 3)
AL_ACTIVATION(FasterGelu, 3, 3)
AL_ACTIVATION(FasterGeluV2, 3, 3)
AL_LIBRARY(Log2, 2, 0, 0)
AL_LIBRARY(Log10, 0, 0, 0)

template <typename T, bool isReuseSource = false>
void Silu(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal, uint32_t dataSize, AL_HERE)
{
    al::Elementwise<T>("Silu", dstLocal, srcLocal, nullptr, 0, dataSize, here);
}
template <typename T, bool isReuseSource = false>
void Swish(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal, uint32_t dataSize, const al::Same<T> scalarValue, AL_HERE)
{
    al::Rec rec("Swish", al::Pipe::V, here);
    rec.dst(al::Operand(dstLocal.ref, "Swish")).src(al::Operand(srcLocal.ref, "Swish")).i("count", dataSize);
    al::PutScalar<T>(rec, "scalar", scalarValue);
}

// e to the power of src: with a level of the Taylor series as a template argument it is the library's.
template <typename T, uint8_t taylorExpandLevel, bool isReuseSource = false>
void Exp(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal, const LocalTensor<uint8_t>& sharedTmpBuffer,
    const uint32_t calCount, AL_HERE)
{
    al::Rec rec("ExpLibrary", al::Pipe::V, here);
    rec.dst(al::Operand(dstLocal.ref, "Exp")).src(al::Operand(srcLocal.ref, "Exp")).i("level", taylorExpandLevel);
    rec.i("count", calCount);
    al::PutBuffer(rec, "Exp", &sharedTmpBuffer, al::Units{4, 3, 2}.Of(sizeof(T), isReuseSource));
}
template <typename T, uint8_t taylorExpandLevel, bool isReuseSource = false>
void Exp(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal, const uint32_t calCount, AL_HERE)
{
    al::Rec rec("ExpLibrary", al::Pipe::V, here);
    rec.dst(al::Operand(dstLocal.ref, "Exp")).src(al::Operand(srcLocal.ref, "Exp")).i("level", taylorExpandLevel);
    rec.i("count", calCount);
    al::PutBuffer(rec, "Exp", nullptr, al::Units{4, 3, 2}.Of(sizeof(T), isReuseSource));
}

template <typename T, bool isReuseSource = false>
void Xor(const LocalTensor<T>& dstTensor, const LocalTensor<T>& src0Tensor, const LocalTensor<T>& src1Tensor,
    const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t calCount, AL_HERE)
{
    al::Elementwise2("Xor", dstTensor, src0Tensor, src1Tensor, &sharedTmpBuffer, al::LIBRARY_REPEAT, calCount, here);
}
template <typename T, bool isReuseSource = false>
void Xor(const LocalTensor<T>& dstTensor, const LocalTensor<T>& src0Tensor, const LocalTensor<T>& src1Tensor,
    const uint32_t calCount, AL_HERE)
{
    al::Elementwise2<T>("Xor", dstTensor, src0Tensor, src1Tensor, nullptr, al::LIBRARY_REPEAT, calCount, here);
}
template <typename T, bool isReuseSource = false>
void Xor(const LocalTensor<T>& dstTensor, const LocalTensor<T>& src0Tensor, const LocalTensor<T>& src1Tensor, AL_HERE)
{
    Xor<T, isReuseSource>(dstTensor, src0Tensor, src1Tensor, static_cast<uint32_t>(al::CountOf(src0Tensor.ref)), here);
}

template <typename T, bool isReuseSource = false>
void Xor(const LocalTensor<T>& dstTensor, const LocalTensor<T>& src0Tensor, const LocalTensor<T>& src1Tensor,
    const LocalTensor<uint8_t>& sharedTmpBuffer, AL_HERE)
{
    Xor<T, isReuseSource>(
        dstTensor, src0Tensor, src1Tensor, sharedTmpBuffer, static_cast<uint32_t>(al::CountOf(src0Tensor.ref)), here);
}

// Two sources: with and without a count, with and without a buffer.
#define AL_LIBRARY2_FORMS(NAME, OPTIONS, NEEDED)                                                                      \
    template <OPTIONS>                                                                                                \
    void NAME(const LocalTensor<T>& dstTensor, const LocalTensor<T>& src0Tensor, const LocalTensor<T>& src1Tensor,      \
        const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t calCount, AL_HERE)                                 \
    {                                                                                                                 \
        al::Elementwise2(#NAME, dstTensor, src0Tensor, src1Tensor, &sharedTmpBuffer, NEEDED, calCount, here);          \
    }                                                                                                                 \
    template <OPTIONS>                                                                                                \
    void NAME(const LocalTensor<T>& dstTensor, const LocalTensor<T>& src0Tensor, const LocalTensor<T>& src1Tensor,      \
        const LocalTensor<uint8_t>& sharedTmpBuffer, AL_HERE)                                                          \
    {                                                                                                                 \
        al::Elementwise2(#NAME, dstTensor, src0Tensor, src1Tensor, &sharedTmpBuffer, NEEDED,                           \
            al::CountOf(src0Tensor.ref), here);                                                                       \
    }                                                                                                                 \
    template <OPTIONS>                                                                                                \
    void NAME(const LocalTensor<T>& dstTensor, const LocalTensor<T>& src0Tensor, const LocalTensor<T>& src1Tensor,      \
        const uint32_t calCount, AL_HERE)                                                                              \
    {                                                                                                                 \
        al::Elementwise2<T>(#NAME, dstTensor, src0Tensor, src1Tensor, nullptr, NEEDED, calCount, here);                \
    }                                                                                                                 \
    template <OPTIONS>                                                                                                \
    void NAME(const LocalTensor<T>& dstTensor, const LocalTensor<T>& src0Tensor, const LocalTensor<T>& src1Tensor, AL_HERE) \
    {                                                                                                                 \
        al::Elementwise2<T>(#NAME, dstTensor, src0Tensor, src1Tensor, nullptr, NEEDED, al::CountOf(src0Tensor.ref), here); \
    }

enum class FmodAlgo { NORMAL = 0, ITERATION_COMPENSATION = 1 };
constexpr uint32_t FMOD_ITERATION_NUM_MAX = 11;
struct FmodConfig {
    FmodAlgo algo = FmodAlgo::NORMAL;
    uint32_t iterationNum = FMOD_ITERATION_NUM_MAX;
};
constexpr FmodConfig DEFAULT_FMOD_CONFIG = {FmodAlgo::NORMAL, FMOD_ITERATION_NUM_MAX};

AL_LIBRARY2_FORMS(GeGLU, typename T AL_COMMA bool isReuseSource = false, (al::Units{4, 0, 0}.Of(sizeof(T), false)))
AL_LIBRARY2_FORMS(ReGlu, typename T AL_COMMA bool isReuseSource = false, (al::Units{6, 2, 2}.Of(sizeof(T), false)))
AL_LIBRARY2_FORMS(Fmod,
    typename T AL_COMMA bool isReuseSource = false AL_COMMA const FmodConfig& config = DEFAULT_FMOD_CONFIG,
    (al::Units{8, 1, 1}.Of(sizeof(T), false)))
#undef AL_LIBRARY2_FORMS

} // namespace AscendC

namespace al {

template <typename T>
void SwiGluOf(const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src0, const AscendC::LocalTensor<T>& src1,
    float beta, const Bytes* given, int64_t count, Here here)
{
    Rec rec("SwiGLU", Pipe::V, here);
    rec.dst(Operand(dst.ref, "SwiGLU")).src(Operand(src0.ref, "SwiGLU")).src(Operand(src1.ref, "SwiGLU"));
    rec.i("count", count).f("scalar", static_cast<double>(beta));
    PutBuffer(rec, "SwiGLU", given, Units{4, 0, 0}.Of(sizeof(T), false));
}

template <typename T>
void Clamped(const char* op, const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src, T scalar,
    const Bytes* given, int64_t count, Here here)
{
    Rec rec(op, Pipe::V, here);
    rec.dst(Operand(dst.ref, op)).src(Operand(src.ref, op)).i("count", count);
    PutScalar<T>(rec, "scalar", scalar);
    PutBuffer(rec, op, given, LIBRARY_REPEAT);
}

} // namespace al

namespace AscendC {

template <typename T, bool isReuseSource = false>
void SwiGLU(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor0, const LocalTensor<T>& srcTensor1,
    const float& scalarValue, const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t calCount, AL_HERE)
{
    al::SwiGluOf(dstTensor, srcTensor0, srcTensor1, scalarValue, &sharedTmpBuffer, calCount, here);
}
template <typename T, bool isReuseSource = false>
void SwiGLU(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor0, const LocalTensor<T>& srcTensor1,
    const float& scalarValue, const LocalTensor<uint8_t>& sharedTmpBuffer, AL_HERE)
{
    al::SwiGluOf(dstTensor, srcTensor0, srcTensor1, scalarValue, &sharedTmpBuffer, al::CountOf(srcTensor0.ref), here);
}
template <typename T, bool isReuseSource = false>
void SwiGLU(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor0, const LocalTensor<T>& srcTensor1,
    const float& scalarValue, const uint32_t calCount, AL_HERE)
{
    al::SwiGluOf<T>(dstTensor, srcTensor0, srcTensor1, scalarValue, nullptr, calCount, here);
}
template <typename T, bool isReuseSource = false>
void SwiGLU(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor0, const LocalTensor<T>& srcTensor1,
    const float& scalarValue, AL_HERE)
{
    al::SwiGluOf<T>(dstTensor, srcTensor0, srcTensor1, scalarValue, nullptr, al::CountOf(srcTensor0.ref), here);
}

#define AL_CLAMP(NAME)                                                                                                \
    template <typename T, bool isReuseSource = false>                                                                 \
    void NAME(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,                                         \
        const LocalTensor<uint8_t>& sharedTmpBuffer, const al::Same<T> scalar, const uint32_t calCount, AL_HERE)        \
    {                                                                                                                 \
        al::Clamped<T>(#NAME, dstTensor, srcTensor, scalar, &sharedTmpBuffer, calCount, here);                         \
    }                                                                                                                 \
    template <typename T, bool isReuseSource = false>                                                                 \
    void NAME(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const al::Same<T> scalar,               \
        const uint32_t calCount, AL_HERE)                                                                              \
    {                                                                                                                 \
        al::Clamped<T>(#NAME, dstTensor, srcTensor, scalar, nullptr, calCount, here);                                  \
    }
AL_CLAMP(ClampMax)
AL_CLAMP(ClampMin)
#undef AL_CLAMP

template <typename T, typename U, bool isReuseSource = false>
void Axpy(const LocalTensor<T>& dstTensor, const LocalTensor<U>& srcTensor, const al::Same<U> scalarValue,
    const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t calCount, AL_HERE)
{
    al::Rec rec("AxpyLibrary", al::Pipe::V, here);
    rec.dst(al::Operand(dstTensor.ref, "Axpy")).src(al::Operand(srcTensor.ref, "Axpy")).i("count", calCount);
    al::PutScalar<U>(rec, "scalar", scalarValue);
    al::PutBuffer(rec, "Axpy", &sharedTmpBuffer, al::Units{4, 1, 1}.Of(sizeof(U), isReuseSource));
}

enum class PowerAlgo { INTRINSIC = 0, DOUBLE_FLOAT_TECH };
struct PowerConfig {
    PowerAlgo algo = PowerAlgo::INTRINSIC;
};
constexpr PowerConfig defaultPowerConfig = {PowerAlgo::INTRINSIC};

#define AL_POWER(PARAMETERS, BUFFER, COUNT, CALL)                                   \
    template <typename T, bool isReuseSource = false, const PowerConfig& config = defaultPowerConfig> \
    void Power(const LocalTensor<T>& dstTensor, PARAMETERS BUFFER COUNT, AL_HERE)    \
    {                                                                               \
        CALL;                                                                       \
    }
#define AL_POWER_TENSORS const LocalTensor<T>& src0Tensor AL_COMMA const LocalTensor<T>& src1Tensor
#define AL_POWER_SCALAR const LocalTensor<T>& src0Tensor AL_COMMA const al::Same<T>& src1Scalar
#define AL_POWER_BASE const al::Same<T>& src0Scalar AL_COMMA const LocalTensor<T>& src1Tensor
#define AL_POWER_BUFFER AL_COMMA const LocalTensor<uint8_t>& sharedTmpBuffer
#define AL_POWER_COUNT AL_COMMA uint32_t calCount
AL_POWER(AL_POWER_TENSORS, AL_POWER_BUFFER, AL_POWER_COUNT,
    al::Elementwise2("Power", dstTensor, src0Tensor, src1Tensor, &sharedTmpBuffer, al::PowerBytes<T>(true), calCount, here))
AL_POWER(AL_POWER_TENSORS, , AL_POWER_COUNT,
    al::Elementwise2<T>("Power", dstTensor, src0Tensor, src1Tensor, nullptr, al::PowerBytes<T>(true), calCount, here))
AL_POWER(AL_POWER_TENSORS, AL_POWER_BUFFER, , al::Elementwise2("Power", dstTensor, src0Tensor, src1Tensor, &sharedTmpBuffer,
    al::PowerBytes<T>(true), al::CountOf(src0Tensor.ref), here))
AL_POWER(AL_POWER_TENSORS, , , al::Elementwise2<T>("Power", dstTensor, src0Tensor, src1Tensor, nullptr,
    al::PowerBytes<T>(true), al::CountOf(src0Tensor.ref), here))
AL_POWER(AL_POWER_SCALAR, AL_POWER_BUFFER, AL_POWER_COUNT,
    al::PowerOf(dstTensor, src0Tensor, static_cast<T>(src1Scalar), false, &sharedTmpBuffer, calCount, here))
AL_POWER(AL_POWER_SCALAR, , AL_POWER_COUNT,
    al::PowerOf<T>(dstTensor, src0Tensor, static_cast<T>(src1Scalar), false, nullptr, calCount, here))
AL_POWER(AL_POWER_SCALAR, AL_POWER_BUFFER, , al::PowerOf(dstTensor, src0Tensor, static_cast<T>(src1Scalar), false,
    &sharedTmpBuffer, al::CountOf(src0Tensor.ref), here))
AL_POWER(AL_POWER_SCALAR, , , al::PowerOf<T>(dstTensor, src0Tensor, static_cast<T>(src1Scalar), false, nullptr,
    al::CountOf(src0Tensor.ref), here))
AL_POWER(AL_POWER_BASE, AL_POWER_BUFFER, AL_POWER_COUNT,
    al::PowerOf(dstTensor, src1Tensor, static_cast<T>(src0Scalar), true, &sharedTmpBuffer, calCount, here))
AL_POWER(AL_POWER_BASE, , AL_POWER_COUNT,
    al::PowerOf<T>(dstTensor, src1Tensor, static_cast<T>(src0Scalar), true, nullptr, calCount, here))
AL_POWER(AL_POWER_BASE, AL_POWER_BUFFER, , al::PowerOf(dstTensor, src1Tensor, static_cast<T>(src0Scalar), true,
    &sharedTmpBuffer, al::CountOf(src1Tensor.ref), here))
AL_POWER(AL_POWER_BASE, , , al::PowerOf<T>(dstTensor, src1Tensor, static_cast<T>(src0Scalar), true, nullptr,
    al::CountOf(src1Tensor.ref), here))
} // namespace AscendC
#undef AL_POWER
#undef AL_POWER_TENSORS
#undef AL_POWER_SCALAR
#undef AL_POWER_BASE
#undef AL_POWER_BUFFER
#undef AL_POWER_COUNT
#undef AL_LIBRARY
#undef AL_ACTIVATION
#undef AL_LIBRARY_FORMS
#undef AL_COMMA
