// The host's half of library_whole.h, library_norms.h and library_reorder.h: sizes of buffers, tiling structures. The
// pages promise no figures for the sizes; these are what one row, or one repeat, of the function needs.
// asc-devkit: docs/zh/api/SIMD-API/高阶API, the pages of each function's tiling.
#pragma once
#include "ascend_lab/api/library_norms.h"
#include "ascend_lab/api/library_reorder.h"
#include "ascend_lab/library_tiling.h"
#include "ascend_lab/op/types.h"

namespace AscendC {

using TensorDataType = ge::DataType;

} // namespace AscendC

namespace al {

inline uint64_t BytesOf(const AscendC::TensorShape& shape, uint64_t type_size)
{
    return static_cast<uint64_t>(shape.GetShapeSize()) * type_size;
}
inline uint32_t SizeOfType(AscendC::TensorDataType type)
{
    switch (type) {
        case ge::DT_INT8: case ge::DT_UINT8: case ge::DT_BOOL: return 1;
        case ge::DT_FLOAT16: case ge::DT_BF16: case ge::DT_INT16: case ge::DT_UINT16: return 2;
        case ge::DT_INT64: case ge::DT_UINT64: case ge::DT_DOUBLE: return 8;
        default: return 4;
    }
}
inline void Between(uint64_t least, uint64_t most, uint32_t& maxValue, uint32_t& minValue)
{
    minValue = Up32(least);
    maxValue = std::max(minValue, Up32(most));
}

// What the seven reductions of a matrix ask for.
inline void ReducedSizes(const AscendC::TensorShape& shape, AscendC::TensorDataType type, AscendC::ReducePattern pattern,
    uint32_t& maxValue, uint32_t& minValue)
{
    const uint64_t rows = pattern == AscendC::ReducePattern::RA ? 0 : RowsOf(shape);
    Between(rows * 32, rows * 32 + (pattern == AscendC::ReducePattern::RA ? BytesOf(shape, SizeOfType(type)) : 0), maxValue, minValue);
}

template <typename Tiling>
void PutTranspose(const AscendC::TensorShape& shape, Tiling& tiling)
{
    const auto dim = [&](size_t k) { return static_cast<uint32_t>(shape.GetDim(k)); };
    AL_PUT(tiling, param0, dim(0));
    AL_PUT(tiling, param1, dim(1));
    AL_PUT(tiling, param2, dim(2));
    AL_PUT(tiling, param3, dim(3));
    AL_PUT(tiling, param4, static_cast<uint32_t>(shape.GetShapeSize()));
    AL_PUT(tiling, param5, 0u);
}

} // namespace al

namespace AscendC {

#define AL_RANGE(NAME, HALF, FLOAT)                                                                                   \
    inline void Get##NAME##MaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, const bool,             \
        uint32_t& maxValue, uint32_t& minValue)                                                                       \
    {                                                                                                                 \
        al::Range(srcShape, typeSize, typeSize == 4 ? FLOAT : HALF, maxValue, minValue);                               \
    }
AL_RANGE(GeGLU, 4, 0)
AL_RANGE(ReGlu, 6, 2)
AL_RANGE(Fmod, 8, 1)
AL_RANGE(Log2, 2, 0)
AL_RANGE(Log10, 0, 0)
AL_RANGE(Clamp, 1, 1)
#undef AL_RANGE
inline void GetSwiGLUMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, uint32_t& maxValue, uint32_t& minValue, const bool)
{
    al::Range(srcShape, typeSize, typeSize == 4 ? 0 : 4, maxValue, minValue);
}
inline void GetArangeMaxMinTmpSize(uint32_t& maxValue, uint32_t& minValue) { maxValue = minValue = 0; }
inline void GetArithProgressionMaxMinTmpSize(uint32_t& maxValue, uint32_t& minValue) { maxValue = minValue = 0; }
inline void GetMeanMaxMinTmpSize(const uint32_t n, const uint32_t srcTypeSize, const uint32_t accTypeSize, const bool,
    uint32_t& maxSize, uint32_t& minSize)
{
    const uint64_t sums = (static_cast<uint64_t>(n) * accTypeSize + 255) / 256 * accTypeSize;
    al::Between(sums, sums + (accTypeSize > srcTypeSize ? static_cast<uint64_t>(n) * accTypeSize : 0), maxSize, minSize);
}
#define AL_REDUCED(NAME)                                                                                              \
    inline void Get##NAME##MaxMinTmpSize(const TensorShape& srcShape, const TensorDataType dataType,                   \
        ReducePattern pattern, bool, bool, uint32_t& maxValue, uint32_t& minValue)                                     \
    {                                                                                                                 \
        al::ReducedSizes(srcShape, dataType, pattern, maxValue, minValue);                                             \
    }
AL_REDUCED(ReduceSum)
AL_REDUCED(ReduceMax)
AL_REDUCED(ReduceMin)
AL_REDUCED(ReduceMean)
AL_REDUCED(ReduceProd)
AL_REDUCED(ReduceAny)
AL_REDUCED(ReduceAll)
#undef AL_REDUCED
inline void GetReduceXorSumMaxMinTmpSize(const TensorShape& srcShape, const uint32_t, const bool, uint32_t& maxValue, uint32_t& minValue)
{
    al::Between(al::BytesOf(srcShape, 4), al::BytesOf(srcShape, 4), maxValue, minValue);
}
inline void GetCumSumMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, const bool, const bool,
    uint32_t& maxValue, uint32_t& minValue)
{
    al::Between(static_cast<uint64_t>(al::LastOf(srcShape)) * 16 * 4 * 2, al::BytesOf(srcShape, typeSize) * 4, maxValue, minValue);
}

inline uint32_t GetDropOutMinTmpSize(const TensorShape&, const uint32_t, const bool) { return 256; }
inline uint32_t GetDropOutMaxTmpSize(const TensorShape& srcShape, const uint32_t, const bool)
{
    return std::max<uint32_t>(256, al::Up32(al::BytesOf(srcShape, 2)));
}
inline void GetDropOutMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, const bool reuse,
    uint32_t& maxValue, uint32_t& minValue)
{
    maxValue = GetDropOutMaxTmpSize(srcShape, typeSize, reuse);
    minValue = GetDropOutMinTmpSize(srcShape, typeSize, reuse);
}
#define AL_SELECT(NAME)                                                                                               \
    inline uint32_t Get##NAME##MinTmpSize(const TensorShape&, const TensorShape&, const uint32_t,                      \
        const TensorShape& maskShape, const uint32_t, const bool)                                                      \
    {                                                                                                                 \
        return al::Up32(static_cast<uint64_t>(al::LastOf(maskShape)) * 2) + 256;                                       \
    }                                                                                                                 \
    inline uint32_t Get##NAME##MaxTmpSize(const TensorShape&, const TensorShape&, const uint32_t,                      \
        const TensorShape& maskShape, const uint32_t, const bool)                                                      \
    {                                                                                                                 \
        return al::Up32(al::BytesOf(maskShape, 2)) + 256;                                                              \
    }                                                                                                                 \
    inline void Get##NAME##MaxMinTmpSize(const TensorShape& src0Shape, const TensorShape& src1Shape,                    \
        const uint32_t srcTypeSize, const TensorShape& maskShape, const uint32_t maskTypeSize, const bool isReuseMask,  \
        uint32_t& maxValue, uint32_t& minValue)                                                                       \
    {                                                                                                                 \
        maxValue = Get##NAME##MaxTmpSize(src0Shape, src1Shape, srcTypeSize, maskShape, maskTypeSize, isReuseMask);      \
        minValue = Get##NAME##MinTmpSize(src0Shape, src1Shape, srcTypeSize, maskShape, maskTypeSize, isReuseMask);      \
    }
AL_SELECT(Select)
AL_SELECT(SelectWithBytesMask)
#undef AL_SELECT

inline uint32_t GetAscendAntiQuantMinTmpSize(const TensorShape& srcShape, const TensorShape& scaleShape, bool isTranspose,
    TensorDataType, TensorDataType outputDataType)
{
    const uint64_t row = isTranspose ? al::LastOf(srcShape) : al::LastOf(scaleShape);
    return al::Up32(row * (outputDataType == ge::DT_BF16 ? 8 : 2)) + 256;
}
inline uint32_t GetAscendAntiQuantMaxTmpSize(const TensorShape& srcShape, const TensorShape& scaleShape, bool isTranspose,
    TensorDataType inputDataType, TensorDataType outputDataType)
{
    return std::max(GetAscendAntiQuantMinTmpSize(srcShape, scaleShape, isTranspose, inputDataType, outputDataType),
        al::Up32(al::BytesOf(srcShape, outputDataType == ge::DT_BF16 ? 8 : 2)));
}
inline void GetAscendAntiQuantMaxMinTmpSize(const TensorShape& srcShape, const TensorShape& scaleShape, bool isTranspose,
    TensorDataType inputDataType, TensorDataType outputDataType, uint32_t& maxValue, uint32_t& minValue)
{
    maxValue = GetAscendAntiQuantMaxTmpSize(srcShape, scaleShape, isTranspose, inputDataType, outputDataType);
    minValue = GetAscendAntiQuantMinTmpSize(srcShape, scaleShape, isTranspose, inputDataType, outputDataType);
}

// --- softmax ---------------------------------------------------------------------------------------------------------

inline uint32_t GetSoftMaxFlashMinTmpSize(const TensorShape& srcShape, const uint32_t dataTypeSize, const bool, const bool)
{
    return al::SoftmaxRow(srcShape, dataTypeSize) * 4;
}
inline uint32_t GetSoftMaxFlashMaxTmpSize(const TensorShape& srcShape, const uint32_t dataTypeSize, const bool, const bool)
{
    return al::RowsOf(srcShape) * al::SoftmaxRow(srcShape, dataTypeSize) * 4;
}
inline uint32_t GetSoftMaxFlashV2MinTmpSize(const TensorShape& srcShape, const uint32_t, const uint32_t dataTypeSize2,
    const bool, const bool = false, const bool = false)
{
    return al::SoftmaxRow(srcShape, dataTypeSize2) * 4;
}
inline uint32_t GetSoftMaxFlashV2MaxTmpSize(const TensorShape& srcShape, const uint32_t, const uint32_t dataTypeSize2,
    const bool, const bool = false, const bool = false)
{
    return al::RowsOf(srcShape) * al::SoftmaxRow(srcShape, dataTypeSize2) * 4;
}
inline void GetSoftMaxFlashV3MaxMinTmpSize(const TensorShape& srcShape, const uint32_t, const uint32_t dataTypeSize2,
    uint32_t& maxValue, uint32_t& minValue, const bool, const bool = false)
{
    minValue = al::SoftmaxRow(srcShape, dataTypeSize2) * 4;
    maxValue = al::RowsOf(srcShape) * minValue;
}
inline uint32_t GetSoftMaxGradMinTmpSize(const TensorShape& srcShape, const uint32_t dataTypeSize, const bool, const bool)
{
    return al::SoftmaxRow(srcShape, dataTypeSize) * 4;
}
inline uint32_t GetSoftMaxGradMaxTmpSize(const TensorShape& srcShape, const uint32_t dataTypeSize, const bool, const bool)
{
    return al::RowsOf(srcShape) * al::SoftmaxRow(srcShape, dataTypeSize) * 4;
}
template <typename Tiling>
void SoftMaxFlashTilingFunc(const TensorShape& srcShape, const uint32_t dataTypeSize, const uint32_t localWorkSpaceSize,
    Tiling& softmaxFlashTiling, const bool = false)
{
    al::TileSoftmax(srcShape, dataTypeSize, localWorkSpaceSize, softmaxFlashTiling);
}
template <typename Tiling>
void SoftMaxFlashV2TilingFunc(const TensorShape& srcShape, const uint32_t, const uint32_t dataTypeSize2,
    const uint32_t localWorkSpaceSize, Tiling& softmaxFlashTiling, const bool, const bool = false, const bool = false)
{
    al::TileSoftmax(srcShape, dataTypeSize2, localWorkSpaceSize, softmaxFlashTiling);
}
template <typename Tiling>
void SoftMaxFlashV3TilingFunc(const TensorShape& srcShape, const uint32_t, const uint32_t dataTypeSize2,
    const uint32_t localWorkSpaceSize, Tiling& softmaxFlashV3Tiling, const bool, const bool = false)
{
    al::TileSoftmax(srcShape, dataTypeSize2, localWorkSpaceSize, softmaxFlashV3Tiling);
}
template <typename Tiling>
void SoftMaxGradTilingFunc(const TensorShape& srcShape, const uint32_t dataTypeSize, const uint32_t localWorkSpaceSize,
    Tiling& softmaxGradTiling, const bool = false)
{
    al::TileSoftmax(srcShape, dataTypeSize, localWorkSpaceSize, softmaxGradTiling);
}

// --- normalisations --------------------------------------------------------------------------------------------------

inline bool GetDeepNormMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, const bool isReuseSource,
    const bool, uint32_t& maxValue, uint32_t& minValue)
{
    GetLayerNormMaxMinTmpSize(srcShape, typeSize, isReuseSource, maxValue, minValue);
    return true;
}
template <typename Tiling>
bool GetDeepNormTilingInfo(const TensorShape& srcShape, const TensorShape& originSrcShape, const uint32_t stackBufferSize,
    const uint32_t typeSize, const bool isReuseSource, const bool, Tiling& tiling)
{
    GetLayerNormNDTilingInfo(TensorShape({srcShape.GetDim(0), srcShape.GetDim(1), srcShape.GetDim(2), originSrcShape.GetDim(2)}),
        stackBufferSize, typeSize, isReuseSource, tiling);
    return true;
}
// Of [a, r]: `isComputeRstd` gives 1 / deviation.
inline void GetLayerNormMaxMinTmpSize(const TensorShape& srcShape, const uint32_t, const bool, const bool, const bool,
    uint32_t& maxValue, uint32_t& minValue)
{
    const uint64_t means = al::Up32(static_cast<uint64_t>(srcShape.GetDim(0)) * 4) * 2ull;
    al::Between(static_cast<uint64_t>(al::LastOf(srcShape)) * 12 + means, al::BytesOf(srcShape, 12) + means, maxValue, minValue);
}
template <typename Tiling>
void GetLayerNormNDTilingInfo(const TensorShape& srcShape, const uint32_t stackBufferSize, const uint32_t, const bool,
    const bool, Tiling& tiling)
{
    AL_PUT(tiling, aLength, static_cast<uint32_t>(srcShape.GetDim(0)));
    AL_PUT(tiling, rLength, static_cast<uint32_t>(srcShape.GetDim(1)));
    AL_PUT(tiling, inputXSize, static_cast<uint32_t>(srcShape.GetShapeSize()));
    AL_PUT(tiling, meanVarSize, static_cast<uint32_t>(srcShape.GetDim(0)));
    AL_PUT(tiling, tmpBufSize, stackBufferSize / 4);
    AL_PUT(tiling, rValueBack, 1.0f / static_cast<float>(srcShape.GetDim(1)));
}
inline void GetNormalizeMaxMinTmpSize(const TensorShape& srcShape, const uint32_t, const uint32_t, const bool, const bool,
    const bool, uint32_t& maxValue, uint32_t& minValue)
{
    const uint64_t factors = al::Up32(static_cast<uint64_t>(srcShape.GetDim(0)) * 4);
    al::Between(static_cast<uint64_t>(al::LastOf(srcShape)) * 8 + factors, al::BytesOf(srcShape, 8) + factors, maxValue, minValue);
}
inline bool GetBatchNormMaxMinTmpSize(const TensorShape& srcShape, const TensorShape&, const uint32_t, const bool,
    uint32_t& maxValue, uint32_t& minValue, const bool = false)
{
    const uint64_t each = static_cast<uint64_t>(srcShape.GetDim(1) * srcShape.GetDim(2));
    al::Between(each * 12, al::BytesOf(srcShape, 4) + each * 12, maxValue, minValue);
    return true;
}
template <typename Tiling>
bool GetBatchNormNDTilingInfo(const TensorShape& srcShape, const TensorShape& originSrcShape,
    const uint32_t stackBufferByteSize, const uint32_t, const bool, Tiling& tilling, const bool = false)
{
    const uint32_t batches = static_cast<uint32_t>(originSrcShape.GetDim(0));
    AL_PUT(tilling, originalBLength, batches);
    AL_PUT(tilling, meanVarSize, static_cast<uint32_t>(srcShape.GetDim(1) * srcShape.GetDim(2)));
    AL_PUT(tilling, tmpBufSize, stackBufferByteSize / 4);
    AL_PUT(tilling, firstDimValueBack, 1.0f / static_cast<float>(batches));
    return true;
}
// Of [n, c, h, w].
inline void GetGroupNormMaxMinTmpSize(const TensorShape& srcShape, const uint32_t, const bool, const uint32_t groupNum,
    uint32_t& maxValue, uint32_t& minValue)
{
    const uint64_t images = static_cast<uint64_t>(srcShape.GetDim(0)) * groupNum;
    const uint64_t group = images ? al::BytesOf(srcShape, 12) / images : 0;
    al::Between(group + 64, al::BytesOf(srcShape, 12) + 64, maxValue, minValue);
}
template <typename Tiling>
void GetGroupNormNDTilingInfo(const TensorShape& srcShape, const uint32_t stackBufferSize, const uint32_t typeSize,
    const bool, const uint32_t groupNum, Tiling& tiling)
{
    const uint32_t n = static_cast<uint32_t>(srcShape.GetDim(0)), c = static_cast<uint32_t>(srcShape.GetDim(1));
    const uint32_t hw = static_cast<uint32_t>(srcShape.GetDim(2) * srcShape.GetDim(3)), d = groupNum ? c / groupNum : 0;
    const uint32_t aligned = al::Up32(static_cast<uint64_t>(hw) * typeSize) / typeSize;
    AL_PUT(tiling, n, n);
    AL_PUT(tiling, c, c);
    AL_PUT(tiling, hw, hw);
    AL_PUT(tiling, g, groupNum);
    AL_PUT(tiling, d, d);
    AL_PUT(tiling, hwAlignSize, aligned);
    AL_PUT(tiling, dhwAlignSize, d * aligned);
    AL_PUT(tiling, inputXSize, n * c * aligned);
    AL_PUT(tiling, meanVarSize, n * groupNum);
    AL_PUT(tiling, tmpBufSize, stackBufferSize / 4);
    AL_PUT(tiling, factor, 1.0f / static_cast<float>(d * hw));
}
inline void GetWelfordUpdateMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSizeT, const uint32_t, const bool,
    const bool, uint32_t& maxValue, uint32_t& minValue)
{
    const uint64_t each = typeSizeT == 2 ? 8 : 4;
    al::Between(256 * each / 4, al::BytesOf(srcShape, each), maxValue, minValue);
}
inline void GetWelfordFinalizeMaxMinTmpSize(const TensorShape& srcShape, const uint32_t, const bool, uint32_t& maxValue, uint32_t& minValue)
{
    al::Between(512, al::BytesOf(srcShape, 8), maxValue, minValue);
}

// --- what moves elements ----------------------------------------------------------------------------------------------

inline void GetPadMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, uint32_t& maxValue, uint32_t& minValue)
{
    al::Between(static_cast<uint64_t>(al::LastOf(srcShape)) * typeSize * 16, al::BytesOf(srcShape, typeSize) * 2, maxValue, minValue);
}
template <typename Tiling>
void PadTilingFunc(const TensorShape srcShape, const TensorShape oriSrcShape, const uint32_t, const uint32_t, Tiling& tiling)
{
    AL_PUT(tiling, srcHeight, static_cast<uint32_t>(srcShape.GetDim(0)));
    AL_PUT(tiling, srcWidth, static_cast<uint32_t>(srcShape.GetDim(1)));
    AL_PUT(tiling, srcOriWidth, static_cast<uint32_t>(oriSrcShape.GetDim(1)));
    AL_PUT(tiling, reserved, 0u);
}
inline void GetUnPadMaxMinTmpSize(const platform_ascendc::PlatformAscendC&, const TensorShape& srcShape,
    const uint32_t typeSize, uint32_t& maxValue, uint32_t& minValue)
{
    GetPadMaxMinTmpSize(srcShape, typeSize, maxValue, minValue);
}
template <typename Tiling>
void UnPadTilingFunc(const TensorShape srcShape, const uint32_t stackBufferSize, const uint32_t typeSize, Tiling& tiling)
{
    PadTilingFunc(srcShape, srcShape, stackBufferSize, typeSize, tiling);
}
inline void GetTransposeMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, const uint32_t, uint32_t& maxValue,
    uint32_t& minValue)
{
    al::Between(16 * 16 * static_cast<uint64_t>(typeSize), al::BytesOf(srcShape, typeSize) * 2, maxValue, minValue);
}
inline void GetConfusionTransposeMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, const uint32_t type,
    uint32_t& maxValue, uint32_t& minValue)
{
    GetTransposeMaxMinTmpSize(srcShape, typeSize, type, maxValue, minValue);
}
template <typename Tiling>
void GetTransposeTilingInfo(const TensorShape& srcShape, const uint32_t, const uint32_t, const uint32_t, Tiling& tiling)
{
    al::PutTranspose(srcShape, tiling);
}
template <typename Tiling>
void GetConfusionTransposeTilingInfo(const TensorShape& srcShape, const uint32_t, const uint32_t, const uint32_t, Tiling& tiling)
{
    al::PutTranspose(srcShape, tiling);
}
template <typename Tiling>
void GetConfusionTransposeOnlyTilingInfo(const TensorShape& srcShape, const uint32_t, const uint32_t, Tiling& tiling)
{
    al::PutTranspose(srcShape, tiling);
}
inline bool GetTransDataMaxMinTmpSize(const platform_ascendc::PlatformAscendC&, const TensorShape& srcShape,
    const TensorShape&, const TensorDataType dataType, const TransDataConfig&, uint32_t& maxValue, uint32_t& minValue)
{
    const uint64_t each = al::SizeOfType(dataType);
    al::Between(16 * 16 * each, al::BytesOf(srcShape, each) * 2, maxValue, minValue);
    return true;
}

} // namespace AscendC
