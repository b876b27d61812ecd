// Every half as a float, and floats as half and bfloat16, for NumPy to compare.
#include "kernel_operator.h"

#include <cstdio>
#include <vector>

static_assert(sizeof(half) == 2 && sizeof(bfloat16_t) == 2, "sixteen bits");
static_assert(static_cast<float>(half(1.5)) == 1.5f, "known at compile time");
static_assert(static_cast<float>(std::numeric_limits<half>::max()) == 65504.0f, "limits");

union Both { // a union of them is trivial
    half h;
    uint16_t bits;
};

int main()
{
    std::vector<float> floats(65536);
    for (int code = 0; code < 65536; ++code) {
        floats[code] = half::from_bits(static_cast<uint16_t>(code));
    }
    std::vector<uint16_t> halves, shorts;
    for (uint64_t bits = 0; bits < 1ull << 32; bits += 4093) {
        const float value = al::FloatOf(static_cast<uint32_t>(bits));
        halves.push_back(half(value).bits());
        shorts.push_back(bfloat16_t(value).bits());
    }
    half a = 3, b = 2.5f;
    a += b;
    Both both{a};
    if (both.h * half(2) != half(11.0f) || a / 2 > 2.75f || -a > 0 || (float)half(1) + 1 != 2) {
        return 1;
    }
    std::FILE* out = std::fopen("half.bin", "wb");
    std::fwrite(floats.data(), 4, floats.size(), out);
    std::fwrite(halves.data(), 2, halves.size(), out);
    std::fwrite(shorts.data(), 2, shorts.size(), out);
    std::fclose(out);
    return 0;
}
