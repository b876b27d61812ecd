// Matrix instructions: named, not modelled. A kernel that calls one ends there, and the call is named.
#pragma once
#include "../tensor.h"

namespace AscendC {

struct MmadParams {
    MmadParams() = default;
    MmadParams(uint16_t mIn, uint16_t nIn, uint16_t kIn, uint8_t unitFlagIn, bool source, bool init)
        : m(mIn), n(nIn), k(kIn), unitFlag(unitFlagIn), cmatrixSource(source), cmatrixInitVal(init)
    {}
    uint16_t m = 0, n = 0, k = 0;
    bool isBias = false;
    int32_t fmOffset = 0;
    bool enSsparse = false, enWinogradA = false, enWinogradB = false;
    uint8_t unitFlag = 0;
    bool kDirectionAlign = false, cmatrixSource = false, cmatrixInitVal = true;
};
struct LoadData2DParams {
    LoadData2DParams() = default;
    LoadData2DParams(uint16_t start, uint8_t repeat, uint16_t src, uint8_t sidIn, uint16_t dst, bool transpose, uint8_t addr)
        : startIndex(start), repeatTimes(repeat), srcStride(src), sid(sidIn), dstGap(dst), ifTranspose(transpose), addrMode(addr)
    {}
    uint16_t startIndex = 0;
    uint8_t repeatTimes = 0;
    uint16_t srcStride = 0;
    uint8_t sid = 0;
    uint16_t dstGap = 0;
    bool ifTranspose = false;
    uint8_t addrMode = 0;
};
struct FixpipeParamsV220 {
    FixpipeParamsV220() = default;
    FixpipeParamsV220(uint16_t n, uint16_t m, uint16_t src, uint32_t dst, bool relu, QuantMode_t quant, int64_t deq,
        uint16_t nd, uint16_t srcNd, uint16_t dstNd, uint8_t flag)
        : nSize(n), mSize(m), srcStride(src), dstStride(dst), quantPre(quant), deqScalar(static_cast<uint64_t>(deq)),
          ndNum(nd), srcNdStride(srcNd), dstNdStride(dstNd), reluEn(relu), unitFlag(flag)
    {}
    uint16_t nSize = 0, mSize = 0, srcStride = 0;
    uint32_t dstStride = 0;
    QuantMode_t quantPre = QuantMode_t::NoQuant;
    uint64_t deqScalar = 0;
    uint16_t ndNum = 1, srcNdStride = 0, dstNdStride = 0;
    bool reluEn = false;
    uint8_t unitFlag = 0;
    bool isChannelSplit = false;
};

#define AL_MATRIX(NAME)                                                                                               \
    template <typename... A>                                                                                          \
    void NAME(A&&...)                                                                                                 \
    {                                                                                                                 \
        al::NotModelled(#NAME);                                                                                       \
    }
AL_MATRIX(LoadDataWithTranspose)
AL_MATRIX(LoadDataWithSparse)
AL_MATRIX(MmadWithSparse)
AL_MATRIX(BroadCastVecToMM)
AL_MATRIX(InitConstValue)
AL_MATRIX(SetFixPipeConfig)
AL_MATRIX(SetFixpipeNz2ndFlag)
AL_MATRIX(SetFixpipePreQuantFlag)
AL_MATRIX(SetFmatrix)
AL_MATRIX(SetLoadDataBoundary)
AL_MATRIX(SetLoadDataPaddingValue)
AL_MATRIX(SetLoadDataRepeat)
AL_MATRIX(SetHF32Mode)
AL_MATRIX(SetHF32TransMode)
AL_MATRIX(SetMMLayoutTransform)
#undef AL_MATRIX

template <typename D, typename S, typename P>
void LoadData(const D&, const S&, const P&, AL_HERE)
{
    al::NotModelled("LoadData", "", here);
}
template <typename D, typename S>
void LoadData(const D&, const S&, const LoadData2DParams&, AL_HERE)
{
    al::NotModelled("LoadData", "", here);
}
template <typename D, typename A, typename B>
void Mmad(const D&, const A&, const B&, const MmadParams&, AL_HERE)
{
    al::NotModelled("Mmad", "", here);
}
template <typename D, typename A, typename B, typename C>
void Mmad(const D&, const A&, const B&, const C&, const MmadParams&, AL_HERE)
{
    al::NotModelled("Mmad", "", here);
}
template <typename D, typename S, typename P>
void Fixpipe(const D&, const S&, const P&, AL_HERE)
{
    al::NotModelled("Fixpipe", "", here);
}
template <typename D, typename S>
void Fixpipe(const D&, const S&, const FixpipeParamsV220&, AL_HERE)
{
    al::NotModelled("Fixpipe", "", here);
}

} // namespace AscendC
