// What functions of the library share: the temporary buffer, given or taken from what TPipe has not handed out.
// Sizes are the least that the tiling functions ask for. asc-devkit: docs/zh/api/SIMD-API/高阶API
#pragma once
#include "../framework.h"
#include "vector.h"

namespace al {

constexpr int64_t LIBRARY_REPEAT = 256;
using Bytes = AscendC::LocalTensor<uint8_t>;

// Units of 256 B for half, float, and float whose source may be used as well.
struct Units {
    int half_units, float_units, reusing;
    constexpr int64_t Of(size_t size, bool reuses) const
    {
        return LIBRARY_REPEAT * (size == 4 ? (reuses ? reusing : float_units) : half_units);
    }
};

inline void PutBuffer(Rec& rec, const char* api, const Bytes* given, int64_t needed)
{
    if (given != nullptr) {
        rec.src(Operand(given->ref, api)).i("tmp", needed);
    } else if (needed > 0) {
        rec.src(StackOf(api, UINT8, AscendC::TPosition::VECCALC, needed)).i("tmp", needed);
    }
}

// The same for functions whose pages give no size: a buffer that is given is never too small.
inline void SpoilBuffer(Rec& rec, const char* api, const Bytes* given, int64_t needed)
{
    if (given != nullptr && given->ref.size >= 0) {
        needed = needed < given->ref.size ? needed : given->ref.size;
    }
    PutBuffer(rec, api, needed > 0 ? given : nullptr, needed > 0 ? needed : 0);
}

inline int64_t UpTo32(int64_t bytes) { return (bytes + 31) / 32 * 32; }

inline int64_t CountOf(const Ref& ref) { return ref.size > 0 ? ref.size : 0; }

} // namespace al
