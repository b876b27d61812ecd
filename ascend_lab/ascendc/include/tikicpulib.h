// Running a kernel the way the CPU twin does: memory of GmAlloc is the host's own, and a run copies it in and back.
// asc-devkit: docs/zh/guide, CPU debugging
#pragma once
#pragma GCC system_header
#include "acl/acl.h"
#include "kernel_operator.h"

#include <type_traits>

namespace al {

void* GmAlloc(size_t size);
void GmFree(void* memory);
// The device's address for a pointer into memory of GmAlloc; the memory is copied in. Others stay.
void* Enter(void* pointer);
void Leave(); // waits for the kernel, copies everything back

template <typename T>
auto Entered(T value)
{
    if constexpr (std::is_pointer_v<T>) {
        return reinterpret_cast<T>(Enter(const_cast<void*>(reinterpret_cast<const void*>(value))));
    } else {
        return value;
    }
}

template <typename... P>
void RunAsTwin(const char* name, uint32_t blocks, void (*kernel)(P...), Here here, typename AsIs<P>::type... values)
{
    LaunchKernel(Config(blocks), name, kernel, here, Entered(values)...);
    Leave();
}

} // namespace al

namespace AscendC {
inline void* GmAlloc(size_t size) { return al::GmAlloc(size); }
inline void GmFree(void* memory) { al::GmFree(memory); }
inline void SetKernelMode(KernelMode) {}
} // namespace AscendC

using AscendC::KernelMode; // programs name it without a namespace

#define ICPU_RUN_KF(kernel, blocks, ...) ::al::RunAsTwin(#kernel, blocks, kernel, ::al::Here::now(), ##__VA_ARGS__)
#define ICPU_SET_TILING_KEY(key) ::al::SetTilingKey(key)
