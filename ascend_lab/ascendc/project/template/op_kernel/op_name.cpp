// y = factor * x, element by element. Compute() is where your operator goes.
#include "kernel_operator.h"

constexpr int32_t BUFFER_NUM = 2;

class KernelOpName {
public:
    __aicore__ inline KernelOpName() {}

    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, const OpNameTilingData& tiling)
    {
        const uint32_t index = AscendC::GetBlockIdx();
        const uint32_t bigBefore = index < tiling.bigCores ? index : tiling.bigCores;
        const uint32_t start = bigBefore * tiling.bigLength + (index - bigBefore) * tiling.smallLength;
        const uint32_t mine = index < tiling.bigCores ? tiling.bigLength : tiling.smallLength;
        length = start + mine > tiling.totalLength ? tiling.totalLength - start : mine;
        tileLength = tiling.tileLength;
        factor = tiling.factor;

        xGm.SetGlobalBuffer((__gm__ DTYPE_X*)x + start, length);
        yGm.SetGlobalBuffer((__gm__ DTYPE_Y*)y + start, length);
        pipe.InitBuffer(inQueueX, BUFFER_NUM, tileLength * sizeof(DTYPE_X));
        pipe.InitBuffer(outQueueY, BUFFER_NUM, tileLength * sizeof(DTYPE_Y));
    }

    __aicore__ inline void Process()
    {
        const uint32_t tiles = (length + tileLength - 1) / tileLength;
        for (uint32_t i = 0; i < tiles; i++) {
            const uint32_t left = length - i * tileLength;
            const uint32_t count = left < tileLength ? left : tileLength;
            CopyIn(i, count);
            Compute(count);
            CopyOut(i, count);
        }
    }

private:
    __aicore__ inline void CopyIn(uint32_t i, uint32_t count)
    {
        AscendC::LocalTensor<DTYPE_X> xLocal = inQueueX.AllocTensor<DTYPE_X>();
        AscendC::DataCopyExtParams params{1, static_cast<uint32_t>(count * sizeof(DTYPE_X)), 0, 0, 0};
        AscendC::DataCopyPadExtParams<DTYPE_X> pad{false, 0, 0, 0};
        AscendC::DataCopyPad(xLocal, xGm[i * tileLength], params, pad);
        inQueueX.EnQue(xLocal);
    }

    __aicore__ inline void Compute(uint32_t count)
    {
        AscendC::LocalTensor<DTYPE_X> xLocal = inQueueX.DeQue<DTYPE_X>();
        AscendC::LocalTensor<DTYPE_Y> yLocal = outQueueY.AllocTensor<DTYPE_Y>();
        AscendC::Muls(yLocal, xLocal, static_cast<DTYPE_X>(factor), count);
        outQueueY.EnQue<DTYPE_Y>(yLocal);
        inQueueX.FreeTensor(xLocal);
    }

    __aicore__ inline void CopyOut(uint32_t i, uint32_t count)
    {
        AscendC::LocalTensor<DTYPE_Y> yLocal = outQueueY.DeQue<DTYPE_Y>();
        AscendC::DataCopyExtParams params{1, static_cast<uint32_t>(count * sizeof(DTYPE_Y)), 0, 0, 0};
        AscendC::DataCopyPad(yGm[i * tileLength], yLocal, params);
        outQueueY.FreeTensor(yLocal);
    }

    AscendC::TPipe pipe;
    AscendC::TQue<AscendC::TPosition::VECIN, BUFFER_NUM> inQueueX;
    AscendC::TQue<AscendC::TPosition::VECOUT, BUFFER_NUM> outQueueY;
    AscendC::GlobalTensor<DTYPE_X> xGm;
    AscendC::GlobalTensor<DTYPE_Y> yGm;
    uint32_t length = 0;
    uint32_t tileLength = 0;
    float factor = 1.0f;
};

extern "C" __global__ __aicore__ void op_name(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
    GET_TILING_DATA(tilingData, tiling);
    KernelOpName op;
    op.Init(x, y, tilingData);
    op.Process();
}
