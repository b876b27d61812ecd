// The split layout: a kernel alone, its structure by value.
#include "kernel_operator.h"
#include "twin_tiling.h"

extern "C" __global__ __aicore__ void scale_custom(GM_ADDR x, GM_ADDR z, ScaleTiling tiling)
{
    AscendC::TPipe pipe;
    AscendC::TBuf<AscendC::TPosition::VECCALC> buf;
    AscendC::GlobalTensor<float> xGm, zGm;
    const uint32_t part = tiling.length / AscendC::GetBlockNum();
    xGm.SetGlobalBuffer((__gm__ float*)x + part * AscendC::GetBlockIdx(), part);
    zGm.SetGlobalBuffer((__gm__ float*)z + part * AscendC::GetBlockIdx(), part);
    pipe.InitBuffer(buf, part * sizeof(float));
    AscendC::LocalTensor<float> local = buf.Get<float>();
    AscendC::DataCopy(local, xGm, part);
    AscendC::PipeBarrier<PIPE_ALL>();
    AscendC::Muls(local, local, tiling.factor, part);
    AscendC::PipeBarrier<PIPE_ALL>();
    AscendC::DataCopy(zGm, local, part);
}
