// Conversions between types, and the scale that some take from the DEQSCALE register.
// asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/类型转换, 复合计算
#pragma once
#include "vector.h"

namespace al {

const char* RoundName(AscendC::RoundMode mode);
void PutScale(Rec& rec); // what an instruction takes from the DEQSCALE register
void SetScale(float scale, int offset, bool is_signed, bool has_offset, Here here);
void SetScaleTable(const Ref& table, Here here);
const Ref* ScaleTable(); // null when the register holds one scale

// A tensor of int4b_t as the bytes it lies in.
template <typename T>
const Ref PairsOf(const AscendC::LocalTensor<T>& tensor)
{
    Ref ref = Operand(tensor.ref, "Cast");
    if constexpr (std::is_same_v<T, int4b_t>) {
        ref.dtype = INT8;
        ref.size /= 2;
    }
    return ref;
}

template <typename D, typename S>
void PutRound(Rec& rec, AscendC::RoundMode mode)
{
    rec.s("round", RoundName(mode));
    if constexpr (std::is_same_v<D, half> && std::is_same_v<S, int32_t>) {
        PutScale(rec);
    }
    if constexpr (std::is_same_v<D, int4b_t> || std::is_same_v<S, int4b_t>) {
        rec.s("int4", std::is_same_v<D, int4b_t> ? "dst" : "src");
    }
}

template <typename D, typename S, typename PutHow>
void Dequantise(const AscendC::LocalTensor<D>& dst, const AscendC::LocalTensor<S>& src, bool vector, bool half_block,
    PutHow put, Here here)
{
    const Ref* table = vector && std::is_same_v<S, int16_t> ? ScaleTable() : nullptr;
    Rec rec("CastDequant", Pipe::V, here);
    rec.dst(Operand(dst.ref, "CastDequant")).src(Operand(src.ref, "CastDequant"));
    if (table != nullptr) {
        rec.src(*table);
    }
    put(rec);
    rec.b("half", half_block).b("vector", table != nullptr);
    PutScale(rec);
}

} // namespace al

namespace AscendC {

template <typename T, typename U>
void Cast(const LocalTensor<T>& dst, const LocalTensor<U>& src, const RoundMode& roundMode, const uint32_t count, AL_HERE)
{
    al::Rec rec("Cast", al::Pipe::V, here);
    rec.dst(al::PairsOf(dst)).src(al::PairsOf(src)).i("count", count);
    al::PutRound<T, U>(rec, roundMode);
}
template <typename T, typename U, bool isSetMask = true>
void Cast(const LocalTensor<T>& dst, const LocalTensor<U>& src, const RoundMode& roundMode, const uint64_t mask,
    const uint8_t repeatTime, const UnaryRepeatParams& repeatParams, AL_HERE)
{
    al::Rec rec("Cast", al::Pipe::V, here);
    rec.dst(al::PairsOf(dst)).src(al::PairsOf(src));
    al::PutForm(rec, al::Mask::Lanes(mask, isSetMask), repeatTime, repeatParams);
    al::PutRound<T, U>(rec, roundMode);
}
template <typename T, typename U, bool isSetMask = true>
void Cast(const LocalTensor<T>& dst, const LocalTensor<U>& src, const RoundMode& roundMode, const uint64_t mask[],
    const uint8_t repeatTime, const UnaryRepeatParams& repeatParams, AL_HERE)
{
    al::Rec rec("Cast", al::Pipe::V, here);
    rec.dst(al::PairsOf(dst)).src(al::PairsOf(src));
    al::PutForm(rec, al::Mask::Words(mask, isSetMask), repeatTime, repeatParams);
    al::PutRound<T, U>(rec, roundMode);
}

#define AL_DEQUANT(NAME)                                                                                              \
    template <typename T, typename U, bool isVecDeq = true, bool halfBlock = true>                                     \
    void NAME(const LocalTensor<T>& dst, const LocalTensor<U>& src, const uint32_t count, AL_HERE)                      \
    {                                                                                                                 \
        al::Dequantise(dst, src, isVecDeq, halfBlock, [&](al::Rec& rec) { rec.i("count", count); }, here);              \
    }                                                                                                                 \
    template <typename T, typename U, bool isSetMask = true, bool isVecDeq = true, bool halfBlock = true>               \
    void NAME(const LocalTensor<T>& dst, const LocalTensor<U>& src, const int32_t mask, uint8_t repeatTime,              \
        const UnaryRepeatParams& repeatParams, AL_HERE)                                                                \
    {                                                                                                                 \
        al::Dequantise(dst, src, isVecDeq, halfBlock, [&](al::Rec& rec) {                                               \
            al::PutForm(rec, al::Mask::Lanes(static_cast<uint64_t>(mask), isSetMask), repeatTime, repeatParams);        \
        }, here);                                                                                                      \
    }                                                                                                                 \
    template <typename T, typename U, bool isSetMask = true, bool isVecDeq = true, bool halfBlock = true>               \
    void NAME(const LocalTensor<T>& dst, const LocalTensor<U>& src, const uint64_t mask[], uint8_t repeatTime,           \
        const UnaryRepeatParams& repeatParams, AL_HERE)                                                                \
    {                                                                                                                 \
        al::Dequantise(dst, src, isVecDeq, halfBlock, [&](al::Rec& rec) {                                               \
            al::PutForm(rec, al::Mask::Words(mask, isSetMask), repeatTime, repeatParams);                               \
        }, here);                                                                                                      \
    }
AL_DEQUANT(CastDequant)
AL_DEQUANT(CastDeq)
#undef AL_DEQUANT

inline void SetDeqScale(half scale, AL_HERE) { al::SetScale(static_cast<float>(scale), 0, true, false, here); }
inline void SetDeqScale(float scale, int16_t offset, bool signMode, AL_HERE)
{
    al::SetScale(scale, offset, signMode, true, here);
}
// Writes sixteen words into vdeq, through the scalar unit.
template <typename T>
void SetDeqScale(const LocalTensor<T>& vdeq, const VdeqInfo& info, AL_HERE)
{
    al::Operand(vdeq.ref, "SetDeqScale");
    for (int k = 0; k < 16; ++k) {
        const uint64_t bits = al::BitsOf(info.vdeqScale[k]) |
                              static_cast<uint64_t>(static_cast<uint16_t>(info.vdeqOffset[k]) & 0x1FFu) << 37 |
                              static_cast<uint64_t>(info.vdeqSignMode[k]) << 46;
        al::TellValue<T>(vdeq.ref, k, static_cast<T>(bits), here);
    }
    al::SetScaleTable(vdeq.ref, here);
}

template <typename T, typename U>
void AddDeqRelu(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1, const int32_t& count, AL_HERE)
{
    al::Rec rec("AddDeqRelu", al::Pipe::V, here);
    rec.dst(al::Operand(dst.ref, "AddDeqRelu")).src(al::Operand(src0.ref, "AddDeqRelu"));
    rec.src(al::Operand(src1.ref, "AddDeqRelu")).i("count", count);
    al::PutScale(rec);
}
template <typename T, typename U, bool isSetMask = true>
void AddDeqRelu(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1, uint64_t mask,
    const uint8_t repeatTime, const BinaryRepeatParams& repeatParams, AL_HERE)
{
    al::Rec rec("AddDeqRelu", al::Pipe::V, here);
    rec.dst(al::Operand(dst.ref, "AddDeqRelu")).src(al::Operand(src0.ref, "AddDeqRelu"));
    rec.src(al::Operand(src1.ref, "AddDeqRelu"));
    al::PutForm(rec, al::Mask::Lanes(mask, isSetMask), repeatTime, repeatParams);
    al::PutScale(rec);
}
template <typename T, typename U, bool isSetMask = true>
void AddDeqRelu(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1, const uint64_t mask[],
    const uint8_t repeatTime, const BinaryRepeatParams& repeatParams, AL_HERE)
{
    al::Rec rec("AddDeqRelu", al::Pipe::V, here);
    rec.dst(al::Operand(dst.ref, "AddDeqRelu")).src(al::Operand(src0.ref, "AddDeqRelu"));
    rec.src(al::Operand(src1.ref, "AddDeqRelu"));
    al::PutForm(rec, al::Mask::Words(mask, isSetMask), repeatTime, repeatParams);
    al::PutScale(rec);
}
template <bool isSetMask>
void AddDeqRelu(const LocalTensor<half>& dst, const LocalTensor<int32_t>& src0, const LocalTensor<int32_t>& src1,
    uint64_t mask, const uint8_t repeatTime, const BinaryRepeatParams& repeatParams, AL_HERE)
{
    AddDeqRelu<half, int32_t, isSetMask>(dst, src0, src1, mask, repeatTime, repeatParams, here);
}
template <bool isSetMask>
void AddDeqRelu(const LocalTensor<half>& dst, const LocalTensor<int32_t>& src0, const LocalTensor<int32_t>& src1,
    const uint64_t mask[], const uint8_t repeatTime, const BinaryRepeatParams& repeatParams, AL_HERE)
{
    AddDeqRelu<half, int32_t, isSetMask>(dst, src0, src1, mask, repeatTime, repeatParams, here);
}

} // namespace AscendC
