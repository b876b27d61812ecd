// Records: what a header of ours says becomes bytes; strings and places are sent once.
#include "fiber.h"

#include <cstdio>
#include <unordered_map>

namespace al {
namespace {

Octets defined; // definitions not sent yet

// Pointers of literals -> ids: open addressing, as this stands on the path of every instruction.
struct Literals {
    struct Slot {
        const char* key;
        uint16_t id;
    };
    Slot slots[4096] = {};
    uint16_t count = 0;
    uint16_t Of(const char* key)
    {
        size_t at = (reinterpret_cast<uintptr_t>(key) * 0x9E3779B97F4A7C15ull) >> 52;
        while (slots[at].key != nullptr) {
            if (slots[at].key == key) {
                return slots[at].id;
            }
            at = (at + 1) & 4095;
        }
        slots[at] = {key, count};
        defined.push_back('s');
        PutText(defined, key, std::strlen(key));
        return count++;
    }
};
Literals literals;

constexpr char CODE[] = "@"; // the file of a place that is an address

struct SiteKey {
    const char* file;
    const char* function;
    int line;
    bool operator==(const SiteKey& o) const { return file == o.file && function == o.function && line == o.line; }
};
struct SiteHash {
    size_t operator()(const SiteKey& key) const
    {
        return reinterpret_cast<uintptr_t>(key.file) * 31 + reinterpret_cast<uintptr_t>(key.function) * 7 +
               static_cast<size_t>(key.line) * 0x9E3779B97F4A7C15ull;
    }
};
std::unordered_map<SiteKey, uint32_t, SiteHash> sites;

} // namespace

#if defined(__linux__)
extern "C" const char __executable_start;
static int64_t Offset(const void* code) { return static_cast<const char*>(code) - &__executable_start; }
#else
static int64_t Offset(const void*) { return 0; }
#endif

Here HereOf(const void* code)
{
    const int64_t at = Offset(code);
    return at > 0 && at <= INT32_MAX ? Here{CODE, "", static_cast<int>(at)} : Here{"", "", 0};
}

uint32_t SiteOf(Here here)
{
    const SiteKey key{here.file, here.function, here.line};
    const auto found = sites.find(key);
    if (found != sites.end()) {
        return found->second;
    }
    const uint32_t id = static_cast<uint32_t>(sites.size()) + 1; // 0: the kernel itself
    sites.emplace(key, id);
    defined.push_back('p');
    const std::string before = std::to_string(running != nullptr ? running->last_site : 0);
    const char* function = here.file == CODE ? before.c_str() : here.function;
    PutText(defined, here.file, std::strlen(here.file));
    PutText(defined, function, std::strlen(function));
    Put<int32_t>(defined, here.line);
    return id;
}

Octets NewDefinitions()
{
    Octets found;
    found.swap(defined);
    return found;
}

// Head of a record: size (u32), site (u32), op (u16), pipe (u8), 0 (u8). Then items.
Rec::Rec(const char* op, Pipe pipe, Here here)
{
    DemandKernel(op);
    Octets& to = running->records;
    start_ = to.size();
    const uint32_t site = running->last_site = here.line ? SiteOf(here) : running->last_site;
    Put<uint32_t>(to, 0);
    Put<uint32_t>(to, site);
    Put<uint16_t>(to, literals.Of(op));
    Put<uint8_t>(to, static_cast<uint8_t>(pipe));
    Put<uint8_t>(to, 0);
}

static void Close(size_t start)
{
    Octets& to = running->records;
    const uint32_t size = static_cast<uint32_t>(to.size() - start);
    std::memcpy(&to[start], &size, sizeof(size));
}

Rec::~Rec()
{
    if (!open_) {
        return;
    }
    Close(start_);
    if (running->records.size() >= RECORD_BYTES) {
        Pause(State::MORE);
    }
}

void Rec::item(char kind, const char* name, size_t)
{
    Octets& to = running->records;
    to.push_back(kind);
    to.push_back(0);
    Put<uint16_t>(to, literals.Of(name));
}

static void PutRef(Octets& to, char kind, const Ref& ref)
{
    to.push_back(kind);
    to.push_back(static_cast<char>(ref.space));
    to.push_back(static_cast<char>(ref.dtype));
    to.push_back(static_cast<char>(ref.pos));
    Put<int32_t>(to, ref.buf);
    Put<uint64_t>(to, ref.addr);
    Put<int64_t>(to, ref.size);
}

Rec& Rec::dst(const Ref& ref)
{
    PutRef(running->records, 'D', ref);
    return *this;
}

Rec& Rec::src(const Ref& ref)
{
    PutRef(running->records, 'R', ref);
    return *this;
}

Rec& Rec::i(const char* name, int64_t value)
{
    item('i', name, 8);
    Put(running->records, value);
    return *this;
}

Rec& Rec::f(const char* name, double value)
{
    item('f', name, 8);
    Put(running->records, value);
    return *this;
}

Rec& Rec::b(const char* name, bool value)
{
    item(value ? 'T' : 'F', name, 0);
    return *this;
}

Rec& Rec::none(const char* name)
{
    item('n', name, 0);
    return *this;
}

Rec& Rec::s(const char* name, const char* text)
{
    item('s', name, 4);
    Put<uint32_t>(running->records, literals.Of(text));
    return *this;
}

Rec& Rec::text(const char* name, const std::string& text)
{
    item('x', name, 4 + text.size());
    PutText(running->records, text.data(), text.size());
    return *this;
}

Rec& Rec::t(const char* name, std::initializer_list<int64_t> values) { return t(name, values.begin(), values.size()); }

Rec& Rec::t(const char* name, const int64_t* values, size_t count)
{
    item('t', name, 4 + 8 * count);
    Put<uint32_t>(running->records, static_cast<uint32_t>(count));
    for (size_t k = 0; k < count; ++k) {
        Put(running->records, values[k]);
    }
    return *this;
}

Rec& Rec::words(const char* name, uint64_t low, uint64_t high)
{
    item('w', name, 16);
    Put(running->records, low);
    Put(running->records, high);
    return *this;
}

Rec& Rec::named_at(const char* name, uint32_t site, char kind, int id)
{
    item('N', name, 12);
    Put<uint32_t>(running->records, site);
    Put<uint32_t>(running->records, static_cast<uint32_t>(kind));
    Put<int32_t>(running->records, id);
    return *this;
}

Rec& Rec::position(const char* name, uint8_t pos)
{
    item('P', name, 4);
    Put<uint32_t>(running->records, pos);
    return *this;
}

Rec& Rec::argument(const char* name, uint64_t addr)
{
    item('A', name, 8);
    Put(running->records, addr);
    return *this;
}

void Rec::answer()
{
    open_ = false;
    Close(start_);
    running->answer_kind = 'n';
    Pause(State::ASK);
}

int64_t Rec::ask_int()
{
    answer();
    return running->answer_kind == 'f' ? static_cast<int64_t>(running->answer_float) : running->answer_int;
}

double Rec::ask_float()
{
    answer();
    return running->answer_kind == 'f' ? running->answer_float : static_cast<double>(running->answer_int);
}

} // namespace al
