// One source, element by element. Count form, or mask, repeats and UnaryRepeatParams.
// asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/基础算术, 逻辑计算
#pragma once
#include "vector.h"

namespace al {

template <typename D, typename S>
void Unary(const char* op, const AscendC::LocalTensor<D>& dst, const AscendC::LocalTensor<S>& src, int64_t count, Here here)
{
    Rec(op, Pipe::V, here).dst(Operand(dst.ref, op)).src(Operand(src.ref, op)).i("count", count);
}

template <typename D, typename S>
void Unary(const char* op, const AscendC::LocalTensor<D>& dst, const AscendC::LocalTensor<S>& src, const Mask& mask,
    int repeat, const AscendC::UnaryRepeatParams& params, Here here)
{
    Rec rec(op, Pipe::V, here);
    rec.dst(Operand(dst.ref, op)).src(Operand(src.ref, op));
    PutForm(rec, mask, repeat, params);
}

} // namespace al

#define AL_UNARY(NAME)                                                                                               \
    template <typename T>                                                                                            \
    void NAME(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t& count, AL_HERE)                     \
    {                                                                                                                \
        al::Unary(#NAME, dst, src, count, here);                                                                      \
    }                                                                                                                \
    template <typename T, bool isSetMask = true>                                                                      \
    void NAME(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint64_t mask, const int32_t repeatTime,           \
        const UnaryRepeatParams& repeatParams, AL_HERE)                                                               \
    {                                                                                                                \
        al::Unary(#NAME, dst, src, al::Mask::Lanes(mask, isSetMask), repeatTime, repeatParams, here);                  \
    }                                                                                                                \
    template <typename T, bool isSetMask = true>                                                                      \
    void NAME(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint64_t mask[], const int32_t repeatTime,   \
        const UnaryRepeatParams& repeatParams, AL_HERE)                                                               \
    {                                                                                                                \
        al::Unary(#NAME, dst, src, al::Mask::Words(mask, isSetMask), repeatTime, repeatParams, here);                  \
    }

namespace AscendC {
AL_UNARY(Abs)
AL_UNARY(Exp)
AL_UNARY(Ln)
AL_UNARY(Sqrt)
AL_UNARY(Rsqrt)
AL_UNARY(Reciprocal)
AL_UNARY(Relu)
AL_UNARY(Not)
} // namespace AscendC
#undef AL_UNARY
