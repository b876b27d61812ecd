// One source and a scalar of its type. Count form, or mask, repeats and UnaryRepeatParams.
// asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/基础算术, 逻辑计算, 复合计算
#pragma once
#include "vector.h"

namespace al {

template <typename D, typename S, typename Tensor>
void WithScalar(const char* op, const AscendC::LocalTensor<D>& dst, const Tensor& src, S scalar,
    int64_t count, bool sets_mask, Here here)
{
    Rec rec(op, Pipe::V, here);
    rec.dst(Operand(dst.ref, op)).src(Operand(src.ref, op));
    if (sets_mask) {
        rec.i("count", count);
    } else { // one repeat under the register
        PutForm(rec, Mask::Lanes(0, false), 1, AscendC::UnaryRepeatParams());
    }
    PutScalar<S>(rec, "scalar", scalar);
}

template <typename D, typename S, typename Tensor>
void WithScalar(const char* op, const AscendC::LocalTensor<D>& dst, const Tensor& src, S scalar,
    const Mask& mask, int repeat, const AscendC::UnaryRepeatParams& params, Here here)
{
    Rec rec(op, Pipe::V, here);
    rec.dst(Operand(dst.ref, op)).src(Operand(src.ref, op));
    PutForm(rec, mask, repeat, params);
    PutScalar<S>(rec, "scalar", scalar);
}

template <typename T>
struct Plain { // keeps a scalar's type out of the deduction: Muls(x, x, 2.0, n)
    using type = T;
};
template <typename T>
using Same = typename Plain<T>::type;

} // namespace al

#define AL_WITH_SCALAR(NAME)                                                                                          \
    template <typename T, bool isSetMask = true>                                                                      \
    void NAME(const LocalTensor<T>& dst, const LocalTensor<T>& src, const al::Same<T>& scalarValue,                     \
        const int32_t& count, AL_HERE)                                                                                \
    {                                                                                                                 \
        al::WithScalar(#NAME, dst, src, scalarValue, count, isSetMask, here);                                          \
    }                                                                                                                 \
    template <typename T, bool isSetMask = true>                                                                       \
    void NAME(const LocalTensor<T>& dst, const LocalTensor<T>& src, const al::Same<T>& scalarValue, uint64_t mask,      \
        const int32_t repeatTime, const UnaryRepeatParams& repeatParams, AL_HERE)                                      \
    {                                                                                                                 \
        al::WithScalar(#NAME, dst, src, scalarValue, al::Mask::Lanes(mask, isSetMask), repeatTime, repeatParams, here); \
    }                                                                                                                 \
    template <typename T, bool isSetMask = true>                                                                       \
    void NAME(const LocalTensor<T>& dst, const LocalTensor<T>& src, const al::Same<T>& scalarValue,                     \
        const uint64_t mask[], const int32_t repeatTime, const UnaryRepeatParams& repeatParams, AL_HERE)               \
    {                                                                                                                 \
        al::WithScalar(#NAME, dst, src, scalarValue, al::Mask::Words(mask, isSetMask), repeatTime, repeatParams, here); \
    }

// The same with the scalar's type named as well, as tensors of TensorTrait need it.
#define AL_WITH_TYPED_SCALAR(NAME)                                                                                    \
    template <typename T, typename U, bool isSetMask = true>                                                          \
    void NAME(const LocalTensor<T>& dst, const LocalTensor<T>& src, const al::Same<U>& scalarValue,                     \
        const int32_t& count, AL_HERE)                                                                                \
    {                                                                                                                 \
        al::WithScalar<T, U>(#NAME, dst, src, scalarValue, count, isSetMask, here);                                    \
    }                                                                                                                 \
    template <typename T, typename U, bool isSetMask = true>                                                           \
    void NAME(const LocalTensor<T>& dst, const LocalTensor<T>& src, const al::Same<U>& scalarValue, uint64_t mask,      \
        const int32_t repeatTime, const UnaryRepeatParams& repeatParams, AL_HERE)                                      \
    {                                                                                                                 \
        al::WithScalar<T, U>(#NAME, dst, src, scalarValue, al::Mask::Lanes(mask, isSetMask), repeatTime, repeatParams, here); \
    }                                                                                                                 \
    template <typename T, typename U, bool isSetMask = true>                                                           \
    void NAME(const LocalTensor<T>& dst, const LocalTensor<T>& src, const al::Same<U>& scalarValue,                     \
        const uint64_t mask[], const int32_t repeatTime, const UnaryRepeatParams& repeatParams, AL_HERE)               \
    {                                                                                                                 \
        al::WithScalar<T, U>(#NAME, dst, src, scalarValue, al::Mask::Words(mask, isSetMask), repeatTime, repeatParams, here); \
    }

namespace AscendC {
AL_WITH_TYPED_SCALAR(Adds)
AL_WITH_TYPED_SCALAR(Muls)
AL_WITH_TYPED_SCALAR(Maxs)
AL_WITH_TYPED_SCALAR(Mins)
AL_WITH_TYPED_SCALAR(LeakyRelu)
AL_WITH_TYPED_SCALAR(ShiftLeft)
AL_WITH_TYPED_SCALAR(ShiftRight)
#undef AL_WITH_TYPED_SCALAR
AL_WITH_SCALAR(Adds)
AL_WITH_SCALAR(Muls)
AL_WITH_SCALAR(Maxs)
AL_WITH_SCALAR(Mins)
AL_WITH_SCALAR(LeakyRelu)
AL_WITH_SCALAR(ShiftLeft)
AL_WITH_SCALAR(ShiftRight)

// With the bit that is shifted out last added to the result.
template <typename T, bool isSetMask = true>
void ShiftRight(const LocalTensor<T>& dst, const LocalTensor<T>& src, const al::Same<T>& scalarValue, uint64_t mask,
    const int32_t repeatTime, const UnaryRepeatParams& repeatParams, bool roundEn, AL_HERE)
{
    if (roundEn) {
        al::NotModelled("ShiftRight", "roundEn = true", here);
    }
    ShiftRight<T, isSetMask>(dst, src, scalarValue, mask, repeatTime, repeatParams, here);
}
template <typename T, bool isSetMask = true>
void ShiftRight(const LocalTensor<T>& dst, const LocalTensor<T>& src, const al::Same<T>& scalarValue,
    const uint64_t mask[], const int32_t repeatTime, const UnaryRepeatParams& repeatParams, bool roundEn, AL_HERE)
{
    if (roundEn) {
        al::NotModelled("ShiftRight", "roundEn = true", here);
    }
    ShiftRight<T, isSetMask>(dst, src, scalarValue, mask, repeatTime, repeatParams, here);
}

template <typename T, typename U, bool isSetMask = true>
void ShiftRight(const LocalTensor<T>& dst, const LocalTensor<T>& src, const al::Same<U>& scalarValue, uint64_t mask,
    const int32_t repeatTime, const UnaryRepeatParams& repeatParams, bool roundEn, AL_HERE)
{
    ShiftRight<T, isSetMask>(dst, src, scalarValue, mask, repeatTime, repeatParams, roundEn, here);
}
template <typename T, typename U, bool isSetMask = true>
void ShiftRight(const LocalTensor<T>& dst, const LocalTensor<T>& src, const al::Same<U>& scalarValue,
    const uint64_t mask[], const int32_t repeatTime, const UnaryRepeatParams& repeatParams, bool roundEn, AL_HERE)
{
    ShiftRight<T, isSetMask>(dst, src, scalarValue, mask, repeatTime, repeatParams, roundEn, here);
}

// dst = src * scalar + dst; dst may be float where src is half.
template <typename T, typename U>
void Axpy(const LocalTensor<T>& dst, const LocalTensor<U>& src, const al::Same<U>& scalarValue, const int32_t& count, AL_HERE)
{
    al::WithScalar("Axpy", dst, src, scalarValue, count, true, here);
}
template <typename T, typename U, bool isSetMask = true>
void Axpy(const LocalTensor<T>& dst, const LocalTensor<U>& src, const al::Same<U>& scalarValue, uint64_t mask,
    const int32_t repeatTime, const UnaryRepeatParams& repeatParams, AL_HERE)
{
    al::WithScalar("Axpy", dst, src, scalarValue, al::Mask::Lanes(mask, isSetMask), repeatTime, repeatParams, here);
}
template <typename T, typename U, bool isSetMask = true>
void Axpy(const LocalTensor<T>& dst, const LocalTensor<U>& src, const al::Same<U>& scalarValue, const uint64_t mask[],
    const int32_t repeatTime, const UnaryRepeatParams& repeatParams, AL_HERE)
{
    al::WithScalar("Axpy", dst, src, scalarValue, al::Mask::Words(mask, isSetMask), repeatTime, repeatParams, here);
}
} // namespace AscendC
#undef AL_WITH_SCALAR
