// The library's side on the host: shapes, sizes of temporary buffers, tiling structures.
// asc-devkit: docs/zh/api/SIMD-API/高阶API, the pages of each function's tiling.
#pragma once
#include "ascend_lab/api/library_rows.h"
#include "ascend_lab/library_host_absent.h"
#include "ascend_lab/library_tiling.h"
#include "ascend_lab/op/tiling_data.h"
#include "tiling/platform/platform_ascendc.h"

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <type_traits>
#include <vector>

namespace optiling {
#define AL_CLASS(Name, FIELDS)   \
    BEGIN_TILING_DATA_DEF(Name)  \
    FIELDS(TILING_DATA_FIELD_DEF) \
    END_TILING_DATA_DEF;
AL_TILINGS(AL_CLASS)
#undef AL_CLASS
} // namespace optiling

// A field of a tiling structure: of the host's class or of the kernel's plain structure.
#define AL_PUT(tiling, field, value)                                              \
    do {                                                                         \
        if constexpr (std::is_aggregate_v<std::decay_t<decltype(tiling)>>) {      \
            (tiling).field = (value);                                            \
        } else {                                                                 \
            (tiling).set_##field(value);                                         \
        }                                                                        \
    } while (0)

namespace AscendC {

// A shape as the functions of the library take it; a gert::Shape will do as well.
class TensorShape {
public:
    TensorShape() = default;
    TensorShape(std::initializer_list<int64_t> dims) : dims_(dims) {}
    TensorShape(const std::vector<int64_t>& dims) : dims_(dims) {}
    template <typename S, typename = decltype(std::declval<const S&>().GetDimNum()),
        typename = std::enable_if_t<!std::is_same_v<std::decay_t<S>, TensorShape>>>
    TensorShape(const S& shape)
    {
        for (size_t k = 0; k < shape.GetDimNum(); ++k) {
            dims_.push_back(shape.GetDim(k));
        }
    }
    size_t GetDimNum() const { return dims_.size(); }
    int64_t GetDim(size_t index) const { return index < dims_.size() ? dims_[index] : 0; }
    bool SetDim(size_t index, int64_t value)
    {
        if (index >= dims_.size()) {
            return false;
        }
        dims_[index] = value;
        return true;
    }
    std::vector<int64_t> GetDims() const { return dims_; }
    int64_t GetShapeSize() const
    {
        int64_t size = dims_.empty() ? 0 : 1;
        for (int64_t dim : dims_) {
            size *= dim;
        }
        return size;
    }

private:
    std::vector<int64_t> dims_;
};

} // namespace AscendC

namespace ge {
using Shape = ::AscendC::TensorShape; // asc-devkit: docs/zh/api/SIMD-API/高阶API/数据结构/TensorShape.md
}

namespace al {

inline uint32_t LastOf(const AscendC::TensorShape& shape)
{
    return shape.GetDimNum() ? static_cast<uint32_t>(shape.GetDim(shape.GetDimNum() - 1)) : 0;
}
inline uint32_t RowsOf(const AscendC::TensorShape& shape)
{
    const uint32_t last = LastOf(shape);
    return last ? static_cast<uint32_t>(shape.GetShapeSize() / last) : 0;
}
inline uint32_t Up32(uint64_t bytes) { return static_cast<uint32_t>((bytes + 31) / 32 * 32); }

// `units` times 256 B at least; `units` times the whole source at most.
inline void Range(const AscendC::TensorShape& shape, uint32_t type_size, uint32_t units, uint32_t& most, uint32_t& least)
{
    least = units * 256;
    const uint64_t bytes = static_cast<uint64_t>(shape.GetShapeSize()) * type_size;
    most = std::max(least, static_cast<uint32_t>((bytes + 255) / 256 * 256 * units));
}

// The least buffer that holds one row: the block of a maximum, the row, and one basic block, in float.
inline uint32_t SoftmaxRow(const AscendC::TensorShape& shape, uint32_t type_size)
{
    return 32 / type_size + LastOf(shape) + 64;
}

template <typename Tiling>
void TileSoftmax(const AscendC::TensorShape& shape, uint32_t type_size, uint32_t work, Tiling& tiling)
{
    const uint32_t rows = RowsOf(shape), columns = LastOf(shape), block = 32 / type_size;
    uint32_t at_once = std::min(work / 4 / SoftmaxRow(shape, type_size), rows);
    if (at_once < rows && at_once > 8) {
        at_once = at_once / 8 * 8;
    }
    at_once = std::max(at_once, 1u);
    AL_PUT(tiling, srcM, rows);
    AL_PUT(tiling, srcK, columns);
    AL_PUT(tiling, srcSize, rows * columns);
    AL_PUT(tiling, outMaxM, rows);
    AL_PUT(tiling, outMaxK, block);
    AL_PUT(tiling, outMaxSize, rows * block);
    AL_PUT(tiling, splitM, at_once);
    AL_PUT(tiling, splitK, columns);
    AL_PUT(tiling, splitSize, at_once * columns);
    AL_PUT(tiling, reduceM, at_once);
    AL_PUT(tiling, reduceK, block);
    AL_PUT(tiling, reduceSize, at_once * block);
    AL_PUT(tiling, rangeM, rows / at_once);
    AL_PUT(tiling, tailM, rows % at_once);
    AL_PUT(tiling, tailSplitSize, rows % at_once * columns);
    AL_PUT(tiling, tailReduceSize, rows % at_once * block);
}

template <typename Tiling>
void TileRows(const AscendC::TensorShape& shape, Tiling& tiling)
{
    AL_PUT(tiling, bLength, static_cast<uint32_t>(shape.GetDim(0)));
    AL_PUT(tiling, sLength, static_cast<uint32_t>(shape.GetDim(1)));
    AL_PUT(tiling, hLength, static_cast<uint32_t>(shape.GetDim(2)));
    AL_PUT(tiling, originalHLength, static_cast<uint32_t>(shape.GetDim(3)));
}

} // namespace al

namespace AscendC {

inline uint32_t GetSoftMaxMinTmpSize(const TensorShape& srcShape, const uint32_t dataTypeSize, const bool)
{
    return al::SoftmaxRow(srcShape, dataTypeSize) * 4;
}
inline uint32_t GetSoftMaxMaxTmpSize(const TensorShape& srcShape, const uint32_t dataTypeSize, const bool)
{
    return al::RowsOf(srcShape) * al::SoftmaxRow(srcShape, dataTypeSize) * 4;
}
// Whole rows of 64 elements and more, without a rest. asc-devkit: .../激活函数/SoftMax接口/IsBasicBlockInSoftMax.md, SoftMax.md
inline bool IsBasicBlockInSoftMax(const tiling::SoftMaxTiling& tiling, const uint32_t dataTypeSize = 2)
{
    return dataTypeSize != 0 && tiling.tailM == 0 && tiling.srcK >= 256 / dataTypeSize && tiling.srcK < 2048 && tiling.srcK % 64 == 0;
}
template <typename Tiling, typename = decltype(std::declval<Tiling&>().get_srcK())>
bool IsBasicBlockInSoftMax(Tiling& tiling, const uint32_t dataTypeSize = 2) // the tiling of an operator project
{
    tiling::SoftMaxTiling plain{};
    plain.srcK = tiling.get_srcK();
    plain.tailM = tiling.get_tailM();
    return IsBasicBlockInSoftMax(static_cast<const tiling::SoftMaxTiling&>(plain), dataTypeSize);
}
template <typename Tiling>
void SoftMaxTilingFunc(const TensorShape& srcShape, const uint32_t dataTypeSize, const uint32_t localWorkSpaceSize,
    Tiling& softmaxTiling)
{
    al::TileSoftmax(srcShape, dataTypeSize, localWorkSpaceSize, softmaxTiling);
}
inline uint32_t GetLogSoftMaxMinTmpSize(const TensorShape& srcShape, const uint32_t dataTypeSize, const bool reuse)
{
    return GetSoftMaxMinTmpSize(srcShape, dataTypeSize, reuse);
}
inline uint32_t GetLogSoftMaxMaxTmpSize(const TensorShape& srcShape, const uint32_t dataTypeSize, const bool reuse)
{
    return GetSoftMaxMaxTmpSize(srcShape, dataTypeSize, reuse);
}
template <typename Tiling>
void LogSoftMaxTilingFunc(const TensorShape& srcShape, const uint32_t dataTypeSize, const uint32_t localWorkSpaceSize,
    Tiling& softmaxTiling)
{
    al::TileSoftmax(srcShape, dataTypeSize, localWorkSpaceSize, softmaxTiling);
}

// Shapes are [b, s, h as stored, h as counted].
inline void GetLayerNormMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, const bool isReuseSource,
    uint32_t& maxValue, uint32_t& minValue)
{
    const uint32_t rows = static_cast<uint32_t>(srcShape.GetDim(0) * srcShape.GetDim(1));
    const uint32_t row = static_cast<uint32_t>(srcShape.GetDim(2)), buffers = isReuseSource && typeSize == 4 ? 2 : 3;
    const uint32_t means = 2 * al::Up32(static_cast<uint64_t>(rows) * 4);
    maxValue = buffers * al::Up32(static_cast<uint64_t>(rows) * row * 4) + means;
    minValue = buffers * al::Up32(static_cast<uint64_t>(row) * 4) + means;
}
template <typename Tiling>
void GetLayerNormNDTilingInfo(const TensorShape& srcShape, const uint32_t stackBufferSize, const uint32_t typeSize,
    const bool isReuseSource, Tiling& tiling)
{
    al::TileRows(srcShape, tiling);
    const uint32_t rows = static_cast<uint32_t>(srcShape.GetDim(0) * srcShape.GetDim(1));
    AL_PUT(tiling, inputXSize, rows * static_cast<uint32_t>(srcShape.GetDim(2)));
    AL_PUT(tiling, meanVarSize, rows);
    AL_PUT(tiling, numberOfTmpBuf, isReuseSource && typeSize == 4 ? 2 : 3);
    AL_PUT(tiling, tmpBufSize, stackBufferSize / 4);
    AL_PUT(tiling, lastDimValueBack, 1.0f / static_cast<float>(srcShape.GetDim(3)));
}
inline void GetLayerNormGradMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, const bool isReuseSource,
    uint32_t& maxValue, uint32_t& minValue)
{
    const uint64_t row = static_cast<uint64_t>(srcShape.GetDim(2));
    const uint64_t whole = static_cast<uint64_t>(srcShape.GetDim(0) * srcShape.GetDim(1)) * row;
    const uint64_t buffers = typeSize == 2 ? 9 : (isReuseSource ? 4 : 6);
    maxValue = static_cast<uint32_t>(buffers * std::max(whole, row * row) * typeSize);
    minValue = static_cast<uint32_t>(buffers * std::min(whole, row * row) * typeSize);
}
template <typename Tiling>
void GetLayerNormGradNDTilingInfo(const TensorShape srcShape, const uint32_t stackBufferSize, const uint32_t,
    const bool, Tiling& tiling)
{
    al::TileRows(srcShape, tiling);
    AL_PUT(tiling, stackBufferSize, stackBufferSize / 4);
    const float back = 1.0f / static_cast<float>(srcShape.GetDim(3));
    AL_PUT(tiling, lastDimValueBack, al::BitsOf(back));
    AL_PUT(tiling, lastDimValueBackMulTwo, al::BitsOf(2.0f * back));
}
inline void GetLayerNormGradBetaMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, const bool,
    uint32_t& maxValue, uint32_t& minValue)
{
    const uint64_t row = static_cast<uint64_t>(srcShape.GetDim(2));
    const uint64_t rows = static_cast<uint64_t>(srcShape.GetDim(0) * srcShape.GetDim(1));
    maxValue = typeSize == 2 ? static_cast<uint32_t>(4 * rows * row * 4) : 0;
    minValue = typeSize == 2 ? static_cast<uint32_t>(4 * row * 4) : 0;
}
template <typename Tiling>
void GetLayerNormGradBetaNDTilingInfo(const TensorShape srcShape, const uint32_t stackBufferSize, const uint32_t,
    const bool, Tiling& tiling)
{
    al::TileRows(srcShape, tiling);
    const uint32_t rows = static_cast<uint32_t>(srcShape.GetDim(0) * srcShape.GetDim(1));
    AL_PUT(tiling, stackBufferSize, stackBufferSize / 4);
    AL_PUT(tiling, bsLength, rows);
    AL_PUT(tiling, bshLength, rows * static_cast<uint32_t>(srcShape.GetDim(2)));
}
inline bool GetRmsNormMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, uint32_t& maxValue,
    uint32_t& minValue, const bool = false)
{
    const uint32_t rows = static_cast<uint32_t>(srcShape.GetDim(0) * srcShape.GetDim(1));
    const uint32_t row = static_cast<uint32_t>(srcShape.GetDim(2)) * (typeSize == 2 ? 2 : 1);
    minValue = (row + 8) * 4;
    maxValue = (rows * row + (rows + 7) / 8 * 8) * 4;
    return true;
}
template <typename Tiling>
bool GetRmsNormTilingInfo(const TensorShape& srcShape, const TensorShape& originSrcShape,
    const uint32_t stackBufferByteSize, const uint32_t typeSize, Tiling& tiling, const bool = false)
{
    const uint32_t origin = static_cast<uint32_t>(originSrcShape.GetDim(2));
    AL_PUT(tiling, bLength, static_cast<uint32_t>(srcShape.GetDim(0)));
    AL_PUT(tiling, sLength, static_cast<uint32_t>(srcShape.GetDim(1)));
    AL_PUT(tiling, hLength, static_cast<uint32_t>(srcShape.GetDim(2)));
    AL_PUT(tiling, originalHLength, origin);
    AL_PUT(tiling, reciprocalOfHLength, 1.0f / static_cast<float>(origin));
    uint32_t most = 0, least = 0;
    GetRmsNormMaxMinTmpSize(srcShape, typeSize, most, least);
    return stackBufferByteSize >= least;
}
inline void GetSumMaxMinTmpSize(const uint32_t n, const uint32_t typeSize, const bool, uint32_t& maxSize, uint32_t& minSize)
{
    const uint32_t repeats = (n * typeSize + 255) / 256;
    maxSize = minSize = al::Up32(static_cast<uint64_t>(repeats) * typeSize);
}

#define AL_RANGE(NAME, HALF, FLOAT, REUSING)                                                                          \
    inline void Get##NAME##MaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, const bool isReuseSource, \
        uint32_t& maxValue, uint32_t& minValue)                                                                       \
    {                                                                                                                 \
        al::Range(srcShape, typeSize, typeSize == 4 ? (isReuseSource ? REUSING : FLOAT) : HALF, maxValue, minValue);   \
    }                                                                                                                 \
    inline void Get##NAME##TmpBufferFactorSize(const uint32_t typeSize, uint32_t& maxLiveNodeCount, uint32_t& extraBuf) \
    {                                                                                                                 \
        maxLiveNodeCount = typeSize == 4 ? FLOAT : HALF; /* as many times what is computed at once */                  \
        extraBuf = 0;                                                                                                  \
    }
AL_RANGE(Acos, 6, 2, 2)
AL_RANGE(Acosh, 2, 1, 1)
AL_RANGE(Asin, 6, 2, 2)
AL_RANGE(Asinh, 3, 3, 3)
AL_RANGE(Atan, 12, 5, 5)
AL_RANGE(Atanh, 4, 1, 1)
AL_RANGE(Axpy, 4, 1, 1)
AL_RANGE(Ceil, 2, 1, 1)
AL_RANGE(Cos, 8, 3, 2)
AL_RANGE(Cosh, 6, 2, 2)
AL_RANGE(Digamma, 16, 7, 6)
AL_RANGE(Erf, 8, 3, 3)
AL_RANGE(Erfc, 16, 7, 7)
AL_RANGE(Exp, 4, 3, 2)
AL_RANGE(Floor, 2, 0, 0)
AL_RANGE(Frac, 4, 0, 0)
AL_RANGE(Lgamma, 26, 8, 7)
AL_RANGE(Log, 0, 0, 0)
AL_RANGE(Sigmoid, 1, 1, 1)
AL_RANGE(Sign, 3, 3, 3)
AL_RANGE(Sin, 8, 3, 2)
AL_RANGE(Sinh, 4, 1, 1)
AL_RANGE(Tan, 10, 4, 4)
AL_RANGE(Tanh, 4, 1, 1)
AL_RANGE(Trunc, 2, 1, 1)
AL_RANGE(Xor, 1, 1, 1)
#undef AL_RANGE
inline void GetGeluMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, uint32_t& maxValue, uint32_t& minValue)
{
    al::Range(srcShape, typeSize, 3, maxValue, minValue);
}
inline uint32_t GetGeluMinTmpSize(const TensorShape&, const uint32_t) { return 3 * 256; }
inline uint32_t GetGeluMaxTmpSize(const TensorShape& srcShape, const uint32_t typeSize)
{
    uint32_t most = 0, least = 0;
    al::Range(srcShape, typeSize, 3, most, least);
    return most;
}
inline void GetPowerMaxMinTmpSize(const TensorShape& srcShape1, const TensorShape& srcShape2, const bool typeIsInt,
    const uint32_t typeSize, const bool, uint32_t& maxValue, uint32_t& minValue)
{
    const bool tensors = srcShape1.GetShapeSize() > 1 && srcShape2.GetShapeSize() > 1;
    const uint32_t fused = al::chip.fused ? 1 : 0;
    const uint32_t units = typeSize == 2 ? 8 + fused : (typeIsInt ? 6 : 5) + fused + (tensors ? 0 : 1);
    al::Range(srcShape1.GetShapeSize() > 1 ? srcShape1 : srcShape2, typeSize, units, maxValue, minValue);
}
inline void GetAscendQuantMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, uint32_t& maxValue, uint32_t& minValue)
{
    minValue = 512;
    maxValue = std::max<uint32_t>(512, al::Up32(static_cast<uint64_t>(srcShape.GetShapeSize()) * typeSize));
}
inline void GetAscendDequantMaxMinTmpSize(const TensorShape& srcShape, const uint32_t, uint32_t& maxValue, uint32_t& minValue)
{
    minValue = 2 * al::Up32(static_cast<uint64_t>(al::LastOf(srcShape)) * 4) + 64;
    maxValue = std::max<uint32_t>(minValue, al::Up32(static_cast<uint64_t>(srcShape.GetShapeSize()) * 4) + minValue);
}

inline void GetSwishTmpSize(const TensorShape&, const uint32_t, const bool, uint32_t& maxValue, uint32_t& minValue)
{
    maxValue = minValue = 0;
}
inline void GetSiluTmpSize(const TensorShape&, const uint32_t, const bool, uint32_t& maxValue, uint32_t& minValue)
{
    maxValue = minValue = 0;
}
inline void GetRoundMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, const bool, uint32_t& maxValue, uint32_t& minValue)
{
    const uint32_t units = typeSize == 4 ? (al::chip.fused ? 1 : 0) : (al::chip.fused ? 2 : 1);
    al::Range(srcShape, typeSize, units, maxValue, minValue);
}
inline void GetBroadCastMaxMinTmpSize(const platform_ascendc::PlatformAscendC&, const TensorShape& srcShape,
    const TensorShape& dstShape, uint32_t typeSize, const bool, uint32_t& maxValue, uint32_t& minValue)
{
    uint32_t from[2] = {1, 1}, to[2] = {1, 1};
    const int rank = static_cast<int>(srcShape.GetDimNum());
    if (rank < 1 || rank > 2 || dstShape.GetDimNum() != srcShape.GetDimNum()) {
        al::NotModelled("GetBroadCastMaxMinTmpSize", "more than two dimensions");
    }
    for (int k = 0; k < rank; ++k) {
        from[k] = static_cast<uint32_t>(srcShape.GetDim(k));
        to[k] = static_cast<uint32_t>(dstShape.GetDim(k));
    }
    minValue = static_cast<uint32_t>(al::BroadcastBytes(to, from, rank, typeSize));
    maxValue = std::max(minValue, al::Up32(static_cast<uint64_t>(dstShape.GetShapeSize()) * typeSize));
}
} // namespace AscendC

#include "ascend_lab/library_host_sort.h"
#include "ascend_lab/library_host_whole.h"
