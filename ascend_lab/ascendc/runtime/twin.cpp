// GmAlloc and ICPU_RUN_KF: host memory that a kernel sees as GM while it runs.
#include "acl/acl.h"
#include "tikicpulib.h"

#include <cstdlib>
#include <map>

namespace al {
namespace {

struct Entry {
    size_t size = 0;
    void* device = nullptr;
};
std::map<char*, Entry>& HostMemory()
{
    static std::map<char*, Entry> memory;
    return memory;
}

} // namespace

void* GmAlloc(size_t size)
{
    char* made = static_cast<char*>(std::aligned_alloc(64, (size + 63) / 64 * 64));
    if (made != nullptr) {
        HostMemory()[made].size = size;
    }
    return made;
}

void GmFree(void* memory)
{
    HostMemory().erase(static_cast<char*>(memory));
    std::free(memory);
}

static bool entered = false; // whether Enter has opened the device

void* Enter(void* pointer)
{
    auto found = HostMemory().upper_bound(static_cast<char*>(pointer));
    if (found == HostMemory().begin()) {
        return pointer;
    }
    --found;
    const ptrdiff_t offset = static_cast<char*>(pointer) - found->first;
    Entry& entry = found->second;
    if (offset < 0 || static_cast<size_t>(offset) >= entry.size) {
        return pointer;
    }
    if (entry.device == nullptr) {
        if (!entered) { // a program of the twin does not open a device itself
            entered = aclrtSetDevice(0) == ACL_SUCCESS;
        }
        aclrtMalloc(&entry.device, entry.size, ACL_MEM_MALLOC_HUGE_FIRST);
        aclrtMemcpy(entry.device, entry.size, found->first, entry.size, ACL_MEMCPY_HOST_TO_DEVICE);
    }
    return static_cast<char*>(entry.device) + offset;
}

void Leave()
{
    aclrtSynchronizeDevice();
    for (auto& [memory, entry] : HostMemory()) {
        if (entry.device != nullptr) {
            aclrtMemcpy(memory, entry.size, entry.device, entry.size, ACL_MEMCPY_DEVICE_TO_HOST);
            aclrtFree(entry.device);
            entry.device = nullptr;
        }
    }
    if (entered) {
        aclrtResetDevice(0);
        entered = false;
    }
}

} // namespace al
