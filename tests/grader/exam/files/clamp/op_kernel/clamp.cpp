// z = min(max(x, lowest), highest), tile by tile; int8 goes through half.
#include "clamp_tiling.h"
#include "kernel_operator.h"
#include "tiling_key_clamp.h"

using namespace AscendC;

template <typename T>
class KernelClamp {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR z, const ClampTilingData& given)
    {
        length = given.length;
        tileLength = given.tileLength;
        lowest = given.lowest;
        highest = given.highest;
        xGm.SetGlobalBuffer((__gm__ T*)x, length);
        zGm.SetGlobalBuffer((__gm__ T*)z, length);
        pipe.InitBuffer(inQueue, 2, tileLength * sizeof(T));
        pipe.InitBuffer(outQueue, 2, tileLength * sizeof(T));
        if constexpr (std::is_same_v<T, int8_t>) {
            pipe.InitBuffer(halfBuf, tileLength * sizeof(half));
        }
    }

    __aicore__ inline void Process()
    {
        const uint32_t tiles = (length + tileLength - 1) / tileLength;
        for (uint32_t tile = GetBlockIdx(); tile < tiles; tile += GetBlockNum()) {
            const uint32_t start = tile * tileLength;
            const uint32_t left = length - start;
            const uint32_t count = left > tileLength ? tileLength : left;
            CopyIn(start, count);
            Compute(count);
            CopyOut(start, count);
        }
    }

private:
    __aicore__ inline void CopyIn(uint32_t start, uint32_t count)
    {
        const DataCopyExtParams move{1, static_cast<uint32_t>(count * sizeof(T)), 0, 0, 0};
        const DataCopyPadExtParams<T> pad{false, 0, 0, 0};
        LocalTensor<T> xLocal = inQueue.AllocTensor<T>();
        DataCopyPad(xLocal, xGm[start], move, pad);
        inQueue.EnQue(xLocal);
    }

    __aicore__ inline void Compute(uint32_t count)
    {
        LocalTensor<T> xLocal = inQueue.DeQue<T>();
        LocalTensor<T> zLocal = outQueue.AllocTensor<T>();
        if constexpr (std::is_same_v<T, int8_t>) {
            LocalTensor<half> wide = halfBuf.Get<half>();
            Cast(wide, xLocal, RoundMode::CAST_NONE, count);
            Maxs(wide, wide, static_cast<half>(lowest), count);
            Mins(wide, wide, static_cast<half>(highest), count);
            Cast(zLocal, wide, RoundMode::CAST_RINT, count);
        } else {
            Maxs(zLocal, xLocal, static_cast<T>(lowest), count);
            Mins(zLocal, zLocal, static_cast<T>(highest), count);
        }
        outQueue.EnQue(zLocal);
        inQueue.FreeTensor(xLocal);
    }

    __aicore__ inline void CopyOut(uint32_t start, uint32_t count)
    {
        const DataCopyExtParams move{1, static_cast<uint32_t>(count * sizeof(T)), 0, 0, 0};
        LocalTensor<T> zLocal = outQueue.DeQue<T>();
        DataCopyPad(zGm[start], zLocal, move);
        outQueue.FreeTensor(zLocal);
    }

    TPipe pipe;
    TQue<TPosition::VECIN, 1> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
    TBuf<TPosition::VECCALC> halfBuf;
    GlobalTensor<T> xGm;
    GlobalTensor<T> zGm;
    uint32_t length = 0;
    uint32_t tileLength = 0;
    float lowest = 0.0f;
    float highest = 0.0f;
};

template <typename D_T_X>
__global__ __aicore__ void clamp(GM_ADDR x, GM_ADDR z, GM_ADDR workspace, GM_ADDR tiling)
{
    REGISTER_TILING_DEFAULT(ClampTilingData);
    GET_TILING_DATA_WITH_STRUCT(ClampTilingData, given, tiling);
    KernelClamp<D_T_X> op;
    op.Init(x, z, given);
    op.Process();
}
