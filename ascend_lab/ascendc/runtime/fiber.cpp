// Blocks as fibers: each has its own stack with a guard below it, and stops where the scalar unit must.
#include "fiber.h"
#include "ascend_lab/api/system.h"
#include "raw.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cxxabi.h>
#include <exception>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <typeinfo>
#include <unistd.h>
#include <vector>

// What kernels read as variables; set whenever a block goes on.
int64_t block_idx = 0;
int64_t block_num = 1;

namespace al {

Block* block = nullptr;
Fiber* running = nullptr;
Chip chip = {}; // told before main runs

namespace {

ucontext_t scheduler;
std::vector<char*> idle_stacks;
constexpr int SPIN_SECONDS = 10; // of CPU without an instruction

// The type of the exception that is being handled.
std::string Thrown()
{
    const std::type_info* type = abi::__cxa_current_exception_type();
    int status = 0;
    char* name = type != nullptr ? abi::__cxa_demangle(type->name(), nullptr, nullptr, &status) : nullptr;
    return name != nullptr ? name : "exception";
}

void Body()
{
    Fiber* fiber = running;
    try {
        (*fiber->body)();
        fiber->state = State::DONE;
    } catch (const std::exception& error) {
        Crash(Thrown().c_str(), error.what());
    } catch (...) {
        Crash(Thrown().c_str(), "");
    }
    fiber->ended = true;
    EndCrashed();
}

void Watch(bool on)
{
    itimerval timer = {};
    timer.it_value.tv_sec = on ? SPIN_SECONDS : 0;
    setitimer(ITIMER_VIRTUAL, &timer, nullptr);
}

const char* NameOf(int number)
{
    switch (number) {
        case SIGSEGV: return "SIGSEGV";
        case SIGBUS: return "SIGBUS";
        case SIGFPE: return "SIGFPE";
        case SIGILL: return "SIGILL";
        case SIGABRT: return "SIGABRT";
        default: return "signal";
    }
}

constexpr uint64_t GM_LOW = 1ull << 32, GM_HIGH = 1ull << 40; // addresses the model gives to GM

char* host_signal_stack = nullptr;
uint64_t host_stack_end = 0; // below it the host's stack cannot grow
constexpr uint64_t NEAR_STACK = 1 << 20;
bool told_end = false;
std::terminate_handler terminate_before = nullptr;

// How the host program dies, as the first to know tells it.
void TellEnd(const std::string& how, uint64_t address)
{
    if (told_end) {
        return;
    }
    told_end = true;
    Octets what;
    PutText(what, how.data(), how.size());
    Put<uint64_t>(what, address);
    Send('X', what);
}

[[noreturn]] void OnTerminate()
{
    if (running == nullptr && std::current_exception()) {
        try {
            std::rethrow_exception(std::current_exception());
        } catch (const std::exception& error) {
            TellEnd(Thrown() + ": " + error.what(), 0);
        } catch (...) {
            TellEnd(Thrown(), 0);
        }
    }
    terminate_before();
    std::abort();
}

void FindStack()
{
    pthread_attr_t attributes;
    void* low = nullptr;
    size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
        pthread_attr_getstack(&attributes, &low, &size);
        pthread_attr_destroy(&attributes);
    }
    host_stack_end = reinterpret_cast<uint64_t>(low);
}

// Each fiber has its own: a handler may pause in the middle.
void UseSignalStack(char* stack)
{
    stack_t wanted = {};
    wanted.ss_sp = stack;
    wanted.ss_size = SIGNAL_BYTES;
    sigaltstack(&wanted, nullptr);
}

void Die(int number)
{
    std::signal(number, SIG_DFL);
    raise(number);
}

void OnFault(int number, siginfo_t* info, void* context)
{
    if (running == nullptr) {
        const uint64_t at = number == SIGABRT ? 0 : reinterpret_cast<uint64_t>(info->si_addr);
        const bool full = number == SIGSEGV && at + NEAR_STACK > host_stack_end && at < host_stack_end + NEAR_STACK;
        TellEnd(full ? "StackOverflow" : NameOf(number), at);
        Die(number);
        return;
    }
    const uint64_t at = reinterpret_cast<uint64_t>(info->si_addr);
    char text[96];
    if (number == SIGVTALRM) {
        std::snprintf(text, sizeof(text), "%d s of CPU without an instruction", SPIN_SECONDS);
        Crash("EndlessLoop", text);
    } else if (number == SIGSEGV && InGuard(info->si_addr)) {
        Crash("StackOverflow", "the stack of the kernel is full");
    } else if (number == SIGTRAP && running->raw_size != 0) {
        EndRaw(context);
        return;
    } else if (number == SIGSEGV && at >= GM_LOW && at < GM_HIGH) {
        if (BeginRaw(info, context)) {
            return;
        }
        Crash("NotModelled", "", "__gm__ pointer", "*ptr");
    } else if (number == SIGFPE) {
        Crash("SIGFPE", "division by zero");
    } else {
        std::snprintf(text, sizeof(text), "address 0x%llx", static_cast<unsigned long long>(at));
        Crash(NameOf(number), number == SIGABRT ? "abort()" : text);
    }
    EndCrashed();
}

__attribute__((constructor(102))) void Arm()
{
    if (!Connected()) {
        return;
    }
    host_signal_stack = static_cast<char*>(
        mmap(nullptr, SIGNAL_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    UseSignalStack(host_signal_stack);
    FindStack();
    terminate_before = std::set_terminate(OnTerminate);
    struct sigaction action = {};
    action.sa_sigaction = OnFault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    for (int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGVTALRM, SIGTRAP}) {
        sigaction(number, &action, nullptr);
    }
}

char* NewStack()
{
    if (!idle_stacks.empty()) {
        char* found = idle_stacks.back();
        idle_stacks.pop_back();
        return found;
    }
    void* made = mmap(nullptr, STACK_BYTES + GUARD_BYTES + SIGNAL_BYTES, PROT_READ | PROT_WRITE,
        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (made == MAP_FAILED) {
        std::fputs("ascend-lab: no memory for the stack of a block\n", stderr);
        _exit(71);
    }
    mprotect(made, GUARD_BYTES, PROT_NONE);
    return static_cast<char*>(made);
}

} // namespace

bool InGuard(const void* address)
{
    const char* at = static_cast<const char*>(address);
    return running != nullptr && at >= running->stack && at < running->stack + GUARD_BYTES;
}

Fiber* NewFiber(uint32_t index, uint32_t blocks, const std::function<void()>* body)
{
    Fiber* fiber = new Fiber;
    fiber->block.index = index;
    fiber->block.blocks = blocks;
    fiber->body = body;
    fiber->stack = NewStack(); // guard, stack, signal stack
    fiber->signal_stack = fiber->stack + GUARD_BYTES + STACK_BYTES;
    getcontext(&fiber->context);
    fiber->context.uc_stack.ss_sp = fiber->stack + GUARD_BYTES;
    fiber->context.uc_stack.ss_size = STACK_BYTES;
    fiber->context.uc_link = nullptr;
    makecontext(&fiber->context, Body, 0);
    return fiber;
}

void Drop(Fiber* fiber)
{
    idle_stacks.push_back(fiber->stack); // whatever it held on its stack is not destroyed
    delete fiber;
}

void Run(Fiber* fiber)
{
    running = fiber;
    block = &fiber->block;
    block_idx = fiber->block.index;
    block_num = fiber->block.blocks;
    UseSignalStack(fiber->signal_stack);
    Watch(true);
    swapcontext(&scheduler, &fiber->context);
    Watch(false);
    UseSignalStack(host_signal_stack);
    running = nullptr;
    block = nullptr;
}

void Pause(State state)
{
    Fiber* fiber = running;
    fiber->state = state;
    swapcontext(&fiber->context, &scheduler);
}

void Crash(const char* kind, const std::string& message, const std::string& first, const std::string& second)
{
    Fiber* fiber = running;
    fiber->state = State::CRASH;
    fiber->ended = true;
    fiber->crash.clear();
    for (const std::string& part : {std::string(kind), message, first, second}) {
        PutText(fiber->crash, part.data(), part.size());
    }
    fiber->crash_site = fiber->last_site;
}

void EndCrashed()
{
    setcontext(&scheduler);
    std::abort();
}

void NotModelled(const char* api, const char* argument, Here here)
{
    DemandKernel(api);
    running->last_site = SiteOf(here);
    NotModelled(api, argument);
}

void NotModelled(const char* api, const char* argument)
{
    if (running == nullptr) {
        Octets what;
        PutText(what, api, std::strlen(api));
        PutText(what, argument, std::strlen(argument));
        Send('N', what);
        _exit(72);
    }
    Crash("NotModelled", "", api, argument);
    EndCrashed();
}

void Fault(const char* zh, const char* en)
{
    Crash("LabError", en, zh, en);
    EndCrashed();
}

void Fault(const char* zh, const char* en, Here here)
{
    if (running != nullptr) {
        running->last_site = SiteOf(here);
    }
    Fault(zh, en);
}

void StandStill()
{
    for (;;) {
        Pause(State::ASK);
    }
}

void DemandKernel(const char* api)
{
    if (running != nullptr) {
        return;
    }
    Octets what;
    PutText(what, api, std::strlen(api));
    if (Connected()) {
        Send('O', what); // a call of the kernel's API outside of a kernel
    }
    std::fprintf(stderr, "%s is called outside of a kernel\n", api);
    _exit(73);
}

} // namespace al

// --- what would end or print for the whole process --------------------------------------------------

extern "C" {
[[noreturn]] void __real_exit(int code);
[[noreturn]] void __real__exit(int code);

[[noreturn]] void __wrap_exit(int code)
{
    if (al::running != nullptr) {
        al::Crash("exit", "exit(" + std::to_string(code) + ")");
        al::EndCrashed();
    }
    __real_exit(code);
}

[[noreturn]] void __wrap__exit(int code)
{
    if (al::running != nullptr) {
        al::Crash("exit", "_exit(" + std::to_string(code) + ")");
        al::EndCrashed();
    }
    __real__exit(code);
}

[[noreturn]] void __real___assert_fail(const char* condition, const char* file, unsigned line, const char* function);

[[noreturn]] void __wrap___assert_fail(const char* condition, const char* file, unsigned line, const char* function)
{
    if (al::running != nullptr) {
        al::AssertFailed(condition, "", al::Here{file, function, static_cast<int>(line)});
    }
    __real___assert_fail(condition, file, line, function);
}
}
