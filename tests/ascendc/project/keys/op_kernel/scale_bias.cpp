#include <type_traits>
#include "kernel_operator.h"

using namespace AscendC;
constexpr int32_t BUFFER_NUM = 2;

template <typename T, bool hasTail>
class KernelScaleBias {
public:
    __aicore__ inline KernelScaleBias() {}
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR bias, GM_ADDR y, uint32_t formerNum, uint32_t formerLength,
        uint32_t tailLength, uint32_t tileLength, uint32_t lastLength, float scale)
    {
        ASSERT(GetBlockNum() != 0 && "block dim can not be zero!");
        const uint32_t id = GetBlockIdx();
        uint32_t start = 0;
        if (id < formerNum) {
            start = formerLength * id;
            length = formerLength;
        } else {
            start = formerLength * formerNum + tailLength * (id - formerNum);
            length = tailLength;
        }
        this->tileLength = tileLength;
        this->scale = scale;
        if constexpr (hasTail) {
            constexpr uint32_t alignNum = 32 / sizeof(T);
            if (id == GetBlockNum() - 1) {
                length = length - alignNum + lastLength;
            }
        }
        xGm.SetGlobalBuffer((__gm__ T*)x + start, length);
        biasGm.SetGlobalBuffer((__gm__ T*)bias + start, length);
        yGm.SetGlobalBuffer((__gm__ T*)y + start, length);
        pipe.InitBuffer(inQueueX, BUFFER_NUM, tileLength * sizeof(T));
        pipe.InitBuffer(inQueueB, BUFFER_NUM, tileLength * sizeof(T));
        pipe.InitBuffer(outQueueY, BUFFER_NUM, tileLength * sizeof(T));
        if constexpr (std::is_same_v<T, bfloat16_t>) {
            pipe.InitBuffer(castX, tileLength * sizeof(float));
            pipe.InitBuffer(castB, tileLength * sizeof(float));
        }
    }
    __aicore__ inline void Process()
    {
        int32_t loopCount = length / tileLength;
        uint32_t rest = length % tileLength;
        for (int32_t i = 0; i < loopCount; i++) {
            CopyIn(i, tileLength);
            Compute(i, tileLength);
            CopyOut(i, tileLength);
        }
        if (rest > 0) {
            CopyIn(loopCount, rest);
            Compute(loopCount, rest);
            CopyOut(loopCount, rest);
        }
    }

private:
    __aicore__ inline void CopyIn(int32_t progress, uint32_t count)
    {
        LocalTensor<T> xLocal = inQueueX.AllocTensor<T>();
        LocalTensor<T> bLocal = inQueueB.AllocTensor<T>();
        if constexpr (hasTail) {
            DataCopyExtParams copyParams{1, static_cast<uint32_t>(count * sizeof(T)), 0, 0, 0};
            DataCopyPadExtParams<T> padParams{false, 0, 0, 0};
            DataCopyPad(xLocal, xGm[progress * tileLength], copyParams, padParams);
            DataCopyPad(bLocal, biasGm[progress * tileLength], copyParams, padParams);
        } else {
            DataCopy(xLocal, xGm[progress * tileLength], count);
            DataCopy(bLocal, biasGm[progress * tileLength], count);
        }
        inQueueX.EnQue(xLocal);
        inQueueB.EnQue(bLocal);
    }
    __aicore__ inline void Compute(int32_t progress, uint32_t count)
    {
        LocalTensor<T> xLocal = inQueueX.DeQue<T>();
        LocalTensor<T> bLocal = inQueueB.DeQue<T>();
        LocalTensor<T> yLocal = outQueueY.AllocTensor<T>();
        if constexpr (std::is_same_v<T, bfloat16_t>) {
            LocalTensor<float> xf = castX.Get<float>(), bf = castB.Get<float>();
            Cast(xf, xLocal, RoundMode::CAST_NONE, count);
            Cast(bf, bLocal, RoundMode::CAST_NONE, count);
            Muls(xf, xf, scale, count);
            Add(xf, xf, bf, count);
            Cast(yLocal, xf, RoundMode::CAST_RINT, count);
        } else {
            Muls(yLocal, xLocal, static_cast<T>(scale), count);
            Add(yLocal, yLocal, bLocal, count);
        }
        outQueueY.EnQue<T>(yLocal);
        inQueueX.FreeTensor(xLocal);
        inQueueB.FreeTensor(bLocal);
    }
    __aicore__ inline void CopyOut(int32_t progress, uint32_t count)
    {
        LocalTensor<T> yLocal = outQueueY.DeQue<T>();
        if constexpr (hasTail) {
            DataCopyParams copyParams{1, static_cast<uint16_t>(count * sizeof(T)), 0, 0};
            DataCopyPad(yGm[progress * tileLength], yLocal, copyParams);
        } else {
            DataCopy(yGm[progress * tileLength], yLocal, count);
        }
        outQueueY.FreeTensor(yLocal);
    }

    TPipe pipe;
    TQue<QuePosition::VECIN, BUFFER_NUM> inQueueX, inQueueB;
    TQue<QuePosition::VECOUT, BUFFER_NUM> outQueueY;
    TBuf<QuePosition::VECCALC> castX, castB;
    GlobalTensor<T> xGm, biasGm, yGm;
    uint32_t length;
    uint32_t tileLength;
    float scale;
};

extern "C" __global__ __aicore__ void scale_bias(GM_ADDR x, GM_ADDR bias, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)
{
    GET_TILING_DATA(t, tiling);
    if (TILING_KEY_IS(1)) {
        KernelScaleBias<DTYPE_X, false> op;
        op.Init(x, bias, y, t.formerNum, t.formerLength, t.tailLength, t.tileLength, t.lastLength, t.scale);
        op.Process();
    } else if (TILING_KEY_IS(2)) {
        KernelScaleBias<DTYPE_X, true> op;
        op.Init(x, bias, y, t.formerNum, t.formerLength, t.tailLength, t.tileLength, t.lastLength, t.scale);
        op.Process();
    }
}
