// Tiling structures out of GM, and the tiling key of the launch.
#include "ascend_lab/tiling.h"
#include "fiber.h"

#include <cstring>

namespace al {

uint8_t* system_workspace = nullptr;
static uint64_t tiling_key = 0;

uint64_t TilingKey() { return tiling_key; }
void SetTilingKey(uint64_t key) { tiling_key = key; }

static int64_t Word(uint64_t addr, uint8_t dtype, int64_t index, int64_t count, Here here)
{
    Ref ref;
    ref.space = GM;
    ref.dtype = dtype;
    ref.addr = addr;
    ref.size = count - index;
    Rec rec("GetValue", Pipe::S, here);
    rec.src(ref).i("index", index).i("size", count);
    return rec.ask_int();
}

void ReadGm(void* to, const void* from, size_t size, Here here)
{
    DemandKernel("GET_TILING_DATA");
    char* target = static_cast<char*>(to);
    const uint64_t source = reinterpret_cast<uint64_t>(from);
    const size_t words = size / 4;
    for (size_t k = 0; k < words; ++k) {
        const uint32_t word = static_cast<uint32_t>(
            Word(source + 4 * k, UINT32, static_cast<int64_t>(k), static_cast<int64_t>(words), here));
        std::memcpy(target + 4 * k, &word, 4);
    }
    for (size_t k = 4 * words; k < size; ++k) {
        target[k] = static_cast<char>(Word(source + k, UINT8, 0, 1, here));
    }
}

} // namespace al
