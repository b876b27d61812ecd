// Fields of the tiling structures of the library: what the host fills and a kernel gets.
// asc-devkit: docs/zh/api/SIMD-API/高阶API, the pages of each function's tiling.
#pragma once
#include <cstdint>

#define AL_FIELDS_OF_SOFTMAX(F)                                                                                       \
    F(uint32_t, srcM) F(uint32_t, srcK) F(uint32_t, srcSize) F(uint32_t, outMaxM) F(uint32_t, outMaxK)                 \
    F(uint32_t, outMaxSize) F(uint32_t, splitM) F(uint32_t, splitK) F(uint32_t, splitSize) F(uint32_t, reduceM)        \
    F(uint32_t, reduceK) F(uint32_t, reduceSize) F(uint32_t, rangeM) F(uint32_t, tailM) F(uint32_t, tailSplitSize)     \
    F(uint32_t, tailReduceSize)
#define AL_FIELDS_OF_LAYERNORM(F)                                                                                     \
    F(uint32_t, bLength) F(uint32_t, sLength) F(uint32_t, hLength) F(uint32_t, originalHLength)                        \
    F(uint32_t, inputXSize) F(uint32_t, meanVarSize) F(uint32_t, numberOfTmpBuf) F(uint32_t, meanTmpTensorPos)         \
    F(uint32_t, meanTmpTensorSize) F(uint32_t, varianceTmpTensorPos) F(uint32_t, varianceTmpTensorSize)                \
    F(uint32_t, tmpBufSize) F(uint32_t, oneTmpSize) F(uint32_t, firstTmpStartPos) F(uint32_t, secondTmpStartPos)       \
    F(uint32_t, thirdTmpStartPos) F(uint32_t, loopRound) F(uint32_t, inputRoundSize) F(uint32_t, inputTailSize)        \
    F(uint32_t, inputTailPos) F(uint32_t, meanVarRoundSize) F(uint32_t, meanVarTailSize) F(uint32_t, meanVarTailPos)   \
    F(uint32_t, bshCurLength) F(uint32_t, bsCurLength) F(float, lastDimValueBack)
#define AL_FIELDS_OF_LAYERNORM_SEPARATE(F)                                                                            \
    F(uint32_t, aLength) F(uint32_t, rLength) F(uint32_t, halfAddRepeatTimes) F(uint32_t, rHeadLength)                 \
    F(float, k2Rec) F(float, k2RRec) F(uint32_t, inputXSize) F(uint32_t, meanVarSize) F(uint32_t, numberOfTmpBuf)      \
    F(uint32_t, varianceTmpTensorPos) F(uint32_t, varianceTmpTensorSize) F(uint32_t, tmpBufSize)                       \
    F(uint32_t, oneTmpSize) F(uint32_t, firstTmpStartPos) F(uint32_t, secondTmpStartPos)                               \
    F(uint32_t, thirdTmpStartPos) F(uint32_t, loopRound) F(uint32_t, inputRoundSize) F(uint32_t, inputTailSize)        \
    F(uint32_t, inputTailPos) F(uint32_t, meanVarRoundSize) F(uint32_t, meanVarTailSize) F(uint32_t, meanVarTailPos)   \
    F(uint32_t, arCurLength) F(uint32_t, aCurLength) F(float, rValueBack)
#define AL_FIELDS_OF_LAYERNORM_GRAD(F)                                                                                \
    F(uint32_t, stackBufferSize) F(uint32_t, bLength) F(uint32_t, sLength) F(uint32_t, hLength)                        \
    F(uint32_t, originalHLength) F(uint32_t, oneCalSize) F(uint32_t, nohCalSize) F(uint32_t, loopNum)                  \
    F(uint32_t, tailSize) F(uint32_t, nohTailSize) F(uint32_t, tmpTensorBSHPos) F(uint32_t, tmpTensorBSHSize)          \
    F(uint32_t, pdVarTensorPos) F(uint32_t, pdVarTensorSize) F(uint32_t, pdMeanTensorPos)                              \
    F(uint32_t, pdMeanTensorSize) F(uint32_t, x1TensorPos) F(uint32_t, x1TensorSize) F(uint32_t, x2TensorPos)          \
    F(uint32_t, x2TensorSize) F(uint32_t, x3TensorPos) F(uint32_t, x3TensorSize) F(uint32_t, tmpTensorPos)             \
    F(uint32_t, tmpTensorSize) F(uint32_t, tmpTensor1Pos) F(uint32_t, tmpTensor1Size) F(uint32_t, tmpTensor2Pos)       \
    F(uint32_t, tmpTensor2Size) F(uint32_t, lastDimValueBack) F(uint32_t, lastDimValueBackMulTwo)
#define AL_FIELDS_OF_LAYERNORM_GRAD_BETA(F)                                                                           \
    F(uint32_t, stackBufferSize) F(uint32_t, bLength) F(uint32_t, sLength) F(uint32_t, hLength)                        \
    F(uint32_t, originalHLength) F(uint32_t, bshLength) F(uint32_t, bsLength) F(uint32_t, oneCalSize)                  \
    F(uint32_t, numberOfTmpBuf) F(uint32_t, loopRound) F(uint32_t, inputTailSize) F(uint32_t, inputTailPos)            \
    F(uint32_t, bsTailSize) F(uint32_t, bshCurLength) F(uint32_t, bsCurLength) F(uint32_t, gammaTempTensorPos)         \
    F(uint32_t, betaTempTensorPos) F(uint32_t, inputDyTmpTensorPos) F(uint32_t, resForGammaTmpTensorPos)               \
    F(uint32_t, reserved)
#define AL_FIELDS_OF_RMSNORM(F)                                                                                       \
    F(uint32_t, bLength) F(uint32_t, sLength) F(uint32_t, hLength) F(uint32_t, originalHLength)                        \
    F(float, reciprocalOfHLength) F(uint32_t, mainBshLength) F(uint32_t, mainBsLength) F(uint32_t, mainBsLengthAlign)  \
    F(uint32_t, loopRound) F(uint32_t, inputTailPos) F(uint32_t, tailBshLength) F(uint32_t, tailBsLength)
#define AL_FIELDS_OF_TOPK(F)                                                                                          \
    F(int32_t, tmpLocalSize) F(int32_t, allDataSize) F(int32_t, innerDataSize) F(uint32_t, sortRepeat)                \
    F(int32_t, mrgSortRepeat) F(int32_t, kAlignFourBytes) F(int32_t, kAlignTwoBytes) F(int32_t, maskOffset)           \
    F(int32_t, maskVreducev2FourBytes) F(int32_t, maskVreducev2TwoBytes) F(int32_t, mrgSortSrc1offset)                \
    F(int32_t, mrgSortSrc2offset) F(int32_t, mrgSortSrc3offset) F(int32_t, mrgSortTwoQueueSrc1Offset)                 \
    F(int32_t, mrgFourQueueTailPara1) F(int32_t, mrgFourQueueTailPara2) F(int32_t, srcIndexOffset)                    \
    F(uint32_t, copyUbToUbBlockCount) F(int32_t, topkMrgSrc1MaskSizeOffset) F(int32_t, topkNSmallSrcIndexOffset)      \
    F(uint32_t, vreduceValMask0) F(uint32_t, vreduceValMask1) F(uint32_t, vreduceIdxMask0)                            \
    F(uint32_t, vreduceIdxMask1) F(uint16_t, vreducehalfValMask0) F(uint16_t, vreducehalfValMask1)                    \
    F(uint16_t, vreducehalfValMask2) F(uint16_t, vreducehalfValMask3) F(uint16_t, vreducehalfValMask4)                \
    F(uint16_t, vreducehalfValMask5) F(uint16_t, vreducehalfValMask6) F(uint16_t, vreducehalfValMask7)

#define AL_FIELDS_OF_BATCHNORM(F)                                                                                     \
    F(uint32_t, originalBLength) F(uint32_t, meanVarSize) F(uint32_t, meanTmpTensorPos) F(uint32_t, varianceTmpTensorPos) \
    F(uint32_t, tmpBufSize) F(uint32_t, oneTmpSize) F(uint32_t, firstTmpStartPos) F(uint32_t, secondTmpStartPos)       \
    F(uint32_t, thirdTmpStartPos) F(uint32_t, loopRound) F(uint32_t, inputTailSize) F(uint32_t, inputTailPos)          \
    F(uint32_t, meanVarTailSize) F(uint32_t, meanVarTailPos) F(uint32_t, bshCurLength) F(uint32_t, shCurLength)        \
    F(float, firstDimValueBack) F(uint32_t, castHalfRepStride) F(uint32_t, shCurLengthBlockNum)                        \
    F(uint32_t, castHalfOutRepStride)
#define AL_FIELDS_OF_GROUPNORM(F)                                                                                     \
    F(uint32_t, n) F(uint32_t, c) F(uint32_t, hw) F(uint32_t, g) F(uint32_t, d) F(uint32_t, hwAlignSize)               \
    F(uint32_t, dhwAlignSize) F(uint32_t, inputXSize) F(uint32_t, meanVarSize) F(uint32_t, numberOfTmpBuf)             \
    F(uint32_t, meanTmpTensorPos) F(uint32_t, meanTmpTensorSize) F(uint32_t, varianceTmpTensorPos)                     \
    F(uint32_t, varianceTmpTensorSize) F(uint32_t, tmpBufSize) F(uint32_t, oneTmpSize) F(uint32_t, firstTmpStartPos)   \
    F(uint32_t, secondTmpStartPos) F(uint32_t, thirdTmpStartPos) F(uint32_t, loopRound) F(uint32_t, inputRoundSize)    \
    F(uint32_t, inputTailSize) F(uint32_t, inputTailPos) F(uint32_t, meanVarRoundSize) F(uint32_t, meanVarTailSize)    \
    F(uint32_t, meanVarTailPos) F(uint32_t, bshCurLength) F(uint32_t, bsCurLength) F(float, factor) F(bool, smallShape)
#define AL_FIELDS_OF_PAD(F)                                                                                           \
    F(uint32_t, srcHeight) F(uint32_t, srcWidth) F(uint32_t, srcOriWidth) F(uint32_t, reserved)
#define AL_FIELDS_OF_CONFUSION(F)                                                                                     \
    F(uint32_t, param0) F(uint32_t, param1) F(uint32_t, param2) F(uint32_t, param3) F(uint32_t, param4)                \
    F(uint32_t, param5)

#define AL_TILINGS(T)                                                                                                 \
    T(SoftMaxTiling, AL_FIELDS_OF_SOFTMAX)                                                                            \
    T(LogSoftMaxTiling, AL_FIELDS_OF_SOFTMAX)                                                                         \
    T(LayerNormTiling, AL_FIELDS_OF_LAYERNORM)                                                                        \
    T(LayerNormSeparateTiling, AL_FIELDS_OF_LAYERNORM_SEPARATE)                                                       \
    T(LayerNormGradTiling, AL_FIELDS_OF_LAYERNORM_GRAD)                                                               \
    T(LayerNormGradBetaTiling, AL_FIELDS_OF_LAYERNORM_GRAD_BETA)                                                      \
    T(RmsNormTiling, AL_FIELDS_OF_RMSNORM)                                                                            \
    T(TopkTiling, AL_FIELDS_OF_TOPK)                                                                                  \
    T(DeepNormTiling, AL_FIELDS_OF_LAYERNORM)                                                                         \
    T(BatchNormTiling, AL_FIELDS_OF_BATCHNORM)                                                                        \
    T(GroupNormTiling, AL_FIELDS_OF_GROUPNORM)                                                                        \
    T(PadTiling, AL_FIELDS_OF_PAD)                                                                                    \
    T(UnPadTiling, AL_FIELDS_OF_PAD)                                                                                  \
    T(ConfusionTransposeTiling, AL_FIELDS_OF_CONFUSION)

namespace AscendC::tiling {
#define AL_FIELD(type, name) type name;
#define AL_STRUCT(Name, FIELDS) \
    struct Name {               \
        FIELDS(AL_FIELD)        \
    };
AL_TILINGS(AL_STRUCT)
#undef AL_STRUCT
#undef AL_FIELD
} // namespace AscendC::tiling

// A kernel names them without a namespace.
using AscendC::tiling::BatchNormTiling;
using AscendC::tiling::ConfusionTransposeTiling;
using AscendC::tiling::DeepNormTiling;
using AscendC::tiling::GroupNormTiling;
using AscendC::tiling::LayerNormGradBetaTiling;
using AscendC::tiling::LayerNormGradTiling;
using AscendC::tiling::LayerNormSeparateTiling;
using AscendC::tiling::LayerNormTiling;
using AscendC::tiling::LogSoftMaxTiling;
using AscendC::tiling::PadTiling;
using AscendC::tiling::RmsNormTiling;
using AscendC::tiling::SoftMaxTiling;
using AscendC::tiling::TopkTiling;
using AscendC::tiling::UnPadTiling;
