// The checked copies of the C library's annex K, as tool chains of the card bring them.
#pragma once
#pragma GCC system_header
#include <cstddef>
#include <cstring>

#ifndef EOK
#define EOK 0
#endif
using errno_t = int;

inline errno_t memcpy_s(void* dest, size_t destMax, const void* src, size_t count)
{
    if (dest == nullptr || src == nullptr || count > destMax) {
        return 34; // ERANGE
    }
    std::memcpy(dest, src, count);
    return EOK;
}
inline errno_t memset_s(void* dest, size_t destMax, int c, size_t count)
{
    if (dest == nullptr || count > destMax) {
        return 34;
    }
    std::memset(dest, c, count);
    return EOK;
}
