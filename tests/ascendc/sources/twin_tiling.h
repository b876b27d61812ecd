#pragma once
#include <cstdint>

struct ScaleTiling {
    uint32_t length;
    float factor;
};
