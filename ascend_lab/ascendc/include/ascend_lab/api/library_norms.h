// Normalisations and softmaxes beyond the first ones: the sources, results and numbers of each.
// asc-devkit: docs/zh/api/SIMD-API/高阶API/{归一化操作,激活函数/SoftMax接口}
#pragma once
#include "library_rows.h"
#include "library_whole.h"

namespace AscendC {

enum class ReducePattern : uint32_t {
    AR = 0, RA = 1, R, ARA, ARAR, ARARA, ARARAR, ARARARA, ARARARAR, ARARARARA, RAR, RARA, RARAR, RARARA, RARARAR, RARARARA
};
struct NormalizeConfig {
    ReducePattern reducePattern = ReducePattern::AR;
    int32_t aLength = -1;
    bool isNoBeta = false, isNoGamma = false, isOnlyOutput = false;
};
constexpr NormalizeConfig NLCFG_NORM = {ReducePattern::AR, -1, false, false, false};
struct NormalizePara {
    uint32_t aLength, rLength, rLengthWithPadding;
};
struct WelfordUpdateConfig {
    bool isInplace = false;
};
constexpr WelfordUpdateConfig WFUPDATE_DEFAULT_CFG = {false};
struct WelfordUpdateParam {
    uint32_t rnLength, abLength, abComputeLength;
    float nRec;
};
struct WelfordFinalizeConfig {
    bool isCorrection = false;
};
constexpr WelfordFinalizeConfig WFFINALIZE_DEFAULT_CFG = {false};
struct WelfordFinalizePara {
    uint32_t rnLength, abLength, headCount, headCountLength, tailCount, tailCountLength;
    float abRec, rRec, rRecWithCorrection = 0;
};
struct SoftMaxParams {
    uint32_t srcM, srcK, oriSrcM, oriSrcK, loopCnt, splitMeanCnt;
    float alpha;
};

} // namespace AscendC

namespace al {

// How many equal elements a statistic of a row has.
template <typename S>
int64_t Each(const AscendC::SoftmaxConfig& config)
{
    return config.mode == AscendC::SoftmaxMode::SOFTMAX_OUTPUT_WITHOUT_BRC ? 1 : 32 / static_cast<int64_t>(sizeof(S));
}

inline void PlainOnly(const char* api, bool nz, Here here)
{
    if (nz) {
        NotModelled(api, "isDataFormatNZ = true", here);
    }
}

template <typename T, typename S>
struct Flash {
    const AscendC::LocalTensor<T>& dst;
    const AscendC::LocalTensor<T>* reduced;
    const AscendC::LocalTensor<S>&sum, &max;
    const AscendC::LocalTensor<T>&src, &factor;
    const AscendC::LocalTensor<S>&sum_before, &max_before;
};

template <typename T, typename S>
void FlashOf(const char* op, const Flash<T, S>& call, const Bytes* given, const AscendC::SoftMaxShapeInfo& told, bool update,
    const AscendC::SoftmaxConfig& config, bool divided, Here here)
{
    const Matrix shape = MatrixOf(op, call.src, told);
    const int64_t stats = shape.rows * Each<S>(config), factors = shape.rows * Each<T>(config);
    Whole whole(op, op, here);
    whole.in(call.src, shape.rows * shape.pitch);
    if (update) {
        whole.in(call.sum_before, stats).in(call.max_before, stats);
    }
    whole.out(call.dst, shape.rows * shape.pitch).out(call.sum, stats).out(call.max, stats);
    if (update) {
        whole.out(call.factor, factors);
    }
    if (call.reduced != nullptr) {
        whole.out(*call.reduced, factors);
    }
    whole.i("rows", shape.rows).i("columns", shape.columns).b("update", update).b("divided", divided);
    whole.b("with_max", call.reduced != nullptr).with(given, (shape.pitch + 72) * 4);
}

template <typename T, typename U>
struct Flash3 {
    const AscendC::LocalTensor<T>& dst;
    const AscendC::LocalTensor<U>&mean, &sum, &max;
    const AscendC::LocalTensor<T>&src, &factor;
    const AscendC::LocalTensor<U>&mean_before, &sum_before, &max_before;
};

template <typename T, typename U>
void Flash3Of(const Flash3<T, U>& call, const Bytes* given, const AscendC::SoftMaxParams& p, bool update, Here here)
{
    const int64_t rows = p.srcM, stats = rows * 32 / static_cast<int64_t>(sizeof(U));
    Whole whole("SoftmaxFlashV3", "SoftmaxFlashV3", here);
    whole.in(call.src, rows * p.srcK);
    if (update) {
        whole.in(call.mean_before, stats).in(call.sum_before, stats).in(call.max_before, stats);
    }
    whole.out(call.dst, rows * p.srcK).out(call.mean, stats).out(call.sum, stats).out(call.max, stats);
    if (update) {
        whole.out(call.factor, rows * 32 / static_cast<int64_t>(sizeof(T)));
    }
    whole.i("rows", rows).b("update", update).f("alpha", static_cast<double>(p.alpha)).i("parts", p.splitMeanCnt);
    whole.i("loops", p.loopCnt).with(given, (static_cast<int64_t>(p.srcK) + 72) * 4);
}

template <typename T>
void GradOfSoftmax(const char* api, const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& grad,
    const AscendC::LocalTensor<T>& src, const Bytes* given, bool front, const AscendC::SoftMaxShapeInfo& told, Here here)
{
    const Matrix shape = MatrixOf(api, src, told);
    const int64_t count = shape.rows * shape.pitch;
    Whole("SoftmaxGrad", api, here)
        .in(grad, count)
        .in(src, count)
        .out(dst, front ? shape.rows * 32 / static_cast<int64_t>(sizeof(T)) : count)
        .i("rows", shape.rows)
        .i("columns", shape.columns)
        .b("front", front)
        .with(given, (shape.pitch + 72) * 4);
}

template <typename T, typename S>
void SimpleOf(const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<S>& sum, const AscendC::LocalTensor<S>& max,
    const AscendC::LocalTensor<T>& src, const Bytes* given, const AscendC::SoftMaxShapeInfo& told, Here here)
{
    const Matrix shape = MatrixOf("SimpleSoftMax", src, told);
    const int64_t count = shape.rows * shape.pitch, stats = shape.rows * 32 / static_cast<int64_t>(sizeof(S));
    Whole("SimpleSoftMax", "SimpleSoftMax", here)
        .in(src, count)
        .in(sum, stats)
        .in(max, stats)
        .out(dst, count)
        .i("rows", shape.rows)
        .i("columns", shape.columns)
        .with(given, (shape.pitch + 72) * 4);
}

template <typename T>
void AloneOf(const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src, const Bytes* given,
    const AscendC::SoftMaxShapeInfo& told, Here here)
{
    const Matrix shape = MatrixOf("SoftMax", src, told);
    const int64_t count = shape.rows * shape.pitch;
    Whole("SoftMaxAlone", "SoftMax", here)
        .in(src, count)
        .out(dst, count)
        .i("rows", shape.rows)
        .i("columns", shape.columns)
        .with(given, (shape.pitch + 72) * 4);
}

template <typename T>
void DeepOf(const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& mean, const AscendC::LocalTensor<T>& rstd,
    const AscendC::LocalTensor<T>& src, const AscendC::LocalTensor<T>& gx, const AscendC::LocalTensor<T>& beta,
    const AscendC::LocalTensor<T>& gamma, const Bytes* given, double alpha, double epsilon, const Matrix& shape, Here here)
{
    const int64_t count = shape.rows * shape.pitch;
    Whole("DeepNorm", "DeepNorm", here)
        .in(src, count)
        .in(gx, count)
        .in(beta, shape.columns)
        .in(gamma, shape.columns)
        .out(dst, count)
        .out(mean, shape.rows)
        .out(rstd, shape.rows)
        .i("rows", shape.rows)
        .i("columns", shape.columns)
        .f("alpha", alpha)
        .f("epsilon", epsilon)
        .with(given, 3 * UpTo32(shape.pitch * 4) + 2 * UpTo32(shape.rows * 4));
}

// What Normalize and the LayerNorm of three lengths share.
template <typename U, typename Para>
void PutFactors(Whole& whole, const AscendC::LocalTensor<U>& gamma, const AscendC::LocalTensor<U>& beta, bool has_gamma,
    bool has_beta, const Para& para)
{
    if (has_gamma) {
        whole.in(gamma, para.rLength);
    }
    if (has_beta) {
        whole.in(beta, para.rLength);
    }
}
template <typename Para>
void PutNumbers(Whole& whole, bool has_gamma, bool has_beta, float epsilon, const Para& para)
{
    whole.i("rows", para.aLength).i("columns", para.rLength).f("epsilon", static_cast<double>(epsilon));
    whole.b("gamma", has_gamma).b("beta", has_beta);
}

template <typename U, typename T>
void LayerRstd(const AscendC::LocalTensor<T>& output, const AscendC::LocalTensor<float>& mean,
    const AscendC::LocalTensor<float>& second, const AscendC::LocalTensor<T>& x, const AscendC::LocalTensor<U>& gamma,
    const AscendC::LocalTensor<U>& beta, float epsilon, const Bytes* given, const AscendC::LayerNormPara& para,
    const AscendC::LayerNormConfig& config, Here here)
{
    const int64_t count = static_cast<int64_t>(para.aLength) * para.rLengthWithPadding;
    Whole whole("LayerNormRstd", "LayerNorm", here);
    whole.in(x, count);
    PutFactors(whole, gamma, beta, !config.isNoGamma, !config.isNoBeta, para);
    whole.out(output, count);
    if (!config.isOnlyOutput) {
        whole.out(mean, para.aLength).out(second, para.aLength);
    }
    PutNumbers(whole, !config.isNoGamma, !config.isNoBeta, epsilon, para);
    whole.b("rstd", config.isOutputRstd);
    whole.with(given, 3 * UpTo32(static_cast<int64_t>(para.rLengthWithPadding) * 4) + 2 * UpTo32(para.aLength * 4ll));
}

template <typename U, typename T>
void Normalized(const AscendC::LocalTensor<T>& output, const AscendC::LocalTensor<float>& rstd,
    const AscendC::LocalTensor<float>& mean, const AscendC::LocalTensor<float>& variance, const AscendC::LocalTensor<T>& x,
    const AscendC::LocalTensor<U>& gamma, const AscendC::LocalTensor<U>& beta, const Bytes* given, float epsilon,
    const AscendC::NormalizePara& para, const AscendC::NormalizeConfig& config, Here here)
{
    const int64_t count = static_cast<int64_t>(para.aLength) * para.rLengthWithPadding;
    Whole whole("Normalize", "Normalize", here);
    whole.in(x, count).in(mean, para.aLength).in(variance, para.aLength);
    PutFactors(whole, gamma, beta, !config.isNoGamma, !config.isNoBeta, para);
    whole.out(output, count);
    if (!config.isOnlyOutput) {
        whole.out(rstd, para.aLength);
    }
    PutNumbers(whole, !config.isNoGamma, !config.isNoBeta, epsilon, para);
    whole.with(given, 2 * UpTo32(static_cast<int64_t>(para.rLengthWithPadding) * 4) + UpTo32(para.aLength * 4ll));
}

template <typename T>
void OverBatch(const AscendC::LocalTensor<T>& output, const AscendC::LocalTensor<T>& mean,
    const AscendC::LocalTensor<T>& variance, const AscendC::LocalTensor<T>& x, const AscendC::LocalTensor<T>& gamma,
    const AscendC::LocalTensor<T>& beta, const Bytes* given, double epsilon, int64_t batches, int64_t each, Here here)
{
    Whole("BatchNorm", "BatchNorm", here)
        .in(x, batches * each)
        .in(gamma, batches)
        .in(beta, batches)
        .out(output, batches * each)
        .out(mean, each)
        .out(variance, each)
        .i("rows", batches)
        .i("columns", batches)
        .f("epsilon", epsilon)
        .with(given, 3 * UpTo32(each * 4));
}

template <typename T, typename Tiling>
void OverGroups(const AscendC::LocalTensor<T>& output, const AscendC::LocalTensor<T>& mean,
    const AscendC::LocalTensor<T>& variance, const AscendC::LocalTensor<T>& x, const AscendC::LocalTensor<T>& gamma,
    const AscendC::LocalTensor<T>& beta, const Bytes* given, double epsilon, const Tiling& tiling, Here here)
{
    const int64_t rows = static_cast<int64_t>(tiling.n) * tiling.c, groups = static_cast<int64_t>(tiling.n) * tiling.g;
    Whole("GroupNorm", "GroupNorm", here)
        .in(x, rows * tiling.hwAlignSize)
        .in(gamma, tiling.c)
        .in(beta, tiling.c)
        .out(output, rows * tiling.hwAlignSize)
        .out(mean, groups)
        .out(variance, groups)
        .i("rows", rows)
        .i("columns", tiling.hw)
        .i("groups", tiling.g)
        .i("channels", tiling.c)
        .f("epsilon", epsilon)
        .with(given, 3 * UpTo32(static_cast<int64_t>(tiling.d) * tiling.hwAlignSize * 4));
}

template <typename T, typename U>
void Welford(const AscendC::LocalTensor<U>& mean, const AscendC::LocalTensor<U>& variance,
    const AscendC::LocalTensor<U>& mean_before, const AscendC::LocalTensor<U>& variance_before,
    const AscendC::LocalTensor<T>& x, const Bytes* given, const AscendC::WelfordUpdateParam& para, bool whole, Here here)
{
    const int64_t written = whole ? para.abLength : para.abComputeLength;
    Whole("WelfordUpdate", "WelfordUpdate", here)
        .in(x, written)
        .in(mean_before, written)
        .in(variance_before, written)
        .out(mean, written)
        .out(variance, written)
        .i("count_of", para.abComputeLength)
        .f("factor", static_cast<double>(para.nRec))
        .with(given, sizeof(T) == 2 ? UpTo32(written * 8) : UpTo32(written * 4));
}

inline void WelfordEnd(const AscendC::LocalTensor<float>& mean, const AscendC::LocalTensor<float>& variance,
    const AscendC::LocalTensor<float>& means, const AscendC::LocalTensor<float>& variances,
    const AscendC::LocalTensor<int32_t>* counts, const Bytes* given, const AscendC::WelfordFinalizePara& para, bool corrected,
    Here here)
{
    if (corrected) {
        NotModelled("WelfordFinalize", "isCorrection = true", here);
    }
    Whole whole("WelfordFinalize", "WelfordFinalize", here);
    whole.in(means, para.abLength).in(variances, para.abLength);
    if (counts != nullptr) {
        whole.in(*counts, para.abLength);
    }
    whole.out(mean, 1).out(variance, 1).i("head", para.headCount).i("head_length", para.headCountLength);
    whole.i("tail", para.tailCount).i("tail_length", para.tailCountLength).f("factor", static_cast<double>(para.rRec));
    whole.f("lanes_factor", static_cast<double>(para.abRec)).with(given, UpTo32(para.abLength * 8ll));
}

} // namespace al

// Each of these comes twice: with a temporary buffer, and without. B: the buffer as a parameter, G: as an argument.
#define AL_TWICE(FUNCTION)                                             \
    FUNCTION(AL_BUFFER_PARAMETER, &sharedTmpBuffer)                     \
    FUNCTION(, static_cast<const al::Bytes*>(nullptr))
#define AL_COMMA ,
#define AL_BUFFER_PARAMETER const LocalTensor<uint8_t>& sharedTmpBuffer AL_COMMA

namespace AscendC {

#define AL_FUNCTION(B, G)                                                                                             \
    template <typename T, bool isUpdate = false, bool isReuseSource = false, bool isBasicBlock = false,               \
        bool isDataFormatNZ = false, const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG, typename S>                   \
    void SoftmaxFlashV2(const LocalTensor<T>& dstTensor, const LocalTensor<S>& expSumTensor,                           \
        const LocalTensor<S>& maxTensor, const LocalTensor<T>& srcTensor, const LocalTensor<T>& expMaxTensor,          \
        const LocalTensor<S>& inExpSumTensor, const LocalTensor<S>& inMaxTensor, B const SoftMaxTiling&,               \
        const SoftMaxShapeInfo& softmaxShapeInfo = {}, AL_HERE)                                                       \
    {                                                                                                                 \
        al::PlainOnly("SoftmaxFlashV2", isDataFormatNZ, here);                                                         \
        al::FlashOf<T, S>("SoftmaxFlashV2", {dstTensor, nullptr, expSumTensor, maxTensor, srcTensor, expMaxTensor,     \
            inExpSumTensor, inMaxTensor}, G, softmaxShapeInfo, isUpdate, config, false, here);                         \
    }                                                                                                                 \
    template <typename T, bool isUpdate = false, bool isReuseSource = false, bool isBasicBlock = false,               \
        bool isDataFormatNZ = false, const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG>                               \
    void SoftmaxFlashV2(const LocalTensor<T>& dstTensor, const LocalTensor<T>& outReduceMax,                           \
        const LocalTensor<T>& expSumTensor, const LocalTensor<T>& maxTensor, const LocalTensor<T>& srcTensor,          \
        const LocalTensor<T>& expMaxTensor, const LocalTensor<T>& inExpSumTensor, const LocalTensor<T>& inMaxTensor,   \
        B const SoftMaxTiling&, const SoftMaxShapeInfo& softmaxShapeInfo = {}, AL_HERE)                                \
    {                                                                                                                 \
        al::PlainOnly("SoftmaxFlashV2", isDataFormatNZ, here);                                                         \
        al::FlashOf<T, T>("SoftmaxFlashV2", {dstTensor, &outReduceMax, expSumTensor, maxTensor, srcTensor,             \
            expMaxTensor, inExpSumTensor, inMaxTensor}, G, softmaxShapeInfo, isUpdate, config, false, here);           \
    }
AL_TWICE(AL_FUNCTION)
#undef AL_FUNCTION

#define AL_FUNCTION(B, G)                                                                                             \
    template <typename T, bool isReuseSource = false, bool isBasicBlock = false, typename S>                           \
    void SoftmaxFlash(const LocalTensor<T>& dstTensor, const LocalTensor<S>& sumTensor,                                \
        const LocalTensor<S>& maxTensor, const LocalTensor<T>& srcTensor, const LocalTensor<T>& expMaxTensor,          \
        const LocalTensor<S>& inSumTensor, const LocalTensor<S>& inMaxTensor, B const SoftMaxTiling&,                  \
        bool isUpdate = false, const SoftMaxShapeInfo& softmaxShapeInfo = {}, AL_HERE)                                 \
    {                                                                                                                 \
        al::FlashOf<T, S>("SoftmaxFlash", {dstTensor, nullptr, sumTensor, maxTensor, srcTensor, expMaxTensor,          \
            inSumTensor, inMaxTensor}, G, softmaxShapeInfo, isUpdate, SOFTMAX_DEFAULT_CFG, true, here);                \
    }
AL_TWICE(AL_FUNCTION)
#undef AL_FUNCTION

#define AL_FUNCTION(B, G)                                                                                             \
    template <typename T, typename U, bool isUpdate = false, bool isReuseSource = false, bool isBasicBlock = false,    \
        bool isDataFormatNZ = false, const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG>                                \
    void SoftmaxFlashV3(const LocalTensor<T>& dstTensor, const LocalTensor<U>& meanTensor,                             \
        const LocalTensor<U>& expSumTensor, const LocalTensor<U>& maxTensor, const LocalTensor<T>& srcTensor,          \
        const LocalTensor<T>& expMaxTensor, const LocalTensor<U>& inMeanTensor,                                        \
        const LocalTensor<U>& inExpSumTensor, const LocalTensor<U>& inMaxTensor, B const SoftMaxTiling&,               \
        const SoftMaxParams& params, AL_HERE)                                                                         \
    {                                                                                                                 \
        al::Flash3Of<T, U>({dstTensor, meanTensor, expSumTensor, maxTensor, srcTensor, expMaxTensor, inMeanTensor,     \
            inExpSumTensor, inMaxTensor}, G, params, isUpdate, here);                                                  \
    }
AL_TWICE(AL_FUNCTION)
#undef AL_FUNCTION

#define AL_FUNCTION(B, G)                                                                                             \
    template <typename T, bool isReuseSource = false, bool isDataFormatNZ = false>                                     \
    void SoftmaxGrad(const LocalTensor<T>& dstTensor, const LocalTensor<T>& gradTensor, const LocalTensor<T>& srcTensor, \
        B const SoftMaxTiling&, bool isFront = false, const SoftMaxShapeInfo& softmaxShapeInfo = {}, AL_HERE)          \
    {                                                                                                                 \
        al::PlainOnly("SoftmaxGrad", isDataFormatNZ, here);                                                            \
        al::GradOfSoftmax("SoftmaxGrad", dstTensor, gradTensor, srcTensor, G, isFront, softmaxShapeInfo, here);        \
    }                                                                                                                 \
    template <typename T, bool isBasicBlock = false, bool isDataFormatNZ = false>                                      \
    void SoftmaxGradFront(const LocalTensor<T>& dstTensor, const LocalTensor<T>& gradTensor,                           \
        const LocalTensor<T>& srcTensor, B const SoftMaxTiling&, const SoftMaxShapeInfo& softmaxShapeInfo = {}, AL_HERE) \
    {                                                                                                                 \
        al::PlainOnly("SoftmaxGradFront", isDataFormatNZ, here);                                                       \
        al::GradOfSoftmax("SoftmaxGradFront", dstTensor, gradTensor, srcTensor, G, true, softmaxShapeInfo, here);      \
    }                                                                                                                 \
    template <typename T, bool isReuseSource = false, bool isBasicBlock = false, bool isDataFormatNZ = false,          \
        const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG, typename S>                                                 \
    void SimpleSoftMax(const LocalTensor<T>& dstTensor, const LocalTensor<S>& inSumTensor,                             \
        const LocalTensor<S>& inMaxTensor, const LocalTensor<T>& srcTensor, B const SoftMaxTiling&,                    \
        const SoftMaxShapeInfo& softmaxShapeInfo = {}, AL_HERE)                                                       \
    {                                                                                                                 \
        al::PlainOnly("SimpleSoftMax", isDataFormatNZ, here);                                                          \
        al::SimpleOf(dstTensor, inSumTensor, inMaxTensor, srcTensor, G, softmaxShapeInfo, here);                       \
    }                                                                                                                 \
    template <typename T, bool isReuseSource = false, bool isBasicBlock = false,                                       \
        const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG>                                                             \
    void SoftMax(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, B const SoftMaxTiling&,             \
        const SoftMaxShapeInfo& softmaxShapeInfo = {}, AL_HERE)                                                       \
    {                                                                                                                 \
        al::AloneOf(dstTensor, srcTensor, G, softmaxShapeInfo, here);                                                  \
    }
AL_TWICE(AL_FUNCTION)
#undef AL_FUNCTION

#define AL_FUNCTION(B, G)                                                                                             \
    template <typename T, bool isReuseSrc = false, bool isBasicBlock = false>                                          \
    void DeepNorm(const LocalTensor<T>& dstLocal, const LocalTensor<T>& meanLocal, const LocalTensor<T>& rstdLocal,    \
        const LocalTensor<T>& srcLocal, const LocalTensor<T>& gxLocal, const LocalTensor<T>& betaLocal,                \
        const LocalTensor<T>& gammaLocal, B const al::Same<T> alpha, const al::Same<T> epsilon, DeepNormTiling& tiling, \
        AL_HERE)                                                                                                      \
    {                                                                                                                 \
        al::DeepOf(dstLocal, meanLocal, rstdLocal, srcLocal, gxLocal, betaLocal, gammaLocal, G,                        \
            static_cast<double>(static_cast<float>(alpha)), static_cast<double>(static_cast<float>(epsilon)),          \
            al::MatrixOf(tiling), here);                                                                              \
    }                                                                                                                 \
    template <typename U, typename T, bool isReuseSource = false, const NormalizeConfig& config = NLCFG_NORM>          \
    void Normalize(const LocalTensor<T>& output, const LocalTensor<float>& outputRstd,                                 \
        const LocalTensor<float>& inputMean, const LocalTensor<float>& inputVariance, const LocalTensor<T>& inputX,    \
        const LocalTensor<U>& gamma, const LocalTensor<U>& beta, B const float epsilon, const NormalizePara& para,     \
        AL_HERE)                                                                                                      \
    {                                                                                                                 \
        al::Normalized(output, outputRstd, inputMean, inputVariance, inputX, gamma, beta, G, epsilon, para, config, here); \
    }                                                                                                                 \
    template <typename T, bool isReuseSource = false, bool isBasicBlock = false>                                       \
    void BatchNorm(const LocalTensor<T>& output, const LocalTensor<T>& outputMean, const LocalTensor<T>& outputVariance, \
        const LocalTensor<T>& inputX, const LocalTensor<T>& gamm, const LocalTensor<T>& beta, B                        \
        const al::Same<T> epsilon, BatchNormTiling& tiling, AL_HERE)                                                   \
    {                                                                                                                 \
        al::OverBatch(output, outputMean, outputVariance, inputX, gamm, beta, G,                                       \
            static_cast<double>(static_cast<float>(epsilon)), tiling.originalBLength, tiling.meanVarSize, here);       \
    }                                                                                                                 \
    template <typename T, bool isReuseSource = false>                                                                  \
    void GroupNorm(const LocalTensor<T>& output, const LocalTensor<T>& outputMean, const LocalTensor<T>& outputVariance, \
        const LocalTensor<T>& inputX, const LocalTensor<T>& gamma, const LocalTensor<T>& beta, B                       \
        const al::Same<T> epsilon, GroupNormTiling& tiling, AL_HERE)                                                   \
    {                                                                                                                 \
        al::OverGroups(output, outputMean, outputVariance, inputX, gamma, beta, G,                                     \
            static_cast<double>(static_cast<float>(epsilon)), tiling, here);                                           \
    }                                                                                                                 \
    template <typename T, typename U, bool isReuseSource = false, const WelfordUpdateConfig& config = WFUPDATE_DEFAULT_CFG> \
    void WelfordUpdate(const LocalTensor<U>& outputMean, const LocalTensor<U>& outputVariance,                         \
        const LocalTensor<U>& inputMean, const LocalTensor<U>& inputVariance, const LocalTensor<T>& inputX, B          \
        const WelfordUpdateParam& para, AL_HERE)                                                                      \
    {                                                                                                                 \
        al::Welford(outputMean, outputVariance, inputMean, inputVariance, inputX, G, para, config.isInplace, here);    \
    }                                                                                                                 \
    template <bool isReuseSource = false, const WelfordFinalizeConfig& config = WFFINALIZE_DEFAULT_CFG>                \
    void WelfordFinalize(const LocalTensor<float>& outputMean, const LocalTensor<float>& outputVariance,               \
        const LocalTensor<float>& inputMean, const LocalTensor<float>& inputVariance, B                                \
        const WelfordFinalizePara& para, AL_HERE)                                                                     \
    {                                                                                                                 \
        al::WelfordEnd(outputMean, outputVariance, inputMean, inputVariance, nullptr, G, para, config.isCorrection, here); \
    }                                                                                                                 \
    template <bool isReuseSource = false, const WelfordFinalizeConfig& config = WFFINALIZE_DEFAULT_CFG>                \
    void WelfordFinalize(const LocalTensor<float>& outputMean, const LocalTensor<float>& outputVariance,               \
        const LocalTensor<float>& inputMean, const LocalTensor<float>& inputVariance, const LocalTensor<int32_t>& counts, B \
        const WelfordFinalizePara& para, AL_HERE)                                                                     \
    {                                                                                                                 \
        al::WelfordEnd(outputMean, outputVariance, inputMean, inputVariance, &counts, G, para, config.isCorrection, here); \
    }
AL_TWICE(AL_FUNCTION)
#undef AL_FUNCTION

template <typename U, typename T, bool isReuseSource = false, const LayerNormConfig& config = LNCFG_NORM>
void LayerNorm(const LocalTensor<T>& output, const LocalTensor<float>& outputMean, const LocalTensor<float>& outputRstd,
    const LocalTensor<T>& inputX, const LocalTensor<U>& gamma, const LocalTensor<U>& beta, const float epsilon,
    const LayerNormPara& para, const LayerNormSeparateTiling&, AL_HERE)
{
    al::LayerRstd(output, outputMean, outputRstd, inputX, gamma, beta, epsilon, nullptr, para, config, here);
}
template <typename U, typename T, bool isReuseSource = false, const LayerNormConfig& config = LNCFG_NORM>
void LayerNorm(const LocalTensor<T>& output, const LocalTensor<float>& outputMean, const LocalTensor<float>& outputRstd,
    const LocalTensor<T>& inputX, const LocalTensor<U>& gamma, const LocalTensor<U>& beta, const float epsilon,
    const LocalTensor<uint8_t>& sharedTmpBuffer, const LayerNormPara& para, const LayerNormSeparateTiling&, AL_HERE)
{
    al::LayerRstd(output, outputMean, outputRstd, inputX, gamma, beta, epsilon, &sharedTmpBuffer, para, config, here);
}

} // namespace AscendC
#undef AL_TWICE
#undef AL_BUFFER_PARAMETER
#undef AL_COMMA
