// The host program's side: launches, calls of the runtime library, and what the lab asks of this process.
#include "ascend_lab/launch.h"
#include "ascend_lab/tiling.h"
#include "fiber.h"

#include <csetjmp>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <unistd.h>
#include <unordered_map>
#include <vector>

namespace al {
namespace {

struct Launched {
    std::function<void()> body;
    uint32_t blocks;
    std::unordered_map<uint32_t, Fiber*> fibers;
};
std::unordered_map<uint32_t, std::unique_ptr<Launched>> launches;
uint32_t next_launch = 0;

struct Described {
    std::string name, parameters, qualifiers, file;
    int line, end;
    std::function<void(const uint64_t*)> invoke;
};
std::vector<Described>& Kernels()
{
    static std::vector<Described> kernels;
    return kernels;
}

void Resume(const char* at)
{
    const uint32_t launch = Take<uint32_t>(at), index = Take<uint32_t>(at);
    const char kind = Take<char>(at);
    const int64_t whole = Take<int64_t>(at);
    const double real = Take<double>(at);
    Launched& launched = *launches.at(launch);
    Fiber*& fiber = launched.fibers[index];
    if (fiber == nullptr) {
        fiber = NewFiber(index, launched.blocks, &launched.body);
    }
    fiber->answer_kind = kind;
    fiber->answer_int = whole;
    fiber->answer_float = real;
    if (!fiber->ended) {
        Run(fiber);
    }
    const Octets definitions = NewDefinitions();
    Octets head;
    head.push_back(static_cast<char>(fiber->state));
    PutText(head, definitions.data(), definitions.size());
    Put<uint32_t>(head, fiber->crash_site);
    PutText(head, fiber->crash.data(), fiber->crash.size());
    Send('B', head, fiber->records.data(), fiber->records.size());
    fiber->records.clear();
    if (fiber->ended) {
        Drop(fiber);
        launched.fibers.erase(index);
    }
}

// Its blocks are dropped; it may be opened again, as each run of a schedule does.
void DropBlocks(const char* at)
{
    const auto found = launches.find(Take<uint32_t>(at));
    if (found == launches.end()) {
        return;
    }
    for (auto& entry : found->second->fibers) {
        Drop(entry.second);
    }
    found->second->fibers.clear();
}

void ForgetLaunch(const char* at)
{
    DropBlocks(at);
    launches.erase(Take<uint32_t>(at));
}

// Reading and writing this process's memory for the other side, wherever it points.
sigjmp_buf bad_access;
volatile sig_atomic_t touching = 0;

void OnBadAccess(int) { siglongjmp(bad_access, 1); }

template <typename F>
bool Safely(F touch)
{
    struct sigaction action = {}, old_segv = {}, old_bus = {};
    action.sa_handler = OnBadAccess;
    action.sa_flags = SA_ONSTACK | SA_NODEFER;
    sigaction(SIGSEGV, &action, &old_segv);
    sigaction(SIGBUS, &action, &old_bus);
    bool good = false;
    if (sigsetjmp(bad_access, 1) == 0) {
        touch();
        good = true;
    }
    sigaction(SIGSEGV, &old_segv, nullptr);
    sigaction(SIGBUS, &old_bus, nullptr);
    return good;
}

void Peek(const char* at)
{
    const uint64_t address = Take<uint64_t>(at), size = Take<uint64_t>(at);
    const char* from = reinterpret_cast<const char*>(address);
    volatile char sink = 0;
    const bool good = Safely([&] {
        for (uint64_t k = 0; k < size; k += 4096) {
            sink = from[k];
        }
        if (size) {
            sink = from[size - 1];
        }
    });
    (void)sink;
    Send(good ? 'D' : 'E', Octets(), good ? from : nullptr, good ? size : 0);
}

void Poke(const Octets& body)
{
    const char* at = body.data();
    const uint64_t address = Take<uint64_t>(at);
    const size_t size = body.size() - 8;
    char* to = reinterpret_cast<char*>(address);
    const bool good = Safely([&] { std::memcpy(to, at, size); });
    Send(good ? 'D' : 'E', Octets());
}

// Call a function of the host program: a callback of a stream.
void Call(const char* at)
{
    auto function = reinterpret_cast<void (*)(void*)>(Take<uint64_t>(at));
    function(reinterpret_cast<void*>(Take<uint64_t>(at)));
    Send('D', Octets());
}

void Say(const Octets& body)
{
    std::fwrite(body.data(), 1, body.size(), stdout);
}

void SetChip(const char* at)
{
    chip.ub_bytes = Take<uint64_t>(at);
    chip.ub_usable_bytes = Take<uint64_t>(at);
    chip.block_bytes = Take<uint64_t>(at);
    chip.l1_bytes = Take<uint64_t>(at);
    chip.l0a_bytes = Take<uint64_t>(at);
    chip.l0b_bytes = Take<uint64_t>(at);
    chip.l0c_bytes = Take<uint64_t>(at);
    chip.l2_bytes = Take<uint64_t>(at);
    chip.gm_bytes = Take<uint64_t>(at);
    chip.vector_cores = static_cast<uint32_t>(Take<uint64_t>(at));
    chip.cube_cores = static_cast<uint32_t>(Take<uint64_t>(at));
    chip.fused = Take<uint64_t>(at) != 0;
}

void SetTilingKey(const char* at) { al::SetTilingKey(Take<uint64_t>(at)); }

void SayKernels()
{
    Octets body;
    for (const Described& kernel : Kernels()) {
        for (const std::string* part : {&kernel.name, &kernel.parameters, &kernel.qualifiers, &kernel.file}) {
            PutText(body, part->data(), part->size());
        }
        Put<int32_t>(body, kernel.line);
        Put<int32_t>(body, kernel.end);
        body.push_back(kernel.invoke ? 1 : 0);
    }
    Send('K', body);
}

// Open a registered kernel with arguments as words (structs: their bytes in words).
void Open(const Octets& body)
{
    const char* at = body.data();
    const uint32_t which = Take<uint32_t>(at), blocks = Take<uint32_t>(at), count = Take<uint32_t>(at);
    std::vector<uint64_t> words(count);
    std::memcpy(words.data(), at, 8 * count);
    const auto invoke = Kernels().at(which).invoke;
    const uint32_t id = next_launch++;
    auto made = std::make_unique<Launched>();
    made->blocks = blocks;
    made->body = [invoke, words] { invoke(words.data()); };
    launches[id] = std::move(made);
    Octets head;
    Put<uint32_t>(head, id);
    Send('D', head);
}

} // namespace

void ServeUntilReply(Octets& reply)
{
    Octets body;
    for (;;) {
        switch (Receive(body)) {
            case 'A': reply.swap(body); return;
            case 'R': Resume(body.data()); break;
            case 'Q': DropBlocks(body.data()); break;
            case 'F': ForgetLaunch(body.data()); break;
            case 'P': Peek(body.data()); break;
            case 'W': Poke(body); break;
            case 'C': Call(body.data()); break;
            case 'T': Say(body); break;
            case 'H': SetChip(body.data()); break;
            case 'Y': SetTilingKey(body.data()); break;
            case 'K': SayKernels(); break;
            case 'O': Open(body); break;
            default: _exit(74);
        }
    }
}

Kernel::Kernel(const char* name, const char* parameters, const char* qualifiers, const char* file, int line, int end,
    std::function<void(const uint64_t* words)> invoke)
{
    Kernels().push_back({name, parameters, qualifiers, file, line, end, invoke});
}

void Launch(const char* name, uint32_t blocks, void* stream, std::function<void()> body, const Passed* passed,
    size_t count, Here here)
{
    const uint32_t id = next_launch++;
    auto made = std::make_unique<Launched>();
    made->blocks = blocks;
    made->body = std::move(body);
    launches[id] = std::move(made);
    HostCall call("launch");
    call.i(id).s(name).i(blocks).p(stream).s(here.file).i(here.line);
    for (size_t k = 0; k < count; ++k) {
        const char kind[2] = {passed[k].kind, 0};
        call.s(kind).i(static_cast<int64_t>(passed[k].bits));
    }
    call.go();
}

uint32_t LaunchByName(const char* name, uint32_t blocks, void* stream, const Passed* given, size_t count, Here here)
{
    const Described* found = nullptr;
    for (const Described& kernel : Kernels()) {
        found = kernel.name == name && kernel.invoke ? &kernel : found;
    }
    if (found == nullptr) {
        std::fprintf(stderr, "there is no kernel %s in this program\n", name);
        return 1;
    }
    std::vector<uint64_t> words;
    std::vector<Passed> told(given, given + count);
    const char* kinds = found->parameters.c_str() + found->parameters.find('|') + 1;
    for (size_t k = 0; k < count && *kinds != 0; ++k) { // each: kind ':' bytes ';'
        const char* end = std::strchr(kinds, ';');
        const char* colon = end;
        while (*colon != ':') {
            --colon;
        }
        const size_t size = std::strtoul(colon + 1, nullptr, 10);
        const size_t at = words.size();
        words.resize(at + (size + 7) / 8);
        if (*kinds == 's' && given[k].kind == 'p') {
            std::memcpy(&words[at], reinterpret_cast<const void*>(given[k].bits), size);
            told[k] = Passed{'s', 0};
        } else if (given[k].kind == 'f' && size == 4) {
            double wide;
            std::memcpy(&wide, &given[k].bits, sizeof(wide));
            const float narrow = static_cast<float>(wide);
            std::memcpy(&words[at], &narrow, sizeof(narrow));
        } else {
            words[at] = given[k].bits;
        }
        kinds = end + 1;
    }
    const auto invoke = found->invoke;
    Launch(name, blocks, stream, [invoke, words] { invoke(words.data()); }, told.data(), count, here);
    return 0;
}

HostCall::HostCall(const char* name)
{
    if (running != nullptr) {
        Crash("LabError", std::string(name) + " is a function of the host",
            std::string(name) + " 是主机侧接口，不能在核函数里调用。",
            std::string(name) + " is for the host; a kernel cannot call it.");
        EndCrashed();
    }
    if (!Connected()) {
        std::fputs("Run this program with: ascend-lab run FILE\n", stderr);
        _exit(2);
    }
    PutText(sent_, name, std::strlen(name));
}

HostCall& HostCall::i(int64_t value)
{
    sent_.push_back('i');
    Put(sent_, value);
    return *this;
}

HostCall& HostCall::p(const void* value) { return i(static_cast<int64_t>(reinterpret_cast<uint64_t>(value))); }

HostCall& HostCall::s(const char* text)
{
    sent_.push_back(text == nullptr ? 'n' : 's');
    if (text != nullptr) {
        PutText(sent_, text, std::strlen(text));
    }
    return *this;
}

HostCall& HostCall::go()
{
    Send('H', sent_);
    Octets reply;
    ServeUntilReply(reply);
    const char *at = reply.data(), *end = at + reply.size();
    for (size_t k = 0; at < end && k < 8; ++k) {
        if (Take<char>(at) == 'i') {
            numbers_[k] = Take<int64_t>(at);
        } else {
            const uint32_t size = Take<uint32_t>(at);
            values_[k].assign(at, size);
            at += size;
        }
    }
    return *this;
}

int64_t HostCall::status() const { return numbers_[0]; }
int64_t HostCall::value(size_t k) const { return numbers_[k]; }
const std::string& HostCall::text(size_t k) const { return values_[k]; }

static void Print(const std::string& text, const void* called)
{
    Rec("Printf", Pipe::S, HereOf(static_cast<const char*>(called) - 1)).text("text", text);
}

} // namespace al

// --- main, and what prints -----------------------------------------------------------------------------

extern "C" {
__attribute__((weak)) int __real_main(int argc, char** argv, char** env);

int __wrap_main(int argc, char** argv, char** env)
{
    if (!al::Connected()) {
        std::fputs("Run this program with: ascend-lab run FILE\n", stderr);
        return 2;
    }
    al::HostCall hello("hello");
    hello.i(&__real_main != nullptr).go();
    if (hello.value(0) == 0) { // kernels only: the other side hangs up, or replies, at the end
        return 0;
    }
    const int code = __real_main(argc, argv, env);
    std::fflush(stdout);
    al::HostCall("bye").i(code).go();
    return code;
}

int __real_vprintf(const char* format, va_list values);
int __real_puts(const char* text);
int __real_putchar(int character);

static int Format(const char* format, va_list values, const void* called)
{
    char text[4096];
    const int size = std::vsnprintf(text, sizeof(text), format, values);
    al::Print(text, called);
    return size;
}

int __wrap_vprintf(const char* format, va_list values)
{
    return al::running != nullptr ? Format(format, values, __builtin_return_address(0)) : vfprintf(stdout, format, values);
}

int __wrap_printf(const char* format, ...)
{
    va_list values;
    va_start(values, format);
    const int size = al::running != nullptr ? Format(format, values, __builtin_return_address(0))
                                             : vfprintf(stdout, format, values);
    va_end(values);
    return size;
}

int __wrap_puts(const char* text)
{
    if (al::running == nullptr) {
        return __real_puts(text);
    }
    al::Print(std::string(text) + "\n", __builtin_return_address(0));
    return 1;
}

int __wrap_putchar(int character)
{
    if (al::running == nullptr) {
        return __real_putchar(character);
    }
    al::Print(std::string(1, static_cast<char>(character)), __builtin_return_address(0));
    return character;
}
}

// Host memory for copies: real memory of this process, which the other side is told of.
int aclrtMallocHost(void** to, size_t size, al::Here here)
{
    void* made = size && to != nullptr ? std::aligned_alloc(64, (size + 63) / 64 * 64) : nullptr;
    al::HostCall call("aclrtMallocHost");
    call.p(to).i(static_cast<int64_t>(size)).p(made).s(here.file).i(here.line).go();
    if (call.status() == 0) {
        *to = made;
    } else {
        std::free(made);
    }
    return static_cast<int>(call.status());
}

int aclrtFreeHost(void* memory, al::Here here)
{
    al::HostCall call("aclrtFreeHost");
    call.p(memory).s(here.file).i(here.line).go();
    if (call.status() == 0) {
        std::free(memory);
    }
    return static_cast<int>(call.status());
}
