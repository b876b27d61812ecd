// One block's strand of control, and what it has recorded. Inside the runtime only.
#pragma once
#include "ascend_lab/runtime.h"
#include "wire.h"

#include <functional>
#include <ucontext.h>

namespace al {

enum class State : char { MORE = 'm', ASK = 'a', DONE = 'd', CRASH = 'c' };

struct Fiber {
    Block block; // first: al::block points here
    ucontext_t context;
    char* stack = nullptr;
    Octets records;
    State state = State::MORE;
    Octets crash; // kind, message, zh/en or api/argument
    uint32_t crash_site = 0;
    uint32_t last_site = 0;
    char answer_kind = 'n';
    int64_t answer_int = 0;
    double answer_float = 0;
    bool ended = false;
    char* signal_stack = nullptr;
    uint64_t raw_address = 0; // of a GM word that the kernel touches right now
    size_t raw_size = 0;
    bool raw_write = false;
    int64_t raw_code = 0; // the address of the instruction that does
    const std::function<void()>* body = nullptr;
};

extern Fiber* running; // null on the host

constexpr size_t STACK_BYTES = 512 << 10, GUARD_BYTES = 64 << 10, SIGNAL_BYTES = 64 << 10;
constexpr size_t RECORD_BYTES = 48 << 10; // of one answer: some 400 instructions

Fiber* NewFiber(uint32_t index, uint32_t blocks, const std::function<void()>* body);
void Drop(Fiber* fiber);
void Run(Fiber* fiber); // until it has to stop
void Pause(State state); // called by the fiber
void Crash(const char* kind, const std::string& message, const std::string& zh = "", const std::string& en = "");
[[noreturn]] void EndCrashed(); // leaves the fiber for good
Octets NewDefinitions();         // strings and sites that the other side has not seen

// Whether an address lies in the guard pages of the running fiber's stack.
bool InGuard(const void* address);

} // namespace al
