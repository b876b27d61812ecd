// The split layout: the host. Launches by the generated header, or as the CPU twin does.
#include <cstdio>
#include <vector>
#include "twin_tiling.h"
#ifdef ASCENDC_CPU_DEBUG
#include "tikicpulib.h"
extern "C" __global__ __aicore__ void scale_custom(GM_ADDR x, GM_ADDR z, ScaleTiling tiling);
#else
#include "acl/acl.h"
#include "aclrtlaunch_scale_custom.h"
#endif

int main()
{
    const uint32_t length = 512, size = length * sizeof(float);
    ScaleTiling tiling{length, 3.0f};
#ifdef ASCENDC_CPU_DEBUG
    float* x = (float*)AscendC::GmAlloc(size);
    float* z = (float*)AscendC::GmAlloc(size);
    for (uint32_t i = 0; i < length; ++i) {
        x[i] = i;
    }
    AscendC::SetKernelMode(AscendC::KernelMode::AIV_MODE);
    ICPU_RUN_KF(scale_custom, 4, (uint8_t*)x, (uint8_t*)z, tiling);
#else
    std::vector<float> xs(length), z(length);
    for (uint32_t i = 0; i < length; ++i) {
        xs[i] = i;
    }
    aclInit(nullptr);
    aclrtSetDevice(0);
    void *x, *y;
    aclrtMalloc(&x, size, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMalloc(&y, size, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMemcpy(x, size, xs.data(), size, ACL_MEMCPY_HOST_TO_DEVICE);
    aclrtStream stream = nullptr;
    aclrtCreateStream(&stream);
    ACLRT_LAUNCH_KERNEL(scale_custom)(4, stream, x, y, &tiling);
    aclrtSynchronizeStream(stream);
    aclrtMemcpy(z.data(), size, y, size, ACL_MEMCPY_DEVICE_TO_HOST);
#endif
    for (uint32_t i = 0; i < length; ++i) {
        if (z[i] != 3.0f * i) {
            std::printf("wrong at %u\n", i);
            return 1;
        }
    }
    std::printf("right\n");
    return 0;
}
