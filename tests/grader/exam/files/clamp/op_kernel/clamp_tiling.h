// What the host tells every core of Clamp: lengths in elements.
#ifndef CLAMP_TILING_H
#define CLAMP_TILING_H
#include <cstdint>

struct ClampTilingData {
    uint32_t length;
    uint32_t tileLength;
    float lowest;
    float highest;
};
#endif
