// Enumerations and parameter structures by their official names, fields and defaults.
// asc-devkit: docs/zh/api/SIMD-API/基础API/辅助数据结构
#pragma once
#include "half.h"
#include "qualifiers.h"
#include "runtime.h"

#include <algorithm>
#include <tuple>
#include <type_traits>
#include <utility>

enum pipe_t {
    PIPE_S = 0, PIPE_V, PIPE_M, PIPE_MTE1, PIPE_MTE2, PIPE_MTE3, PIPE_ALL, PIPE_MTE4, PIPE_MTE5, PIPE_V2, PIPE_FIX
};
enum event_t { EVENT_ID0 = 0, EVENT_ID1, EVENT_ID2, EVENT_ID3, EVENT_ID4, EVENT_ID5, EVENT_ID6, EVENT_ID7 };
enum mem_dsb_t { DSB_ALL = 0, DSB_DDR, DSB_UB, DSB_SEQ };

enum class QuantMode_t {
    NoQuant, F322F16, F322BF16, DEQF16, VDEQF16, QF322B8_PRE, VQF322B8_PRE, REQ8, VREQ8, REQ4, VREQ4
};

namespace AscendC {

namespace Std { // the parts of the standard library that kernels may use
using namespace std;
template <size_t value>
using Int = std::integral_constant<size_t, value>;
}

using ::bfloat16_t;
using ::half;
using ::int4b_t;

enum class TPosition : uint8_t {
    GM, A1, A2, B1, B2, C1, C2, CO1, CO2, VECIN, VECOUT, VECCALC, LCM = VECCALC, SPM, SHM = SPM, TSCM, C2PIPE2GM,
    C2PIPE2LOCAL, MAX
};
using QuePosition = TPosition;

enum class Hardware : uint8_t { GM, UB, L1, L0A, L0B, L0C, BIAS, FIXBUF, MAX };

enum class HardEvent : uint8_t {
    MTE2_MTE1, MTE1_MTE2, MTE1_M, M_MTE1, MTE2_V, V_MTE2, MTE3_V, V_MTE3, M_V, V_M, V_V, MTE3_MTE1, MTE1_MTE3,
    MTE1_V, MTE2_M, M_MTE2, V_MTE1, M_FIX, FIX_M, MTE3_MTE2, MTE2_MTE3, S_V, V_S, S_MTE2, MTE2_S, S_MTE3, MTE3_S,
    MTE2_FIX, FIX_MTE2, FIX_S, M_S, FIX_MTE3, MTE1_FIX, FIX_MTE1, FIX_FIX, MAX
};

using TEventID = int8_t;
using TTagType = int32_t;

enum class MaskMode : uint8_t { NORMAL = 0, COUNTER };
enum class RoundMode : uint8_t { CAST_NONE = 0, CAST_RINT, CAST_FLOOR, CAST_CEIL, CAST_ROUND, CAST_TRUNC, CAST_ODD };
enum class CMPMODE : uint8_t { LT = 0, GT, EQ, LE, GE, NE };
enum class SELMODE : uint8_t { VSEL_CMPMASK_SPR = 0, VSEL_TENSOR_SCALAR_MODE, VSEL_TENSOR_TENSOR_MODE };
enum class ReduceOrder : uint8_t {
    ORDER_VALUE_INDEX = 0, ORDER_INDEX_VALUE, ORDER_ONLY_VALUE, ORDER_ONLY_INDEX
};
enum class CacheMode : uint8_t {
    CACHE_MODE_NORMAL = 0, CACHE_MODE_DISABLE = 1, CACHE_MODE_LAST = 2, CACHE_MODE_PERSISTENT = 4
};
enum class CacheRwMode : uint8_t { READ = 1, WRITE = 2, RW = 3 };
enum class CacheLine : uint64_t { SINGLE_CACHE_LINE = 0, ENTIRE_DATA_CACHE };
enum class DcciDst : uint64_t { CACHELINE_ALL = 0, CACHELINE_UB, CACHELINE_OUT, CACHELINE_ATOMIC };
enum class MemDsbT : uint8_t { ALL = 0, DDR, UB, SEQ };
enum class DataFormat : uint8_t { ND = 0, NZ, NCHW, NC1HWC0, NHWC, NCDHW, NDC1HWC0, FRACTAL_Z_3D };
enum class BlockMode : uint8_t { BLOCK_MODE_NORMAL = 0, BLOCK_MODE_MATRIX, BLOCK_MODE_VECTOR };
enum class DeqScale : uint8_t { DEQ_NONE = 0, DEQ, VDEQ, DEQ8, VDEQ8, DEQ16, VDEQ16 };
enum class pad_t : uint8_t {
    PAD_NONE = 0, PAD_MODE1, PAD_MODE2, PAD_MODE3, PAD_MODE4, PAD_MODE5, PAD_MODE6, PAD_MODE7, PAD_MODE8
};
enum class KernelMode : uint8_t { AIV_MODE = 0, AIC_MODE, MIX_MODE };

template <typename A, typename B>
struct IsSameType : std::is_same<A, B> {};

template <bool B, typename T, typename F>
struct Conditional : std::conditional<B, T, F> {};
template <bool B, typename T = void>
struct EnableIf : std::enable_if<B, T> {};

constexpr int32_t K_MAX_DIM = 8;
constexpr int32_t K_MAX_SHAPE_DIM = 8;
constexpr int32_t DEFAULT_BLK_NUM = 8;
constexpr uint64_t MASK_PLACEHOLDER = 0;
constexpr uint64_t MASK_PLACEHOLDER_LIST[2] = {0, 0};
constexpr uint32_t ONE_BLK_SIZE = 32;
constexpr int32_t DEFAULT_C0_SIZE = 32;

struct ShapeInfo {
    ShapeInfo() = default;
    ShapeInfo(const uint8_t dims, const uint32_t inputShape[], const DataFormat format = DataFormat::ND)
        : ShapeInfo(dims, inputShape, dims, inputShape, format)
    {}
    ShapeInfo(const uint8_t dims, const uint32_t inputShape[], const uint8_t originalDims,
        const uint32_t inputOriginalShape[], const DataFormat format)
        : shapeDim(dims), originalShapeDim(originalDims), dataFormat(format)
    {
        for (int k = 0; k < 8; ++k) {
            shape[k] = k < dims ? inputShape[k] : 0;
            originalShape[k] = k < originalDims ? inputOriginalShape[k] : 0;
        }
    }
    uint8_t shapeDim = 0;
    uint8_t originalShapeDim = 0;
    uint32_t shape[8] = {};
    uint32_t originalShape[8] = {};
    DataFormat dataFormat = DataFormat::ND;
};

inline int GetShapeSize(const ShapeInfo& info)
{
    int size = 1;
    for (int k = 0; k < info.shapeDim; ++k) {
        size *= static_cast<int>(info.shape[k]);
    }
    return size;
}

struct SliceInfo {
    SliceInfo() = default;
    SliceInfo(uint32_t start, uint32_t end, uint32_t stride, uint32_t burst, uint32_t shape = 0)
        : startIndex(start), endIndex(end), stride(stride), burstLen(burst), shapeValue(shape)
    {}
    uint32_t startIndex = 0, endIndex = 0, stride = 0, burstLen = 0, shapeValue = 0;
};

// Strides of an instruction, in blocks of 32 B.
struct BinaryRepeatParams {
    BinaryRepeatParams() = default;
    BinaryRepeatParams(uint8_t dstBlk, uint8_t src0Blk, uint8_t src1Blk, uint8_t dstRep, uint8_t src0Rep, uint8_t src1Rep)
        : dstBlkStride(dstBlk), src0BlkStride(src0Blk), src1BlkStride(src1Blk), dstRepStride(dstRep),
          src0RepStride(src0Rep), src1RepStride(src1Rep)
    {}
    uint32_t blockNumber = DEFAULT_BLK_NUM;
    uint8_t dstBlkStride = 1, src0BlkStride = 1, src1BlkStride = 1;
    uint8_t dstRepStride = 8, src0RepStride = 8, src1RepStride = 8;
    bool repeatStrideMode = false, strideSizeMode = false;
};

struct UnaryRepeatParams {
    UnaryRepeatParams() = default;
    UnaryRepeatParams(uint16_t dstBlk, uint16_t srcBlk, uint8_t dstRep, uint8_t srcRep)
        : dstBlkStride(dstBlk), srcBlkStride(srcBlk), dstRepStride(dstRep), srcRepStride(srcRep)
    {}
    UnaryRepeatParams(uint16_t dstBlk, uint16_t srcBlk, uint8_t dstRep, uint8_t srcRep, bool half)
        : dstBlkStride(dstBlk), srcBlkStride(srcBlk), dstRepStride(dstRep), srcRepStride(srcRep), halfBlock(half)
    {}
    uint32_t blockNumber = DEFAULT_BLK_NUM;
    uint16_t dstBlkStride = 1, srcBlkStride = 1;
    uint8_t dstRepStride = 8, srcRepStride = 8;
    bool repeatStrideMode = false, strideSizeMode = false, halfBlock = false;
};

struct CopyRepeatParams {
    CopyRepeatParams() = default;
    CopyRepeatParams(uint16_t dst, uint16_t src, uint16_t dstRep, uint16_t srcRep)
        : dstStride(dst), srcStride(src), dstRepeatSize(dstRep), srcRepeatSize(srcRep)
    {}
    uint16_t dstStride = 1, srcStride = 1, dstRepeatSize = 8, srcRepeatSize = 8;
};

struct BrcbRepeatParams {
    BrcbRepeatParams() = default;
    BrcbRepeatParams(uint16_t dstBlk, uint16_t dstRep) : dstRepStride(dstRep), dstBlkStride(dstBlk) {}
    uint32_t blockNumber = DEFAULT_BLK_NUM;
    uint16_t dstRepStride = 8, dstBlkStride = 1;
    uint8_t src0BlkStride = 1, src1BlkStride = 1, src0RepStride = 8, src1RepStride = 8;
    bool repeatStrideMode = false, strideSizeMode = false;
};

struct GatherRepeatParams {
    GatherRepeatParams() = default;
    GatherRepeatParams(uint8_t dstBlk, uint8_t dstRep) : dstRepStride(dstRep), dstBlkStride(dstBlk) {}
    uint32_t blockNumber = DEFAULT_BLK_NUM;
    uint16_t dstRepStride = 8;
    uint8_t dstBlkStride = 1, src0BlkStride = 1, src1BlkStride = 1, src0RepStride = 8, src1RepStride = 8;
    bool repeatStrideMode = false, strideSizeMode = false;
};

enum class GatherMaskMode : uint8_t { VERSION_V1 = 0, VERSION_V2 = 1 };
constexpr GatherMaskMode defaultGahterMaskMode = GatherMaskMode::VERSION_V2;
constexpr GatherMaskMode defaultGatherMaskMode = GatherMaskMode::VERSION_V2;

struct GatherMaskParams {
    GatherMaskParams() = default;
    GatherMaskParams(uint8_t src0Blk, uint16_t repeat, uint16_t src0Rep, uint8_t src1Rep)
        : src0BlockStride(src0Blk), repeatTimes(repeat), src0RepeatStride(src0Rep), src1RepeatStride(src1Rep)
    {}
    uint8_t src0BlockStride = 1;
    uint16_t repeatTimes = 0;
    uint16_t src0RepeatStride = 8;
    uint8_t src1RepeatStride = 8;
};

struct DataCopyParams {
    DataCopyParams() {}
    DataCopyParams(uint16_t count, uint16_t len, uint16_t srcStrideIn, uint16_t dstStrideIn)
        : blockCount(count), blockLen(len), srcStride(srcStrideIn), dstStride(dstStrideIn)
    {}
    uint16_t blockCount = 1;
    uint16_t blockLen = 0;
    union {
        uint16_t srcGap = 0;
        uint16_t srcStride;
    };
    union {
        uint16_t dstGap = 0;
        uint16_t dstStride;
    };
};

struct DataCopyExtParams {
    DataCopyExtParams() = default;
    DataCopyExtParams(uint16_t count, uint32_t len, uint32_t srcStrideIn, uint32_t dstStrideIn, uint32_t rsvIn)
        : blockCount(count), blockLen(len), srcStride(srcStrideIn), dstStride(dstStrideIn), rsv(rsvIn)
    {}
    uint16_t blockCount = 1;
    uint32_t blockLen = 0, srcStride = 0, dstStride = 0, rsv = 0;
};

struct DataCopyPadParams {
    DataCopyPadParams() = default;
    DataCopyPadParams(bool pad, uint8_t left, uint8_t right, uint64_t value)
        : isPad(pad), leftPadding(left), rightPadding(right), paddingValue(value)
    {}
    bool isPad = false;
    uint8_t leftPadding = 0, rightPadding = 0;
    uint64_t paddingValue = 0;
};

template <typename T>
struct DataCopyPadExtParams {
    DataCopyPadExtParams() = default;
    DataCopyPadExtParams(bool pad, uint8_t left, uint8_t right, T value)
        : isPad(pad), leftPadding(left), rightPadding(right), paddingValue(value)
    {}
    bool isPad = false;
    uint8_t leftPadding = 0, rightPadding = 0;
    T paddingValue = T(0);
};

struct DataCopyEnhancedParams {
    DataCopyEnhancedParams() = default;
    DataCopyEnhancedParams(BlockMode block, DeqScale deq, uint64_t deqValueIn, uint8_t sid, bool relu, pad_t pad, uint64_t value)
        : blockMode(block), deqScale(deq), deqValue(deqValueIn), sidStoreMode(sid), isRelu(relu), padMode(pad),
          padValue(value)
    {}
    BlockMode blockMode = BlockMode::BLOCK_MODE_NORMAL;
    DeqScale deqScale = DeqScale::DEQ_NONE;
    uint64_t deqValue = 0;
    uint8_t sidStoreMode = 0;
    bool isRelu = false;
    pad_t padMode = pad_t::PAD_NONE;
    uint64_t padValue = 0, deqTensorAddr = 0;
};

struct Nd2NzParams {
    Nd2NzParams() = default;
    Nd2NzParams(uint16_t nd, uint16_t n, uint16_t d, uint16_t srcNd, uint16_t srcD, uint16_t c0, uint16_t nz, uint16_t matrix)
        : ndNum(nd), nValue(n), dValue(d), srcNdMatrixStride(srcNd), srcDValue(srcD), dstNzC0Stride(c0),
          dstNzNStride(nz), dstNzMatrixStride(matrix)
    {}
    uint16_t ndNum = 0, nValue = 0, dValue = 0, srcNdMatrixStride = 0, srcDValue = 0, dstNzC0Stride = 0,
             dstNzNStride = 0, dstNzMatrixStride = 0;
};

struct Nz2NdParamsFull {
    Nz2NdParamsFull() = default;
    Nz2NdParamsFull(uint16_t nd, uint16_t n, uint16_t d, uint16_t srcNd, uint16_t srcN, uint16_t dstD, uint16_t dstNd)
        : ndNum(nd), nValue(n), dValue(d), srcNdMatrixStride(srcNd), srcNStride(srcN), dstDStride(dstD),
          dstNdMatrixStride(dstNd)
    {}
    uint16_t ndNum = 1, nValue = 0, dValue = 0, srcNdMatrixStride = 1, srcNStride = 0, dstDStride = 0,
             dstNdMatrixStride = 1;
};

enum class TransposeType : uint8_t {
    TRANSPOSE_TYPE_NONE, TRANSPOSE_NZ2ND_0213, TRANSPOSE_NZ2NZ_0213, TRANSPOSE_NZ2NZ_012_WITH_N,
    TRANSPOSE_NZ2ND_012_WITH_N, TRANSPOSE_NZ2ND_012_WITHOUT_N, TRANSPOSE_NZ2NZ_012_WITHOUT_N, TRANSPOSE_ND2ND_ONLY,
    TRANSPOSE_ND_UB_GM, TRANSPOSE_GRAD_ND_UB_GM, TRANSPOSE_ND2ND_B16, TRANSPOSE_NCHW2NHWC, TRANSPOSE_NHWC2NCHW,
    TRANSPOSE_ND2ND_021, TRANSPOSE_ND2ND_102, TRANSPOSE_ND2ND_210, TRANSPOSE_ND2NZ_WITH_INTLV
};

struct TransposeParamsExt {
    TransposeParamsExt() = default;
    TransposeParamsExt(uint16_t n, uint16_t c, uint16_t h, uint16_t w, TransposeType type)
        : nSize(n), cSize(c), hSize(h), wSize(w), transposeType(type)
    {}
    uint16_t nSize = 0, cSize = 0, hSize = 0, wSize = 0;
    TransposeType transposeType = TransposeType::TRANSPOSE_ND2ND_B16;
};

struct TransDataTo5HDParams {
    TransDataTo5HDParams() = default;
    TransDataTo5HDParams(bool dstHigh, bool srcHigh, uint8_t repeat, uint16_t dstRep, uint16_t srcRep)
        : dstHighHalf(dstHigh), srcHighHalf(srcHigh), repeatTimes(repeat), dstRepStride(dstRep), srcRepStride(srcRep)
    {}
    bool dstHighHalf = false, srcHighHalf = false;
    uint8_t repeatTimes = 1;
    uint16_t dstRepStride = 0, srcRepStride = 0;
};

struct VdeqInfo {
    VdeqInfo() = default;
    VdeqInfo(const float scale[16], const int16_t offset[16], const bool sign[16])
    {
        for (int k = 0; k < 16; ++k) {
            vdeqScale[k] = scale[k];
            vdeqOffset[k] = offset[k];
            vdeqSignMode[k] = sign[k];
        }
    }
    float vdeqScale[16] = {};
    int16_t vdeqOffset[16] = {};
    bool vdeqSignMode[16] = {};
};

struct MrgSort4Info {
    MrgSort4Info() = default;
    MrgSort4Info(const uint16_t lengths[4], bool suspension, uint16_t valid, uint16_t repeat)
        : ifExhaustedSuspension(suspension), validBit(valid), repeatTimes(static_cast<uint8_t>(repeat))
    {
        for (int k = 0; k < 4; ++k) {
            elementLengths[k] = lengths[k];
        }
    }
    uint16_t elementLengths[4] = {};
    bool ifExhaustedSuspension = false;
    uint16_t validBit = 0;
    uint8_t repeatTimes = 1;
};

} // namespace AscendC

namespace al {

template <typename T, typename = void>
struct HasLiteType : std::false_type {};
template <typename T>
struct HasLiteType<T, std::void_t<typename T::LiteType>> : std::true_type {};

template <typename T>
constexpr uint8_t DtypeOf()
{
    if constexpr (std::is_same_v<T, half>) {
        return FLOAT16;
    } else if constexpr (std::is_same_v<T, bfloat16_t>) {
        return BFLOAT16;
    } else if constexpr (std::is_same_v<T, float>) {
        return FLOAT32;
    } else if constexpr (std::is_same_v<T, double>) {
        return FLOAT64;
    } else if constexpr (std::is_same_v<T, bool>) {
        return UINT8;
    } else if constexpr (std::is_integral_v<T> && sizeof(T) == 1) {
        return std::is_signed_v<T> ? INT8 : UINT8;
    } else if constexpr (std::is_integral_v<T> && sizeof(T) == 2) {
        return std::is_signed_v<T> ? INT16 : UINT16;
    } else if constexpr (std::is_integral_v<T> && sizeof(T) == 4) {
        return std::is_signed_v<T> ? INT32 : UINT32;
    } else if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
        return std::is_signed_v<T> ? INT64 : UINT64;
    } else if constexpr (HasLiteType<T>::value) { // TensorTrait
        return DtypeOf<typename T::LiteType>();
    } else {
        return NO_DTYPE; // an instruction that carries it is not modelled
    }
}

template <typename T>
constexpr bool IsFloat = std::is_floating_point_v<T> || std::is_same_v<T, half> || std::is_same_v<T, bfloat16_t>;

constexpr uint32_t SizeOf[] = {1, 1, 2, 2, 2, 2, 4, 4, 4, 8, 8, 8, 1};

// Which memory a position lies in. asc-devkit: docs/zh/api/SIMD-API/通用说明和约束.md
inline uint8_t SpaceOf(AscendC::TPosition pos)
{
    using P = AscendC::TPosition;
    switch (pos) {
        case P::GM: return GM;
        case P::A1: case P::B1: case P::TSCM: return L1;
        case P::A2: return L0A;
        case P::B2: return L0B;
        case P::CO1: return L0C;
        case P::C1: return chip.fused ? UB : L1;
        case P::C2: return chip.fused ? L0C : BT;
        case P::CO2: return chip.fused ? UB : GM;
        case P::SPM: return L1;
        case P::C2PIPE2GM: return FB;
        default: return UB;
    }
}

// The pipes of an event: who raises the flag, who waits.
struct Ends {
    Pipe src, dst;
};
Ends EndsOf(AscendC::HardEvent event);
const char* NameOf(AscendC::HardEvent event);

} // namespace al
