// TPipe, queues and pools: which buffer is where, and the markers and flags that say so.
// The same rules as ascend_lab/asc/language/fwk; one table of cases runs against both.
// asc-devkit: docs/zh/api/SIMD-API/基础API/同步控制/核内同步/关键特性说明.md (tables 1 and 2)
#include "ascend_lab/api/vec_transpose.h"
#include "ascend_lab/framework.h"
#include "fiber.h"

#include <algorithm>
#include <cstdio>
#include <exception>

namespace al {
namespace {

using E = HardEvent;
constexpr uint64_t BLOCK = 32;
constexpr int MOST_BUFFERS = 256;

struct EventName {
    const char* name;
    Pipe src, dst;
};
constexpr EventName EVENTS[] = {
    {"MTE2_MTE1", Pipe::MTE2, Pipe::MTE1}, {"MTE1_MTE2", Pipe::MTE1, Pipe::MTE2}, {"MTE1_M", Pipe::MTE1, Pipe::M},
    {"M_MTE1", Pipe::M, Pipe::MTE1}, {"MTE2_V", Pipe::MTE2, Pipe::V}, {"V_MTE2", Pipe::V, Pipe::MTE2},
    {"MTE3_V", Pipe::MTE3, Pipe::V}, {"V_MTE3", Pipe::V, Pipe::MTE3}, {"M_V", Pipe::M, Pipe::V},
    {"V_M", Pipe::V, Pipe::M}, {"V_V", Pipe::V, Pipe::V}, {"MTE3_MTE1", Pipe::MTE3, Pipe::MTE1},
    {"MTE1_MTE3", Pipe::MTE1, Pipe::MTE3}, {"MTE1_V", Pipe::MTE1, Pipe::V}, {"MTE2_M", Pipe::MTE2, Pipe::M},
    {"M_MTE2", Pipe::M, Pipe::MTE2}, {"V_MTE1", Pipe::V, Pipe::MTE1}, {"M_FIX", Pipe::M, Pipe::FIX},
    {"FIX_M", Pipe::FIX, Pipe::M}, {"MTE3_MTE2", Pipe::MTE3, Pipe::MTE2}, {"MTE2_MTE3", Pipe::MTE2, Pipe::MTE3},
    {"S_V", Pipe::S, Pipe::V}, {"V_S", Pipe::V, Pipe::S}, {"S_MTE2", Pipe::S, Pipe::MTE2},
    {"MTE2_S", Pipe::MTE2, Pipe::S}, {"S_MTE3", Pipe::S, Pipe::MTE3}, {"MTE3_S", Pipe::MTE3, Pipe::S},
    {"MTE2_FIX", Pipe::MTE2, Pipe::FIX}, {"FIX_MTE2", Pipe::FIX, Pipe::MTE2}, {"FIX_S", Pipe::FIX, Pipe::S},
    {"M_S", Pipe::M, Pipe::S}, {"FIX_MTE3", Pipe::FIX, Pipe::MTE3}, {"MTE1_FIX", Pipe::MTE1, Pipe::FIX},
    {"FIX_MTE1", Pipe::FIX, Pipe::MTE1}, {"FIX_FIX", Pipe::FIX, Pipe::FIX}};

struct Path {
    uint8_t src, dst;
    HardEvent enque, free;
};
// (memory a buffer is filled from, memory it is emptied into) -> events of EnQue and FreeTensor
constexpr Path PATHS[] = {{GM, UB, E::MTE2_V, E::V_MTE2}, {GM, L1, E::MTE2_MTE1, E::MTE1_MTE2},
    {GM, L0A, E::MTE2_M, E::M_MTE2}, {GM, L0B, E::MTE2_M, E::M_MTE2}, {UB, GM, E::V_MTE3, E::MTE3_V},
    {UB, L1, E::MTE3_MTE1, E::MTE1_MTE3}, {UB, UB, E::MTE2_MTE3, E::MTE3_MTE2}, {L1, UB, E::MTE1_V, E::V_MTE1},
    {L1, L0A, E::MTE1_M, E::M_MTE1}, {L1, L0B, E::MTE1_M, E::M_MTE1}, {L1, BT, E::MTE1_M, E::M_MTE1},
    {L0C, GM, E::M_FIX, E::FIX_M}, {L0C, UB, E::M_V, E::V_M}};

const Path* PathOf(uint8_t src, uint8_t dst)
{
    for (const Path& path : PATHS) {
        if (path.src == src && path.dst == dst && (src != L0C || (dst == UB) == chip.fused || dst == GM)) {
            return &path;
        }
    }
    return nullptr;
}

void Flag(bool set, HardEvent event, int id, int buffer, Here here)
{
    const Ends ends = EndsOf(event);
    Rec(set ? "SetFlag" : "WaitFlag", set ? ends.src : ends.dst, here)
        .i("src", static_cast<int>(ends.src))
        .i("dst", static_cast<int>(ends.dst))
        .i("id", id)
        .i("queue", buffer);
}

uint64_t Rounded(int64_t length) { return (static_cast<uint64_t>(length) + BLOCK - 1) / BLOCK * BLOCK; }

void TooSmall(const char* api, uint64_t wanted, uint64_t left)
{
    char zh[256], en[256];
    std::snprintf(zh, sizeof(zh), "%s：要 %llu 字节，只剩 %llu 字节。请减小长度，或让两个阶段复用一个 TBufPool。", api,
        static_cast<unsigned long long>(wanted), static_cast<unsigned long long>(left));
    std::snprintf(en, sizeof(en), "%s: %llu bytes are asked for, %llu are left. Ask for less, or let two stages share a pool.",
        api, static_cast<unsigned long long>(wanted), static_cast<unsigned long long>(left));
    Fault(zh, en);
}

void NoPipe(const char* api)
{
    const std::string name = api;
    Fault((name + "：核函数里还没有 TPipe，请先构造一个。").c_str(),
        (name + ": the kernel has no TPipe yet; construct one first.").c_str());
}

} // namespace

Ends EndsOf(HardEvent event)
{
    const EventName& found = EVENTS[static_cast<int>(event)];
    return {found.src, found.dst};
}

const char* NameOf(HardEvent event) { return EVENTS[static_cast<int>(event)].name; }

void NoMemory(const char* api)
{
    const std::string name = api;
    Fault((name + "：这个 tensor 还没有内存。").c_str(), (name + ": this tensor has no memory yet.").c_str());
}

Ref Buffer::ref(uint8_t dtype, TPosition pos) const
{
    Ref found;
    found.space = space;
    found.dtype = dtype;
    found.pos = static_cast<uint8_t>(pos);
    found.buf = id;
    found.addr = addr;
    found.size = static_cast<int64_t>(len / SizeOf[dtype]);
    return found;
}

HardEvent EnQueEvent(TPosition src, TPosition dst)
{
    const Path* path = PathOf(SpaceOf(src), SpaceOf(dst));
    if (path == nullptr) {
        Fault("没有这样的队列通路。", "there is no such path for a queue.");
    }
    return path->enque;
}

// --- queues --------------------------------------------------------------------------------------

Queue::Queue(TPosition src, TPosition dst, int depth_, bool is_buf_) : depth(depth_), is_buf(is_buf_)
{
    if (block == nullptr) { // a global object: the rules say it has no place in a kernel
        return;
    }
    id = block->queues++;
    const uint8_t from = SpaceOf(src), to = SpaceOf(dst);
    pos = to == GM ? src : dst;
    space = SpaceOf(pos);
    if (is_buf) {
        return;
    }
    const Path* path = PathOf(from, to);
    if (path == nullptr) {
        Fault("没有这样的队列通路。", "there is no such path for a queue.");
    }
    enque_event = path->enque;
    free_event = path->free;
}

void Queue::Mark(const char* op, const Ref* ref, const char* more, int64_t value, Here here)
{
    Rec rec(op, Pipe::S, here);
    if (ref != nullptr) {
        rec.dst(*ref);
    }
    rec.i("queue", id).named_at("name", init_site, is_buf ? 'b' : 'q', id).i("num", static_cast<int64_t>(buffers.size()));
    if (more != nullptr) {
        if (value < 0) {
            rec.b(more, true);
        } else {
            rec.i(more, value);
        }
    }
}

void Queue::Take(TPipeState* owner, std::vector<Buffer*> given, uint32_t site, Here here)
{
    pipe = owner;
    buffers = std::move(given);
    init_site = site;
    waiting.clear();
    cursor = allocated = 0;
    if (depth != 0 || is_buf) {
        return;
    }
    for (Buffer* buffer : buffers) { // in place: its two ids are kept, and every buffer starts as freed
        buffer->enqued = owner->Alloc(enque_event);
        buffer->freed = owner->Alloc(free_event);
        buffer->freed_by = free_event;
        Flag(true, free_event, buffer->freed, buffer->id, here);
    }
}

void Queue::Demand(bool in_place, const char* api) const
{
    if (in_place == (depth == 0)) {
        return;
    }
    char zh[160], en[160];
    std::snprintf(zh, sizeof(zh), in_place ? "%s：深度 %d 的队列不能原地操作，应写成 %s<T>()。" : "%s：深度 %d 的队列只能原地操作，应写成 %s<T>(tensor)。",
        api, depth, api);
    std::snprintf(en, sizeof(en), in_place ? "%s: a queue of depth %d is not used in place; write %s<T>()." : "%s: a queue of depth %d is used in place; write %s<T>(tensor).",
        api, depth, api);
    Fault(zh, en);
}

Buffer* Queue::NextFree()
{
    for (size_t k = 0; k < buffers.size(); ++k) {
        Buffer* buffer = buffers[cursor];
        cursor = (cursor + 1) % buffers.size();
        if (buffer->free) {
            return buffer;
        }
    }
    return nullptr;
}

Buffer* Queue::Alloc(uint8_t dtype, Here here)
{
    Buffer* buffer = NextFree();
    if (buffer == nullptr) {
        Mark("AllocTensor", nullptr, nullptr, 0, here);
        StandStill();
    }
    buffer->free = false;
    ++allocated;
    const Ref ref = buffer->ref(dtype, pos);
    Mark("AllocTensor", &ref, nullptr, 0, here);
    if (buffer->freed >= 0) {
        Flag(false, free_event, buffer->freed, buffer->id, here);
        if (depth) {
            pipe->Release(free_event, buffer->freed);
            buffer->freed = -1;
        }
    }
    return buffer;
}

void Queue::EnQue(Buffer* buffer, uint8_t dtype, HardEvent event, Here here)
{
    const bool full = depth && static_cast<int>(waiting.size()) >= depth;
    const Ref ref = buffer->ref(dtype, pos);
    Mark("EnQue", &ref, full ? "full" : nullptr, -1, here);
    if (depth == 0) {
        Flag(true, event, buffer->enqued, buffer->id, here);
        return;
    }
    if (full) {
        waiting.pop_front();
    }
    waiting.push_back(buffer);
    buffer->enqued = PipeOf("EnQue")->Alloc(event);
    Flag(true, event, buffer->enqued, buffer->id, here);
}

Buffer* Queue::DeQue(uint8_t dtype, HardEvent event, Here here)
{
    if (waiting.empty()) {
        Mark("DeQue", nullptr, nullptr, 0, here);
        StandStill();
    }
    Buffer* buffer = waiting.front();
    waiting.pop_front();
    const Ref ref = buffer->ref(dtype, pos);
    Mark("DeQue", &ref, nullptr, 0, here);
    if (buffer->enqued >= 0) {
        Flag(false, event, buffer->enqued, buffer->id, here);
        PipeOf("DeQue")->Release(event, buffer->enqued);
        buffer->enqued = -1;
    }
    return buffer;
}

void Queue::DeQueInPlace(Buffer* buffer, uint8_t dtype, Here here)
{
    const Ref ref = buffer->ref(dtype, pos);
    Mark("DeQue", &ref, nullptr, 0, here);
    Flag(false, enque_event, buffer->enqued, buffer->id, here);
}

void Queue::Free(Buffer* buffer, uint8_t dtype, Here here)
{
    const Ref ref = buffer->ref(dtype, pos);
    Mark("FreeTensor", &ref, "len", static_cast<int64_t>(buffer->len), here);
    if (depth) {
        buffer->freed = PipeOf("FreeTensor")->Alloc(free_event);
        buffer->freed_by = free_event;
        --allocated;
    }
    Flag(true, free_event, buffer->freed, buffer->id, here);
    buffer->free = true;
}

void Queue::FreeAllEvents(Here here)
{
    for (Buffer* buffer : buffers) {
        if (buffer->freed >= 0) {
            Flag(false, buffer->freed_by, buffer->freed, buffer->id, here);
            PipeOf("FreeAllEvent")->Release(buffer->freed_by, buffer->freed);
            buffer->freed = -1;
        }
    }
}

Buffer* Queue::Only(const char* api, Here here)
{
    if (buffers.empty()) {
        const std::string name = api;
        Fault((name + "：这个 TBuf 还没有内存，请先调用 pipe.InitBuffer(buf, 字节数)。").c_str(),
            (name + ": this TBuf has no memory; call pipe.InitBuffer(buf, bytes) first.").c_str(), here);
    }
    return buffers.front();
}

Buffer* Stray(const Ref& ref)
{
    Buffer* made = new Buffer; // lives as long as its kernel may use it
    made->space = ref.space;
    made->addr = ref.addr;
    made->len = static_cast<uint64_t>(ref.size) * SizeOf[ref.dtype];
    return made;
}

// --- TPipe ------------------------------------------------------------------------------------------

TPipeState::TPipeState(Here here) : end_{here.file, here.function, 0}, previous(nullptr)
{
    DemandKernel("TPipe");
    previous = block->pipe;
    Start(false, here);
    block->pipe = this;
}

TPipeState::~TPipeState()
{
    if (block == nullptr) {
        return;
    }
    if (block->pipe == this) {
        block->pipe = previous;
    }
    if (!destroyed && std::uncaught_exceptions() == 0) {
        Destroy(Here{"<end>", "", -1});
    }
}

void TPipeState::Start(bool reset, Here here)
{
    buffers.clear();
    std::fill(std::begin(top), std::end(top), 0);
    std::fill(std::begin(taken), std::end(taken), 0);
    destroyed = false;
    Rec rec("TPipe", Pipe::S, here);
    if (reset) {
        rec.b("reset", true);
    }
}

void TPipeState::Outstanding(const std::vector<Buffer*>& of, Here here)
{
    for (Buffer* buffer : of) {
        if (buffer->free && buffer->freed >= 0) {
            Flag(false, buffer->freed_by, buffer->freed, buffer->id, here);
            buffer->freed = -1;
        }
    }
}

void TPipeState::Destroy(Here here)
{
    Outstanding(buffers, here);
    destroyed = true;
    Rec("PipeBarrier", Pipe::S, here).i("pipe", static_cast<int>(Pipe::ALL));
    Rec("TPipeDestroy", Pipe::S, here);
}

void TPipeState::DestroyQuietly(Here here)
{
    Outstanding(buffers, here);
    destroyed = true;
    Rec("TPipeDestroy", Pipe::S, here);
}

void TPipeState::Reset(Here here)
{
    Outstanding(buffers, here);
    Rec("TPipeDestroy", Pipe::S, here).b("reset", true);
    Start(true, here);
}

std::vector<Buffer*> TPipeState::Place(Queue& queue, int num, int64_t asked, uint64_t addr, Here here,
    bool takes)
{
    const uint64_t length = Rounded(asked);
    const int made = std::min(std::max(num, 0), MOST_BUFFERS), first = block->buffers;
    const uint32_t site = SiteOf(here);
    Rec("InitBuffer", Pipe::S, here)
        .i("buf", first)
        .i("num", num)
        .i("addr", static_cast<int64_t>(addr))
        .i("len", static_cast<int64_t>(length))
        .i("asked", asked)
        .position("pos", static_cast<uint8_t>(queue.pos))
        .s("kind", queue.is_buf ? "buf" : "que")
        .i("queue", queue.id)
        .named_at("name", site, queue.is_buf ? 'b' : 'q', queue.id)
        .i("depth", queue.depth);
    std::vector<Buffer*> given;
    for (int k = 0; k < made; ++k) {
        owned.push_back(std::make_unique<Buffer>());
        Buffer* buffer = owned.back().get();
        buffer->id = first + k;
        buffer->space = queue.space;
        buffer->addr = addr + static_cast<uint64_t>(k) * length;
        buffer->len = length;
        given.push_back(buffer);
    }
    block->buffers += made;
    if (takes) {
        queue.Take(this, given, site, here);
    }
    return given;
}

bool TPipeState::InitBuffer(Queue& queue, int num, int64_t len, Here here)
{
    uint64_t& from = top[queue.space];
    const std::vector<Buffer*> given = Place(queue, num, len, from, here);
    buffers.insert(buffers.end(), given.begin(), given.end());
    from += given.size() * Rounded(len);
    return true;
}

std::vector<Buffer*> TPipeState::PlaceAll(
    Queue& queue, const std::vector<std::pair<uint64_t, uint64_t>>& places, Here here)
{
    std::vector<Buffer*> given;
    for (size_t k = 0, many = 1; k < places.size(); k += many) { // what lies in a row is said in one go
        const auto& [place, size] = places[k];
        const uint64_t step = Rounded(static_cast<int64_t>(size));
        for (many = 1; k + many < places.size(); ++many) {
            const auto& next = places[k + many];
            if (next.first != place + many * step || next.second != size) {
                break;
            }
        }
        const std::vector<Buffer*> some =
            Place(queue, static_cast<int>(many), static_cast<int64_t>(size), place, here, false);
        given.insert(given.end(), some.begin(), some.end());
    }
    return given;
}

bool TPipeState::InitBuffer(Queue& queue, const std::vector<std::pair<uint64_t, uint64_t>>& places)
{
    const Here here = HereOf(static_cast<char*>(__builtin_return_address(0)) - 1);
    const std::vector<Buffer*> given = PlaceAll(queue, places, here);
    buffers.insert(buffers.end(), given.begin(), given.end());
    queue.Take(this, given, SiteOf(here), here);
    for (const Buffer* buffer : given) {
        top[queue.space] = std::max(top[queue.space], buffer->addr + buffer->len);
    }
    return true;
}

int TPipeState::Fetch(HardEvent event) const
{
    const uint64_t used = taken[static_cast<int>(event)];
    return used == ~0ull ? 64 : __builtin_ctzll(~used);
}

int TPipeState::Alloc(HardEvent event)
{
    const int found = Fetch(event);
    taken[static_cast<int>(event)] |= 1ull << (found & 63);
    return found;
}

void TPipeState::Release(HardEvent event, int id)
{
    if (id >= 0) {
        taken[static_cast<int>(event)] &= ~(1ull << (id & 63));
    }
}

TPipeState* PipeOf(const char* api)
{
    DemandKernel(api);
    if (block->pipe == nullptr) {
        NoPipe(api);
    }
    return block->pipe;
}

Ref StackOf(const char* api, uint8_t dtype, TPosition pos, int64_t bytes)
{
    const uint64_t top = PipeOf(api)->top[UB];
    const uint64_t left = chip.ub_usable_bytes > top ? chip.ub_usable_bytes - top : 0;
    Ref found;
    found.space = UB;
    found.dtype = dtype;
    found.pos = static_cast<uint8_t>(pos);
    found.addr = top;
    found.size = static_cast<int64_t>((bytes < 0 ? left : static_cast<uint64_t>(bytes)) / SizeOf[dtype]);
    return found;
}

Ref AtAddress(uint64_t address, uint8_t dtype)
{
    Ref found;
    found.space = UB;
    found.dtype = dtype;
    found.pos = static_cast<uint8_t>(TPosition::VECCALC);
    found.addr = address;
    found.size = -1;
    for (TPipeState* pipe = block->pipe; pipe != nullptr; pipe = pipe->previous) {
        for (const auto& buffer : pipe->owned) {
            if (buffer->space == UB && address >= buffer->addr && address < buffer->addr + buffer->len) {
                found.buf = buffer->id; // the latest that has this place
                found.size = static_cast<int64_t>((buffer->addr + buffer->len - address) / SizeOf[dtype]);
            }
        }
    }
    return found;
}

// --- pools -------------------------------------------------------------------------------------------

void PoolState::Demand(const char* api) const
{
    if (pipe == nullptr) {
        const std::string name = api;
        Fault((name + "：这个 TBufPool 还没有内存，请先调用 pipe.InitBufPool(pool, 字节数)。").c_str(),
            (name + ": this TBufPool has no memory; call pipe.InitBufPool(pool, bytes) first.").c_str());
    }
}

void PoolState::InitBuffer(Queue& queue, int num, int64_t asked, Here here)
{
    Demand("TBufPool::InitBuffer");
    const uint64_t wanted = static_cast<uint64_t>(std::min(std::max(num, 0), MOST_BUFFERS)) * Rounded(asked);
    if (wanted > len - top) {
        TooSmall("TBufPool::InitBuffer", wanted, len - top);
    }
    const std::vector<Buffer*> given = pipe->Place(queue, num, asked, addr + top, here);
    top += wanted;
    buffers.insert(buffers.end(), given.begin(), given.end());
    pipe->buffers.insert(pipe->buffers.end(), given.begin(), given.end());
}

void PoolState::Hand(Queue& queue, size_t index, uint64_t at, uint64_t bytes, Here here)
{
    Demand("InitBufHandle");
    const uint64_t wanted = Rounded(static_cast<int64_t>(bytes));
    if (at < addr || at + wanted > addr + len) {
        TooSmall("InitBufHandle", wanted, at >= addr && at < addr + len ? addr + len - at : 0);
    }
    if (index < queue.handed.size()) {
        queue.handed[index] = {at, bytes};
    }
    if (index + 1 != queue.handed.size()) {
        return;
    }
    const std::vector<Buffer*> given = pipe->PlaceAll(queue, queue.handed, here);
    queue.Take(pipe, given, SiteOf(here), here);
    buffers.insert(buffers.end(), given.begin(), given.end());
    pipe->buffers.insert(pipe->buffers.end(), given.begin(), given.end());
}

void PoolState::Reset(Here here)
{
    Demand("TBufPool::Reset");
    pipe->Outstanding(buffers, here);
    auto& all = pipe->buffers;
    all.erase(std::remove_if(all.begin(), all.end(),
                  [this](Buffer* one) { return std::find(buffers.begin(), buffers.end(), one) != buffers.end(); }),
        all.end());
    buffers.clear();
    top = 0;
    Rec("TBufPoolReset", Pipe::S, here);
}

uint64_t Divide(const char* api, PoolState& pool, int64_t len, PoolState* share, TPipeState* pipe, uint64_t addr, uint64_t left)
{
    const uint64_t wanted = Rounded(len);
    pool.pipe = pipe;
    pool.top = 0;
    pool.buffers.clear();
    if (share != nullptr) {
        if (wanted > share->len) {
            TooSmall(api, wanted, share->len);
        }
        pool.addr = share->addr;
        pool.len = share->len;
        return 0;
    }
    if (wanted > left) {
        TooSmall(api, wanted, left);
    }
    pool.addr = addr;
    pool.len = wanted;
    return wanted;
}

} // namespace al
