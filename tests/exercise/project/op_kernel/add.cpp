#include "kernel_operator.h"

using namespace AscendC;

constexpr uint32_t TILE = 128;

class KernelAdd {
public:
    __aicore__ inline KernelAdd() {}

    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t n)
    {
        length = n;
        const uint32_t start = GetBlockIdx() * length;
        xGm.SetGlobalBuffer((__gm__ float*)x + start, length);
        yGm.SetGlobalBuffer((__gm__ float*)y + start, length);
        zGm.SetGlobalBuffer((__gm__ float*)z + start, length);
        pipe.InitBuffer(inX, 2, TILE * sizeof(float));
        pipe.InitBuffer(inY, 2, TILE * sizeof(float));
        pipe.InitBuffer(outZ, 2, TILE * sizeof(float));
    }

    __aicore__ inline void Process()
    {
        for (uint32_t i = 0; i < length / TILE; i++) {
            LocalTensor<float> x = inX.AllocTensor<float>();
            LocalTensor<float> y = inY.AllocTensor<float>();
            DataCopy(x, xGm[i * TILE], TILE);
            DataCopy(y, yGm[i * TILE], TILE);
            inX.EnQue(x);
            inY.EnQue(y);
            x = inX.DeQue<float>();
            y = inY.DeQue<float>();
            LocalTensor<float> z = outZ.AllocTensor<float>();
            Add(z, x, y, TILE);
            outZ.EnQue(z);
            inX.FreeTensor(x);
            inY.FreeTensor(y);
            z = outZ.DeQue<float>();
            DataCopy(zGm[i * TILE], z, TILE);
            outZ.FreeTensor(z);
        }
    }

private:
    TPipe pipe;
    TQue<TPosition::VECIN, 2> inX, inY;
    TQue<TPosition::VECOUT, 2> outZ;
    GlobalTensor<float> xGm, yGm, zGm;
    uint32_t length = 0;
};

extern "C" __global__ __aicore__ void add(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR workspace, GM_ADDR tiling)
{
    GET_TILING_DATA(data, tiling);
    KernelAdd op;
    op.Init(x, y, z, data.length);
    op.Process();
}
