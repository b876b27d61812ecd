// Functions of the library that work on the rows of a matrix, and on whole shapes.
// asc-devkit: docs/zh/api/SIMD-API/高阶API/{激活函数,归一化操作,归约操作,张量变换}
#pragma once
#include "../library_tiling.h"
#include "library.h"
#include "vec_binary_scalar.h"
#include "vec_fill.h"

namespace AscendC {

struct SoftMaxShapeInfo {
    constexpr SoftMaxShapeInfo() = default;
    constexpr SoftMaxShapeInfo(uint32_t m, uint32_t k, uint32_t originM = 0, uint32_t originK = 0)
        : srcM(m), srcK(k), oriSrcM(originM), oriSrcK(originK)
    {}
    uint32_t srcM{0}, srcK{0}, oriSrcM{0}, oriSrcK{0};
};
enum class SoftmaxMode { SOFTMAX_NORMAL = 0, SOFTMAX_OUTPUT_WITHOUT_BRC = 1 };
struct SoftmaxConfig {
    constexpr SoftmaxConfig(bool check, uint32_t rows = 0, uint32_t columns = 0, SoftmaxMode how = SoftmaxMode::SOFTMAX_NORMAL)
        : isCheckTiling(check), oriSrcM(rows), oriSrcK(columns), mode(how)
    {}
    bool isCheckTiling = true;
    uint32_t oriSrcM = 0, oriSrcK = 0;
    SoftmaxMode mode = SoftmaxMode::SOFTMAX_NORMAL;
};
constexpr SoftmaxConfig SOFTMAX_DEFAULT_CFG = {true, 0, 0, SoftmaxMode::SOFTMAX_NORMAL};
struct LayerNormPara {
    uint32_t aLength, rLength, rLengthWithPadding;
};
struct LayerNormConfig {
    bool isNoBeta = false, isNoGamma = false, isOnlyOutput = false, isOutputRstd = true;
};
constexpr LayerNormConfig LNCFG_NORM = {false, false, false, true};
struct LayerNormGradShapeInfo {
    DataFormat dataFormat = DataFormat::ND;
};
struct SumParams {
    uint32_t outter = 1, inner, n;
};

} // namespace AscendC

namespace al {

struct Matrix {
    int64_t rows, columns, pitch;
};

// The shape of softmax's source: what the call says, else the tensor's ShapeInfo.
template <typename T>
Matrix MatrixOf(const char* api, const AscendC::LocalTensor<T>& src, const AscendC::SoftMaxShapeInfo& told)
{
    if (told.srcM != 0 && told.srcK != 0) {
        return {told.srcM, told.oriSrcK ? told.oriSrcK : told.srcK, told.srcK};
    }
    const AscendC::ShapeInfo info = src.GetShapeInfo();
    if (info.shapeDim == 0) {
        const std::string name = api;
        Fault((name + "：不知道源操作数的形状。请传入 SoftMaxShapeInfo，或先调用 src.SetShapeInfo。").c_str(),
            (name + ": the shape of the source is not known. Pass a SoftMaxShapeInfo, or call src.SetShapeInfo first.").c_str());
    }
    int64_t rows = 1;
    for (int k = 0; k + 1 < info.shapeDim; ++k) {
        rows *= info.shape[k];
    }
    const int64_t pitch = info.shape[info.shapeDim - 1];
    return {rows, info.originalShapeDim ? info.originalShape[info.originalShapeDim - 1] : pitch, pitch};
}

template <typename T, typename S>
void RowsOfSoftmax(const char* op, const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<S>& sum,
    const AscendC::LocalTensor<S>& max, const AscendC::LocalTensor<T>& src, const Bytes* given,
    const AscendC::SoftMaxShapeInfo& told, Here here)
{
    const Matrix shape = MatrixOf(op, src, told);
    Rec rec(op, Pipe::V, here);
    rec.dst(Operand(dst.ref, op)).src(Operand(src.ref, op)).src(Operand(sum.ref, op)).src(Operand(max.ref, op));
    rec.i("rows", shape.rows).i("columns", shape.columns).i("pitch", shape.pitch);
    PutBuffer(rec, op, given, (32 / static_cast<int64_t>(sizeof(S)) + shape.pitch + 64) * 4);
}

template <typename T, typename S, typename U>
void RowsOfLayerNorm(const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<S>& mean,
    const AscendC::LocalTensor<S>& variance, const AscendC::LocalTensor<T>& src, const AscendC::LocalTensor<U>& gamma,
    const AscendC::LocalTensor<U>& beta, double epsilon, const Bytes* given, const Matrix& shape, Here here)
{
    const char* op = "LayerNorm";
    Rec rec(op, Pipe::V, here);
    rec.dst(Operand(dst.ref, op)).src(Operand(src.ref, op)).src(Operand(gamma.ref, op)).src(Operand(beta.ref, op));
    rec.src(Operand(mean.ref, op)).src(Operand(variance.ref, op));
    rec.i("rows", shape.rows).i("columns", shape.columns);
    if (shape.pitch != shape.columns) {
        rec.i("pitch", shape.pitch);
    }
    rec.f("epsilon", epsilon);
    PutBuffer(rec, op, given, 3 * UpTo32(shape.pitch * 4) + 2 * UpTo32(shape.rows * 4));
}

template <typename Tiling>
Matrix MatrixOf(const Tiling& tiling)
{
    const int64_t pitch = tiling.hLength;
    return {static_cast<int64_t>(tiling.bLength) * tiling.sLength, tiling.originalHLength ? tiling.originalHLength : pitch, pitch};
}

template <typename T>
void GradOfLayerNorm(const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& second,
    const AscendC::LocalTensor<T>& dy, const AscendC::LocalTensor<T>& x, const AscendC::LocalTensor<T>& variance,
    const AscendC::LocalTensor<T>& mean, const AscendC::LocalTensor<T>& gamma, double epsilon, const Bytes* given,
    bool reuses, const Matrix& shape, Here here)
{
    const char* op = "LayerNormGrad";
    Rec rec(op, Pipe::V, here);
    rec.dst(Operand(dst.ref, op)).src(Operand(dy.ref, op)).src(Operand(x.ref, op)).src(Operand(variance.ref, op));
    rec.src(Operand(mean.ref, op)).src(Operand(gamma.ref, op)).src(Operand(second.ref, op));
    rec.i("rows", shape.rows).i("columns", shape.columns).i("pitch", shape.pitch).f("epsilon", epsilon);
    const int64_t buffers = sizeof(T) == 2 ? 9 : (reuses ? 4 : 6);
    PutBuffer(rec, op, given, buffers * UpTo32(shape.pitch * 4));
}

template <typename T>
void GradOfGamma(const AscendC::LocalTensor<T>& gamma, const AscendC::LocalTensor<T>& beta,
    const AscendC::LocalTensor<T>& left, const AscendC::LocalTensor<T>& dy, const Bytes* given, const Matrix& shape, Here here)
{
    const char* op = "LayerNormGradBeta";
    Rec rec(op, Pipe::V, here);
    rec.dst(Operand(gamma.ref, op)).src(Operand(left.ref, op)).src(Operand(dy.ref, op)).src(Operand(beta.ref, op));
    rec.i("rows", shape.rows).i("columns", shape.columns).i("pitch", shape.pitch);
    PutBuffer(rec, op, given, sizeof(T) == 2 ? 4 * UpTo32(shape.pitch * 4) : 0);
}

template <typename T>
void RowsOfRms(const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src, const AscendC::LocalTensor<T>& gamma,
    double epsilon, const Bytes* given, const Matrix& shape, Here here)
{
    Rec rec("RmsNorm", Pipe::V, here);
    rec.dst(Operand(dst.ref, "RmsNorm")).src(Operand(src.ref, "RmsNorm")).src(Operand(gamma.ref, "RmsNorm"));
    rec.i("rows", shape.rows).i("columns", shape.columns).i("pitch", shape.pitch).f("epsilon", epsilon);
    PutBuffer(rec, "RmsNorm", given, (shape.pitch * (sizeof(T) == 2 ? 2 : 1) + 8) * 4);
}

template <typename T>
void SumOfRows(const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src, const Bytes* given,
    const AscendC::SumParams& shape, Here here)
{
    Rec rec("Sum", Pipe::V, here);
    rec.dst(Operand(dst.ref, "Sum")).src(Operand(src.ref, "Sum"));
    rec.i("rows", shape.outter).i("columns", shape.n).i("pitch", shape.inner);
    const int64_t repeats = (shape.inner * static_cast<int64_t>(sizeof(T)) + 255) / 256;
    PutBuffer(rec, "Sum", given, UpTo32(repeats * static_cast<int64_t>(sizeof(T))));
}

// Bytes that Broadcast needs: a block of copies, a row that is no whole blocks, 8 bit as 16 bit.
inline int64_t BroadcastBytes(const uint32_t* to, const uint32_t* from, int rank, int64_t size)
{
    int64_t many = 1, few = 1, converted = 0;
    for (int k = 0; k < rank; ++k) {
        many *= to[k];
        few *= from[k];
    }
    if (size == 1) {
        size = 2;
        converted = ((many + 15) / 16 * 16 + (few + 15) / 16 * 16) * size;
    }
    if (few == 1 || few == many) {
        return converted ? converted + 32 : 0;
    }
    const int64_t each = 32 / size, last = to[rank - 1];
    const int64_t copied = last % each ? each * ((last + each - 1) / each * each) * size : 0;
    return each * each * size + copied + converted;
}

template <typename T>
void BroadcastTo(const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src, const uint32_t* to,
    const uint32_t* from, int rank, const Bytes* given, Here here)
{
    if (rank != 1 && rank != 2) {
        NotModelled("Broadcast", "more than two dimensions", here);
    }
    const int64_t large[2] = {to[0], rank > 1 ? to[1] : 0}, small[2] = {from[0], rank > 1 ? from[1] : 0};
    Rec rec("Broadcast", Pipe::V, here);
    rec.dst(Operand(dst.ref, "Broadcast")).src(Operand(src.ref, "Broadcast"));
    rec.t("dst_shape", large, static_cast<size_t>(rank)).t("src_shape", small, static_cast<size_t>(rank));
    PutBuffer(rec, "Broadcast", given, BroadcastBytes(to, from, rank, sizeof(T)));
}

} // namespace al

namespace AscendC {

template <typename T, bool isReuseSource = false, bool isBasicBlock = false, bool isDataFormatNZ = false,
    const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG, typename S>
void SoftMax(const LocalTensor<T>& dstTensor, const LocalTensor<S>& sumTensor, const LocalTensor<S>& maxTensor,
    const LocalTensor<T>& srcTensor, const LocalTensor<uint8_t>& sharedTmpBuffer, const SoftMaxTiling&,
    const SoftMaxShapeInfo& softmaxShapeInfo = {}, AL_HERE)
{
    if (isDataFormatNZ) {
        al::NotModelled("SoftMax", "isDataFormatNZ = true", here);
    }
    al::RowsOfSoftmax("SoftMax", dstTensor, sumTensor, maxTensor, srcTensor, &sharedTmpBuffer, softmaxShapeInfo, here);
}
template <typename T, bool isReuseSource = false, bool isBasicBlock = false, bool isDataFormatNZ = false,
    const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG, typename S>
void SoftMax(const LocalTensor<T>& dstTensor, const LocalTensor<S>& sumTensor, const LocalTensor<S>& maxTensor,
    const LocalTensor<T>& srcTensor, const SoftMaxTiling&, const SoftMaxShapeInfo& softmaxShapeInfo = {}, AL_HERE)
{
    if (isDataFormatNZ) {
        al::NotModelled("SoftMax", "isDataFormatNZ = true", here);
    }
    al::RowsOfSoftmax("SoftMax", dstTensor, sumTensor, maxTensor, srcTensor, nullptr, softmaxShapeInfo, here);
}
template <typename T, bool isReuseSource = false, bool isDataFormatNZ = false>
void LogSoftMax(const LocalTensor<T>& dst, const LocalTensor<T>& sum, const LocalTensor<T>& max, const LocalTensor<T>& src,
    const LocalTensor<uint8_t>& sharedTmpBuffer, const LogSoftMaxTiling&, const SoftMaxShapeInfo& softmaxShapeInfo = {}, AL_HERE)
{
    if (isDataFormatNZ) {
        al::NotModelled("LogSoftMax", "isDataFormatNZ = true", here);
    }
    al::RowsOfSoftmax("LogSoftMax", dst, sum, max, src, &sharedTmpBuffer, softmaxShapeInfo, here);
}

// Rows whose maximum has the bits `from` become `to`. The scalar unit reads the maxima one by one.
template <typename T1, typename T2, bool isDataFormatNZ = false, uint8_t stepSizeMode = 0>
bool AdjustSoftMaxRes(const LocalTensor<T1>& softMaxRes, const LocalTensor<T2>& maxTensor, const uint32_t from,
    const al::Same<T1> to, const SoftMaxShapeInfo& softmaxShapeInfo, AL_HERE)
{
    if (isDataFormatNZ || stepSizeMode != 0) {
        al::NotModelled("AdjustSoftMaxRes", isDataFormatNZ ? "isDataFormatNZ = true" : "stepSizeMode", here);
    }
    const al::Matrix shape = al::MatrixOf("AdjustSoftMaxRes", softMaxRes, softmaxShapeInfo);
    constexpr uint32_t each = 32 / sizeof(T2);
    bool found = false;
    for (int64_t row = 0; row < shape.rows; ++row) {
        const T2 largest = maxTensor.GetValue(static_cast<uint32_t>(row) * each, here);
        uint32_t bits = 0;
        std::memcpy(&bits, &largest, sizeof(largest));
        if (bits == from) {
            found = true;
            Duplicate<T1>(softMaxRes[static_cast<uint32_t>(row * shape.pitch)], to, static_cast<int32_t>(shape.pitch), here);
        }
    }
    return found;
}

template <typename T, bool isReuseSource = false>
void LayerNorm(const LocalTensor<T>& output, const LocalTensor<T>& outputMean, const LocalTensor<T>& outputVariance,
    const LocalTensor<T>& inputX, const LocalTensor<T>& gamma, const LocalTensor<T>& beta,
    const LocalTensor<uint8_t>& sharedTmpBuffer, const al::Same<T> epsilon, LayerNormTiling& tiling, AL_HERE)
{
    al::RowsOfLayerNorm(output, outputMean, outputVariance, inputX, gamma, beta, static_cast<double>(epsilon),
        &sharedTmpBuffer, al::MatrixOf(tiling), here);
}
template <typename T, bool isReuseSource = false>
void LayerNorm(const LocalTensor<T>& output, const LocalTensor<T>& outputMean, const LocalTensor<T>& outputVariance,
    const LocalTensor<T>& inputX, const LocalTensor<T>& gamma, const LocalTensor<T>& beta, const al::Same<T> epsilon,
    LayerNormTiling& tiling, AL_HERE)
{
    al::RowsOfLayerNorm(output, outputMean, outputVariance, inputX, gamma, beta, static_cast<double>(epsilon), nullptr,
        al::MatrixOf(tiling), here);
}
template <typename T, bool isReuseSource = false>
void LayerNormGrad(const LocalTensor<T>& outputPdX, const LocalTensor<T>& resForGamma, const LocalTensor<T>& inputDy,
    const LocalTensor<T>& inputX, const LocalTensor<T>& inputVariance, const LocalTensor<T>& inputMean,
    const LocalTensor<T>& inputGamma, LocalTensor<uint8_t>& sharedTmpBuffer, al::Same<T> epsilon,
    LayerNormGradTiling& tiling, const LayerNormGradShapeInfo& = {}, AL_HERE)
{
    al::GradOfLayerNorm(outputPdX, resForGamma, inputDy, inputX, inputVariance, inputMean, inputGamma,
        static_cast<double>(epsilon), &sharedTmpBuffer, isReuseSource, al::MatrixOf(tiling), here);
}
template <typename T, bool isReuseSource = false>
void LayerNormGrad(const LocalTensor<T>& outputPdX, const LocalTensor<T>& resForGamma, const LocalTensor<T>& inputDy,
    const LocalTensor<T>& inputX, const LocalTensor<T>& inputVariance, const LocalTensor<T>& inputMean,
    const LocalTensor<T>& inputGamma, al::Same<T> epsilon, LayerNormGradTiling& tiling,
    const LayerNormGradShapeInfo& = {}, AL_HERE)
{
    al::GradOfLayerNorm(outputPdX, resForGamma, inputDy, inputX, inputVariance, inputMean, inputGamma,
        static_cast<double>(epsilon), nullptr, isReuseSource, al::MatrixOf(tiling), here);
}

template <typename T, bool isReuseSource = false>
void LayerNormGradBeta(const LocalTensor<T>& outputPdGamma, const LocalTensor<T>& outputPdBeta,
    const LocalTensor<T>& resForGamma, const LocalTensor<T>& inputDy, const LocalTensor<uint8_t>& sharedTmpBuffer,
    const LayerNormGradBetaTiling& tiling, AL_HERE)
{
    al::GradOfGamma(outputPdGamma, outputPdBeta, resForGamma, inputDy, &sharedTmpBuffer, al::MatrixOf(tiling), here);
}
template <typename T, bool isReuseSource = false>
void LayerNormGradBeta(const LocalTensor<T>& outputPdGamma, const LocalTensor<T>& outputPdBeta,
    const LocalTensor<T>& resForGamma, const LocalTensor<T>& inputDy, LayerNormGradBetaTiling& tiling, AL_HERE)
{
    al::GradOfGamma<T>(outputPdGamma, outputPdBeta, resForGamma, inputDy, nullptr, al::MatrixOf(tiling), here);
}

template <typename T, bool isBasicBlock = false>
void RmsNorm(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal, const LocalTensor<T>& gammaLocal,
    const LocalTensor<uint8_t>& sharedTmpBuffer, const al::Same<T> epsilon, const RmsNormTiling& tiling, AL_HERE)
{
    al::RowsOfRms(dstLocal, srcLocal, gammaLocal, static_cast<double>(epsilon), &sharedTmpBuffer, al::MatrixOf(tiling), here);
}
template <typename T, bool isBasicBlock = false>
void RmsNorm(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal, const LocalTensor<T>& gammaLocal,
    const al::Same<T> epsilon, const RmsNormTiling& tiling, AL_HERE)
{
    al::RowsOfRms<T>(dstLocal, srcLocal, gammaLocal, static_cast<double>(epsilon), nullptr, al::MatrixOf(tiling), here);
}

template <typename T, int32_t reduceDim = -1, bool isReuseSource = false, bool isBasicBlock = false>
void Sum(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const LocalTensor<uint8_t>& sharedTmpBuffer,
    const SumParams& sumParams, AL_HERE)
{
    al::SumOfRows(dstTensor, srcTensor, &sharedTmpBuffer, sumParams, here);
}
template <typename T, int32_t reduceDim = -1, bool isReuseSource = false, bool isBasicBlock = false>
void Sum(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const SumParams& sumParams, AL_HERE)
{
    al::SumOfRows<T>(dstTensor, srcTensor, nullptr, sumParams, here);
}

#define AL_BROADCAST(NAME)                                                                                            \
    template <typename T, int32_t dim, int32_t axis, bool isReuseSource = false>                                       \
    void NAME(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal, const uint32_t dstShape[],               \
        const uint32_t srcShape[], LocalTensor<uint8_t>& sharedTmpBuffer, AL_HERE)                                     \
    {                                                                                                                 \
        al::BroadcastTo(dstLocal, srcLocal, dstShape, srcShape, dim, &sharedTmpBuffer, here);                          \
    }                                                                                                                 \
    template <typename T, int32_t dim, int32_t axis, bool isReuseSource = false>                                       \
    void NAME(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal, const uint32_t dstShape[],               \
        const uint32_t srcShape[], AL_HERE)                                                                            \
    {                                                                                                                 \
        al::BroadcastTo<T>(dstLocal, srcLocal, dstShape, srcShape, dim, nullptr, here);                                \
    }
AL_BROADCAST(Broadcast)
AL_BROADCAST(BroadCast)
#undef AL_BROADCAST

} // namespace AscendC
