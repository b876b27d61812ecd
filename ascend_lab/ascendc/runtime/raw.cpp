// `*(__gm__ T*)p` in a kernel: GM is not mapped in this process, so the access faults. The handler runs on the
// fiber's own signal stack and may therefore pause: it asks the engine for the words, maps a page with them for the
// length of one instruction, and takes it away again after the trap that the single step raises.
#include "raw.h"

#include "fiber.h"

#include <cstring>

#if defined(__x86_64__) && defined(__linux__)
#include <sys/mman.h>

namespace al {
namespace {

constexpr uint64_t PAGE = 4096;
constexpr greg_t TRAP_FLAG = 0x100, WROTE = 2;

struct Touched {
    uint64_t address = 0;
    size_t size = 0;
    bool write = false;
};

// Octets of the operand of 0F `opcode`; 0 for one that is not known here.
size_t OfSecondMap(uint8_t opcode, bool wide, uint8_t repeat, bool sixteen)
{
    const size_t whole = wide ? 8 : sixteen ? 2 : 4, scalar = repeat == 0xF3 ? 4 : repeat == 0xF2 ? 8 : 16;
    switch (opcode) {
        case 0xB6: case 0xBE: return 1;
        case 0xB7: case 0xBF: case 0xC4: return 2;
        case 0xAF: return whole;
        case 0x6E: case 0x7E: return repeat == 0xF3 ? 8 : wide ? 8 : 4;
        case 0x6F: case 0x7F: case 0x28: case 0x29: return 16;
        case 0xD6: case 0x12: case 0x13: case 0x16: case 0x17: return 8;
        case 0x2A: case 0x2C: case 0x2D: return wide && opcode == 0x2A ? 8 : scalar == 16 ? 0 : opcode == 0x2A ? 4 : scalar;
        case 0x2E: case 0x2F: return sixteen ? 8 : 4;
        case 0x10: case 0x11: case 0x51: case 0x58: case 0x59: case 0x5A: case 0x5C: case 0x5D: case 0x5E: case 0x5F:
            return scalar;
        default: return 0;
    }
}

// The same with a VEX prefix. `full`: 32 octets where others take 16.
size_t OfVex(uint8_t map, uint8_t opcode, bool wide, bool full, uint8_t repeat, bool sixteen)
{
    if (map == 1) {
        const size_t size = OfSecondMap(opcode, wide, repeat, sixteen);
        return full && size == 16 ? 32 : size;
    }
    if (map == 2) {
        return opcode == 0x18 ? 4 : opcode == 0x13 ? (full ? 16 : 8) : 0; // a float to all lanes; halves to floats
    }
    switch (map == 3 ? opcode : 0) {
        case 0x14: return 1;
        case 0x15: return 2;
        case 0x16: return wide ? 8 : 4;
        case 0x17: return 4;
        case 0x1D: return full ? 16 : 8; // floats to halves
        default: return 0;
    }
}

// Octets that a memory operand of the instruction has; 0 for one that is not known here.
size_t OperandSize(const uint8_t* at)
{
    bool wide = false, sixteen = false;
    uint8_t repeat = 0;
    for (;; ++at) {
        if (*at == 0x66) {
            sixteen = true;
        } else if (*at == 0xF2 || *at == 0xF3) {
            repeat = *at;
        } else if (*at != 0x2E && *at != 0x36 && *at != 0x3E && *at != 0x26 && *at != 0x64 && *at != 0x65) {
            break;
        }
    }
    if ((*at & 0xF0) == 0x40) {
        wide = *at & 8;
        ++at;
    }
    const size_t whole = wide ? 8 : sixteen ? 2 : 4;
    if (*at == 0xC5 || *at == 0xC4) { // VEX: the prefixes are fields of it
        const bool three = *at == 0xC4;
        const uint8_t last = at[three ? 2 : 1], map = three ? at[1] & 31 : 1, opcode = at[three ? 3 : 2];
        const uint8_t prefix = last & 3;
        const uint8_t repeat = prefix == 2 ? 0xF3 : prefix == 3 ? 0xF2 : 0;
        return OfVex(map, opcode, three && (last & 0x80), last & 4, repeat, prefix == 1);
    }
    if (*at == 0x62) { // EVEX: moves only
        const uint8_t opcode = at[4];
        return opcode == 0x6F || opcode == 0x7F ? size_t{16} << ((at[3] >> 5) & 3) : 0;
    }
    if (*at != 0x0F) {
        const uint8_t reg = (at[1] >> 3) & 7;
        switch (*at) {
            case 0x8A: case 0x88: case 0xC6: case 0x02: case 0x0A: case 0x22: case 0x2A: case 0x32: case 0x3A: case 0x38:
            case 0x84: return 1;
            case 0x8B: case 0x89: case 0xC7: case 0x03: case 0x0B: case 0x13: case 0x1B: case 0x23: case 0x2B: case 0x33:
            case 0x3B: case 0x39: case 0x85: case 0x69: case 0x6B: return whole;
            case 0x63: return 4;
            case 0x80: return reg == 7 ? 1 : 0;
            case 0x81: case 0x83: return reg == 7 ? whole : 0;
            case 0xF6: return reg == 0 ? 1 : 0;
            case 0xF7: return reg == 0 || reg >= 4 ? whole : 0;
            default: return 0;
        }
    }
    const uint8_t opcode = at[1];
    return opcode >= 0x40 && opcode <= 0x4F ? whole : OfSecondMap(opcode, wide, repeat, sixteen); // 4x: cmov
}

Ref WordAt(uint64_t address, uint8_t dtype)
{
    Ref ref;
    ref.space = GM;
    ref.dtype = dtype;
    ref.addr = address;
    ref.size = 1;
    return ref;
}

template <typename F>
void EachWord(uint64_t address, size_t size, F touch)
{
    const size_t step = size >= 4 ? 4 : size;
    for (size_t k = 0; k < size; k += step) {
        touch(WordAt(address + k, step == 4 ? UINT32 : step == 2 ? UINT16 : UINT8), k, step);
    }
}

uint64_t Base(const Touched& touched) { return touched.address & ~(PAGE - 1); }
size_t Length(const Touched& touched)
{
    return ((touched.address + touched.size + PAGE - 1) & ~(PAGE - 1)) - Base(touched);
}

} // namespace

bool BeginRaw(siginfo_t* info, void* context)
{
    auto* machine = &static_cast<ucontext_t*>(context)->uc_mcontext;
    const size_t size = OperandSize(reinterpret_cast<const uint8_t*>(machine->gregs[REG_RIP]));
    if (size == 0 || running->raw_size != 0) {
        return false;
    }
    Touched touched{reinterpret_cast<uint64_t>(info->si_addr), size, (machine->gregs[REG_ERR] & WROTE) != 0};
    uint8_t bytes[64] = {};
    if (!touched.write) {
        const Here here = HereOf(reinterpret_cast<const void*>(machine->gregs[REG_RIP]));
        EachWord(touched.address, size, [&](const Ref& ref, size_t at, size_t step) {
            Rec rec("GetValue", Pipe::S, here);
            rec.src(ref).i("index", 0).i("size", 1);
            const int64_t word = rec.ask_int();
            std::memcpy(bytes + at, &word, step);
        });
    }
    void* page = mmap(reinterpret_cast<void*>(Base(touched)), Length(touched), PROT_READ | PROT_WRITE,
        MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    if (page == MAP_FAILED) {
        return false;
    }
    std::memcpy(reinterpret_cast<void*>(touched.address), bytes, size);
    running->raw_address = touched.address;
    running->raw_size = size;
    running->raw_write = touched.write;
    running->raw_code = machine->gregs[REG_RIP];
    machine->gregs[REG_EFL] |= TRAP_FLAG;
    return true;
}

void EndRaw(void* context)
{
    auto* machine = &static_cast<ucontext_t*>(context)->uc_mcontext;
    machine->gregs[REG_EFL] &= ~TRAP_FLAG;
    const Touched touched{running->raw_address, running->raw_size, running->raw_write};
    uint8_t bytes[64];
    std::memcpy(bytes, reinterpret_cast<void*>(touched.address), touched.size);
    munmap(reinterpret_cast<void*>(Base(touched)), Length(touched));
    running->raw_size = 0;
    if (touched.write) {
        EachWord(touched.address, touched.size, [&](const Ref& ref, size_t at, size_t step) {
            uint32_t word = 0;
            std::memcpy(&word, bytes + at, step);
            Rec("SetValue", Pipe::S, HereOf(reinterpret_cast<const void*>(running->raw_code))).dst(ref).i("value", word).i("index", 0).i("size", 1);
        });
    }
}

} // namespace al

#else

namespace al {
bool BeginRaw(siginfo_t*, void*) { return false; }
void EndRaw(void*) {}
} // namespace al

#endif
