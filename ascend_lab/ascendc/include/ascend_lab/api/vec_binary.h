// Two sources, element by element. Count form, or mask, repeats and BinaryRepeatParams.
// asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/基础算术, 逻辑计算, 复合计算
#pragma once
#include "vector.h"

namespace al {

template <typename D, typename S>
void Binary(const char* op, const AscendC::LocalTensor<D>& dst, const AscendC::LocalTensor<S>& src0,
    const AscendC::LocalTensor<S>& src1, int64_t count, Here here)
{
    Rec(op, Pipe::V, here).dst(Operand(dst.ref, op)).src(Operand(src0.ref, op)).src(Operand(src1.ref, op)).i("count", count);
}

template <typename D, typename S>
void Binary(const char* op, const AscendC::LocalTensor<D>& dst, const AscendC::LocalTensor<S>& src0,
    const AscendC::LocalTensor<S>& src1, const Mask& mask, int repeat, const AscendC::BinaryRepeatParams& params, Here here)
{
    Rec rec(op, Pipe::V, here);
    rec.dst(Operand(dst.ref, op)).src(Operand(src0.ref, op)).src(Operand(src1.ref, op));
    PutForm(rec, mask, repeat, params);
}

} // namespace al

// D and S: the types of destination and sources, the same for most.
#define AL_BINARY_FORMS(NAME, OP, TEMPLATE, D, S)                                                                     \
    template <TEMPLATE>                                                                                              \
    void NAME(const LocalTensor<D>& dst, const LocalTensor<S>& src0, const LocalTensor<S>& src1,                      \
        const int32_t& count, AL_HERE)                                                                               \
    {                                                                                                                \
        al::Binary(OP, dst, src0, src1, count, here);                                                                 \
    }                                                                                                                \
    template <TEMPLATE, bool isSetMask = true>                                                                        \
    void NAME(const LocalTensor<D>& dst, const LocalTensor<S>& src0, const LocalTensor<S>& src1, uint64_t mask,        \
        const int32_t repeatTime, const BinaryRepeatParams& repeatParams, AL_HERE)                                    \
    {                                                                                                                \
        al::Binary(OP, dst, src0, src1, al::Mask::Lanes(mask, isSetMask), repeatTime, repeatParams, here);             \
    }                                                                                                                \
    template <TEMPLATE, bool isSetMask = true>                                                                        \
    void NAME(const LocalTensor<D>& dst, const LocalTensor<S>& src0, const LocalTensor<S>& src1, const uint64_t mask[],\
        const int32_t repeatTime, const BinaryRepeatParams& repeatParams, AL_HERE)                                    \
    {                                                                                                                \
        al::Binary(OP, dst, src0, src1, al::Mask::Words(mask, isSetMask), repeatTime, repeatParams, here);             \
    }
#define AL_BINARY(NAME) AL_BINARY_FORMS(NAME, #NAME, typename T, T, T)
#define AL_COMMA ,

namespace AscendC {
AL_BINARY(Add)
AL_BINARY(Sub)
AL_BINARY(Mul)
AL_BINARY(Div)
AL_BINARY(Max)
AL_BINARY(Min)
AL_BINARY(And)
AL_BINARY(Or)
AL_BINARY(AddRelu)
AL_BINARY(SubRelu)
AL_BINARY(FusedMulAdd)
AL_BINARY_FORMS(FusedMulAddRelu, "MulAddRelu", typename T, T, T)
AL_BINARY(MulAddRelu)
AL_BINARY_FORMS(MulAddDst, "MulAddDst", typename T AL_COMMA typename U, T, U)
AL_BINARY_FORMS(MulCast, "MulCast", typename T AL_COMMA typename U, T, U)
AL_BINARY_FORMS(AddReluCast, "AddReluCast", typename T AL_COMMA typename U, T, U)
AL_BINARY_FORMS(SubReluCast, "SubReluCast", typename T AL_COMMA typename U, T, U)
} // namespace AscendC
#undef AL_BINARY
