// What many kernels of this folder begin with.
#pragma once
#include "kernel_operator.h"

using namespace AscendC;

#define AFTER(event)                      \
    SetFlag<HardEvent::event>(EVENT_ID0); \
    WaitFlag<HardEvent::event>(EVENT_ID0)
#define LOCAL(type, name, address, count) LocalTensor<type> name(TPosition::VECCALC, address, count)

template <typename T>
__aicore__ inline GlobalTensor<T> Bound(GM_ADDR address)
{
    GlobalTensor<T> tensor;
    tensor.SetGlobalBuffer((__gm__ T*)address);
    return tensor;
}
