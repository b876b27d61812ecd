// What a header of ours calls: records of instructions, questions, and the end of a kernel.
// A record says op, pipe, operands and named parameters; see docs/architecture.md for the vocabulary.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace al {

// Where the student's call stands. As a default argument it is evaluated at the call.
struct Here {
    const char* file;
    const char* function;
    int line;
    static constexpr Here now(
        const char* f = __builtin_FILE(), const char* fn = __builtin_FUNCTION(), int l = __builtin_LINE())
    {
        return Here{f, fn, l};
    }
};
// The place of an address of code. Whoever reads the record knows the line of it, or takes the one before.
Here HereOf(const void* code);
#define AL_HERE [[maybe_unused]] ::al::Here here = ::al::Here::now()

enum class Pipe : uint8_t { S = 0, V = 1, M = 2, MTE1 = 3, MTE2 = 4, MTE3 = 5, FIX = 6, ALL = 7 };

enum Space : uint8_t { NOWHERE = 0, GM = 1, UB = 2, L1 = 3, L0A = 4, L0B = 5, L0C = 6, BT = 7, FB = 8 };

// In the order of ascend_lab.ascendc.records.DTYPES.
enum Dtype : uint8_t {
    INT8, UINT8, INT16, UINT16, FLOAT16, BFLOAT16, INT32, UINT32, FLOAT32, INT64, UINT64, FLOAT64, NO_DTYPE
};

// One operand: the fields of ascend_lab.engine.instruction.Ref.
struct Ref {
    uint8_t space = NOWHERE;
    uint8_t dtype = NO_DTYPE;
    uint8_t pos = 0; // a TPosition
    int32_t buf = -1;
    uint64_t addr = 0;
    int64_t size = 0;
};

class Rec {
public:
    Rec(const char* op, Pipe pipe, Here here);
    ~Rec(); // issues it, unless `ask` did
    Rec(const Rec&) = delete;
    Rec& operator=(const Rec&) = delete;
    Rec& dst(const Ref& ref);
    Rec& src(const Ref& ref);
    Rec& i(const char* name, int64_t value);
    Rec& f(const char* name, double value);
    Rec& b(const char* name, bool value);
    Rec& none(const char* name);
    Rec& s(const char* name, const char* text);          // a literal
    Rec& text(const char* name, const std::string& text); // any text
    Rec& t(const char* name, std::initializer_list<int64_t> values);
    Rec& t(const char* name, const int64_t* values, size_t count);
    Rec& words(const char* name, uint64_t low, uint64_t high); // a mask of lanes
    Rec& named_at(const char* name, uint32_t site, char kind, int id); // a variable of the student's line
    Rec& position(const char* name, uint8_t pos);     // a TPosition, by its name
    Rec& argument(const char* name, uint64_t addr); // the kernel's argument that lies at addr
    int64_t ask_int();
    double ask_float();

private:
    void answer();
    void item(char kind, const char* name, size_t more);
    size_t start_;
    bool open_ = true;
};

uint32_t SiteOf(Here here);

[[noreturn]] void NotModelled(const char* api, const char* argument, Here here);
[[noreturn]] void NotModelled(const char* api, const char* argument = "");
[[noreturn]] void Fault(const char* zh, const char* en); // the kernel's own fault: ends it
[[noreturn]] void Fault(const char* zh, const char* en, Here here);
[[noreturn]] void StandStill();                          // the core waits for ever, as the chip's would

// --- a block's own state ---------------------------------------------------------------------
struct TPipeState;
struct Scale { // what the DEQSCALE register holds: one scale, or the place of sixteen
    bool set = false, table = false;
    float value = 0;
    int offset = 0;
    bool is_signed = true;
    Ref place;
};
constexpr uint32_t ELEMENTS = 16; // that one expression names
struct Block {
    alignas(16) unsigned char elements[ELEMENTS][112];
    uint32_t element = 0;
    uint32_t index = 0;
    uint32_t blocks = 1;
    int buffers = 0; // ids handed out by InitBuffer
    int queues = 0;  // ids handed out to TQue, TQueBind, TBuf
    const char* atomic = "none";
    uint16_t stored_as = 0; // of SetStoreAtomicConfig
    TPipeState* pipe = nullptr; // the latest TPipe
    Scale scale;
};
extern Block* block; // null on the host

struct Chip { // what the host tells a kernel about the chip
    uint64_t ub_bytes, ub_usable_bytes, block_bytes, l1_bytes, l0a_bytes, l0b_bytes, l0c_bytes, l2_bytes, gm_bytes;
    uint32_t vector_cores, cube_cores;
    bool fused; // one core for vector and cube
};
extern Chip chip;

void DemandKernel(const char* api); // ends the program when no kernel runs

// --- kernels and launches ---------------------------------------------------------------------
struct Kernel { // registered by the rewritten source
    Kernel(const char* name, const char* parameters, const char* qualifiers, const char* file, int line, int end,
        std::function<void(const uint64_t* words)> invoke);
};

// What the host passes at a launch, for the engine to know: pointers by value.
struct Passed {
    char kind; // 'p' pointer, 'i', 'f', 's' struct
    uint64_t bits;
};
void Launch(const char* name, uint32_t blocks, void* stream, std::function<void()> body, const Passed* passed,
    size_t count, Here here);

// --- calls of the host program ------------------------------------------------------------------
// A call has plain values and gets plain values back; the other side reads and writes memory by itself.
class HostCall {
public:
    explicit HostCall(const char* name);
    HostCall& i(int64_t value);
    HostCall& p(const void* value);
    HostCall& s(const char* text);
    HostCall& go(); // sends it and waits
    int64_t status() const; // the first value of the answer
    int64_t value(size_t k) const;
    const std::string& text(size_t k) const;

private:
    std::string sent_;
    std::string values_[8];
    int64_t numbers_[8] = {};
};

} // namespace al
