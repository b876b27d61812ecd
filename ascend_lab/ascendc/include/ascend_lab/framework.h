// TPipe, queues, TBuf, TBufPool: the student's side. What they keep and issue is in runtime/framework.cpp.
// asc-devkit: docs/zh/api/SIMD-API/基础API/资源管理
#pragma once
#include "tensor.h"

#include <deque>
#include <memory>
#include <tuple>
#include <type_traits>
#include <vector>

namespace al {

using AscendC::HardEvent;
using AscendC::TPosition;

void EventFlag(bool set, HardEvent event, int64_t id, Here here); // of sync.h

struct Buffer {
    int id = -1;
    uint8_t space = NOWHERE;
    uint64_t addr = 0;
    uint64_t len = 0; // bytes
    bool free = true;
    int enqued = -1, freed = -1; // ids of flags raised and not waited for
    HardEvent freed_by = HardEvent::V_MTE2;
    Ref ref(uint8_t dtype, TPosition pos) const;
};

// A queue or TBuf.
class Queue {
public:
    Queue(TPosition src, TPosition dst, int depth, bool is_buf);
    Queue(const Queue&) = delete;
    Queue& operator=(const Queue&) = delete;

    Buffer* Alloc(uint8_t dtype, Here here);
    void EnQue(Buffer* buffer, uint8_t dtype, HardEvent event, Here here);
    Buffer* DeQue(uint8_t dtype, HardEvent event, Here here);
    void DeQueInPlace(Buffer* buffer, uint8_t dtype, Here here);
    void Free(Buffer* buffer, uint8_t dtype, Here here);
    void FreeAllEvents(Here here);
    Buffer* Only(const char* api, Here here); // a TBuf's

    void Take(struct ::al::TPipeState* pipe, std::vector<Buffer*> buffers, uint32_t init_site, Here here);
    void Demand(bool in_place, const char* api) const;
    void Expect(int num) { handed.assign(static_cast<size_t>(num < 0 ? 0 : num), {0, 0}); }

    int id = 0, depth = 0;
    bool is_buf = false;
    TPosition pos = TPosition::GM;
    uint8_t space = NOWHERE;
    HardEvent enque_event = HardEvent::V_V, free_event = HardEvent::V_V;
    std::vector<Buffer*> buffers;
    std::deque<Buffer*> waiting;
    std::vector<std::pair<uint64_t, uint64_t>> handed; // (address, bytes) of blocks that a kernel's own pool gives
    size_t cursor = 0, allocated = 0;
    TPipeState* pipe = nullptr;
    uint32_t init_site = 0; // of its InitBuffer, for its name

private:
    void Mark(const char* op, const Ref* ref, const char* more, int64_t value, Here here);
    Buffer* NextFree();
};

HardEvent EnQueEvent(TPosition src, TPosition dst);

// What a TPipe keeps.
struct TPipeState {
    explicit TPipeState(Here here);
    ~TPipeState();
    void Start(bool reset, Here here);
    void Destroy(Here here);
    void DestroyQuietly(Here here);
    void Reset(Here here);
    bool InitBuffer(Queue& queue, int num, int64_t len, Here here);
    bool InitBuffer(Queue& queue, const std::vector<std::pair<uint64_t, uint64_t>>& places); // called from code of no place
    std::vector<Buffer*> PlaceAll(Queue& queue, const std::vector<std::pair<uint64_t, uint64_t>>& places, Here here);
    int Fetch(HardEvent event) const;
    int Alloc(HardEvent event);
    void Release(HardEvent event, int id);
    std::vector<Buffer*> Place(Queue& queue, int num, int64_t asked, uint64_t addr, Here here, bool takes = true);
    void Outstanding(const std::vector<Buffer*>& of, Here here);

    std::vector<std::unique_ptr<Buffer>> owned;
    std::vector<Buffer*> buffers; // whose flags it waits for at its end
    uint64_t top[16] = {};
    uint64_t taken[64] = {};
    bool destroyed = false;
    Here end_;
    TPipeState* previous;
};

struct PoolState {
    uint8_t space = UB;
    TPipeState* pipe = nullptr;
    uint64_t addr = 0, len = 0, top = 0;
    std::vector<Buffer*> buffers;
    void Demand(const char* api) const;
    void InitBuffer(Queue& queue, int num, int64_t len, Here here);
    void Hand(Queue& queue, size_t index, uint64_t at, uint64_t bytes, Here here);
    void Reset(Here here);
    uint8_t blocks = 0; // what a kernel's own pool has counted
};
inline PoolState PoolOf(TPosition pos)
{
    PoolState made;
    made.space = SpaceOf(pos);
    return made;
}
// Carry out InitBufPool; the bytes it takes from `addr` on.
uint64_t Divide(const char* api, PoolState& pool, int64_t len, PoolState* share, TPipeState* pipe, uint64_t addr, uint64_t left);

TPipeState* PipeOf(const char* api); // the kernel's TPipe; ends the kernel when there is none
Ref StackOf(const char* api, uint8_t dtype, TPosition pos, int64_t bytes);
Buffer* Stray(const Ref& ref); // for a tensor that no queue gave out

template <typename T>
AscendC::LocalTensor<T> TensorOf(Buffer* buffer, TPosition pos)
{
    AscendC::LocalTensor<T> made;
    made.ref = buffer->ref(DtypeOf<T>(), pos);
    made.buffer = buffer;
    return made;
}

template <typename T>
Buffer* BufferOf(const AscendC::LocalTensor<T>& tensor, const char* api)
{
    Operand(tensor.ref, api);
    return tensor.buffer != nullptr ? tensor.buffer : Stray(tensor.ref);
}

} // namespace al

namespace AscendC {

class TPipe;

template <TPosition src, TPosition dst, int32_t depth, auto mask = 0>
class TQueBind {
public:
    TQueBind() : state(src, dst, depth, false) {}

    template <typename T>
    LocalTensor<T> AllocTensor(AL_HERE)
    {
        state.Demand(false, "AllocTensor");
        return al::TensorOf<T>(state.Alloc(al::DtypeOf<T>(), here), state.pos);
    }
    template <typename T>
    void AllocTensor(LocalTensor<T>& tensor, AL_HERE)
    {
        state.Demand(true, "AllocTensor");
        tensor = al::TensorOf<T>(state.Alloc(al::DtypeOf<T>(), here), state.pos);
    }
    template <typename T>
    bool EnQue(const LocalTensor<T>& tensor, AL_HERE)
    {
        state.EnQue(al::BufferOf(tensor, "EnQue"), al::DtypeOf<T>(), state.enque_event, here);
        return true;
    }
    template <TPosition srcUserPos, TPosition dstUserPos, typename T>
    bool EnQue(const LocalTensor<T>& tensor, AL_HERE)
    {
        state.EnQue(al::BufferOf(tensor, "EnQue"), al::DtypeOf<T>(), al::EnQueEvent(srcUserPos, dstUserPos), here);
        return true;
    }
    template <typename T>
    LocalTensor<T> DeQue(AL_HERE)
    {
        state.Demand(false, "DeQue");
        return al::TensorOf<T>(state.DeQue(al::DtypeOf<T>(), state.enque_event, here), state.pos);
    }
    template <TPosition srcUserPos, TPosition dstUserPos, typename T>
    LocalTensor<T> DeQue(AL_HERE)
    {
        return al::TensorOf<T>(
            state.DeQue(al::DtypeOf<T>(), al::EnQueEvent(srcUserPos, dstUserPos), here), state.pos);
    }
    template <typename T>
    void DeQue(LocalTensor<T>& tensor, AL_HERE)
    {
        state.Demand(true, "DeQue");
        state.DeQueInPlace(al::BufferOf(tensor, "DeQue"), al::DtypeOf<T>(), here);
    }
    template <typename T>
    void FreeTensor(const LocalTensor<T>& tensor, AL_HERE)
    {
        state.Free(al::BufferOf(tensor, "FreeTensor"), al::DtypeOf<T>(), here);
    }
    void FreeAllEvent(AL_HERE) { state.FreeAllEvents(here); }
    // For a kernel's own pool, see EXTERN_IMPL_BUFPOOL: `num` blocks are announced, then given one by one.
    template <typename Handle>
    void InitStartBufHandle(Handle, uint8_t num, uint32_t)
    {
        state.Expect(num);
    }
    template <typename Pool, typename Handle>
    void InitBufHandle(Pool* pool, uint32_t index, Handle, uint32_t curPoolAddr, uint32_t len, AL_HERE)
    {
        pool->state.Hand(state, index, curPoolAddr, len, here);
    }
    bool VacantInQue() const { return static_cast<int>(state.waiting.size()) < state.depth; }
    bool HasTensorInQue() const { return !state.waiting.empty(); }
    int32_t GetTensorCountInQue() const { return static_cast<int32_t>(state.waiting.size()); }
    bool HasIdleBuffer() const { return state.allocated < state.buffers.size(); }

    al::Queue state;

protected:
    TQueBind(bool is_buf) : state(src, dst, depth, is_buf) {}
};

namespace detail {
// TPosition of a TQue -> where it is filled and where it is emptied.
constexpr TPosition FilledAt(TPosition pos)
{
    using P = TPosition;
    switch (pos) {
        case P::VECIN: case P::A1: case P::B1: return P::GM;
        case P::C1: return P::GM;
        case P::A2: return P::A1;
        case P::B2: return P::B1;
        case P::C2: return P::C1;
        default: return pos;
    }
}
constexpr TPosition EmptiedAt(TPosition pos)
{
    using P = TPosition;
    switch (pos) {
        case P::VECOUT: case P::CO2: return P::GM;
        case P::CO1: return P::CO2;
        default: return pos;
    }
}
} // namespace detail

template <TPosition pos, int32_t depth, auto mask = 0>
class TQue : public TQueBind<detail::FilledAt(pos), detail::EmptiedAt(pos), depth, mask> {
public:
    TQue() = default;
};

template <TPosition pos = TPosition::VECCALC>
class TBuf : public TQueBind<pos, pos, 0, 0> {
    using Base = TQueBind<pos, pos, 0, 0>;

public:
    TBuf() : Base(true) {}
    template <typename T>
    LocalTensor<T> Get(AL_HERE)
    {
        return al::TensorOf<T>(this->state.Only("TBuf::Get", here), this->state.pos);
    }
    template <typename T>
    LocalTensor<T> Get(uint32_t len, AL_HERE)
    {
        LocalTensor<T> tensor = Get<T>(here);
        if (len) {
            tensor.ref.size = len;
        }
        return tensor;
    }
    template <typename T>
    LocalTensor<T> GetWithOffset(uint32_t size, uint32_t bufOffset, AL_HERE)
    {
        LocalTensor<T> tensor = Get<T>(here);
        tensor.ref.addr += bufOffset;
        tensor.ref.size = size;
        return tensor;
    }
    template <typename T>
    LocalTensor<T> AllocTensor(AL_HERE)
    {
        return Get<T>(here);
    }
    template <typename T>
    LocalTensor<T> DeQue(AL_HERE)
    {
        return Get<T>(here);
    }
    template <typename T>
    void EnQue(const LocalTensor<T>&)
    {}
    template <typename T>
    void FreeTensor(const LocalTensor<T>&)
    {}
    void FreeAllEvent() {}
};

constexpr uint32_t defaultBufIDSize = 4;

template <TPosition pos, uint32_t bufIDSize = defaultBufIDSize>
class TBufPool {
public:
    static constexpr TPosition poolPos = pos;
    TBufPool() { state.space = al::SpaceOf(pos); }
    template <class T>
    bool InitBuffer(T& que, uint8_t num, uint32_t len, AL_HERE)
    {
        state.InitBuffer(que.state, num, len, here);
        return true;
    }
    template <TPosition bufPos>
    bool InitBuffer(TBuf<bufPos>& buf, uint32_t len, AL_HERE)
    {
        state.InitBuffer(buf.state, 1, len, here);
        return true;
    }
    template <class T>
    bool InitBufPool(T& bufPool, uint32_t len)
    {
        state.Demand("TBufPool::InitBufPool");
        state.top += al::Divide("TBufPool::InitBufPool", bufPool.state, len, nullptr, state.pipe, state.addr + state.top,
            state.len - state.top);
        return true;
    }
    template <class T, class U>
    bool InitBufPool(T& bufPool, uint32_t len, U& shareBuf)
    {
        state.Demand("TBufPool::InitBufPool");
        al::Divide("TBufPool::InitBufPool", bufPool.state, len, &shareBuf.state, state.pipe, 0, 0);
        return true;
    }
    void Reset(AL_HERE) { state.Reset(here); }

    al::PoolState state;
};

class TPipe {
public:
    TPipe(AL_HERE) : state(here) {}
    TPipe(const TPipe&) = delete;
    void Init(AL_HERE) { state.Start(false, here); }
    template <class T>
    bool InitBuffer(T& que, uint8_t num, uint32_t len, AL_HERE)
    {
        return state.InitBuffer(que.state, num, len, here);
    }
    template <TPosition pos>
    bool InitBuffer(TBuf<pos>& buf, uint32_t len, AL_HERE)
    {
        return state.InitBuffer(buf.state, 1, len, here);
    }
    // Each block where (address, length) says.
    template <class T, class U, class V, class... Addrs>
    [[gnu::always_inline]] inline bool InitBuffer(T& que, const std::tuple<U, V>& addr0, const Addrs&... addrs)
    {
        const auto place = [](const auto& at) {
            return std::pair<uint64_t, uint64_t>(std::get<0>(at), std::get<1>(at));
        };
        return state.InitBuffer(que.state, {place(addr0), place(addrs)...});
    }
    template <class T>
    bool InitBufPool(T& bufPool, uint32_t len)
    {
        const uint8_t space = bufPool.state.space;
        const uint64_t all = space == al::UB ? al::chip.ub_usable_bytes : (1 << 20);
        state.top[space] += al::Divide("TPipe::InitBufPool", bufPool.state, len, nullptr, &state, state.top[space],
            all - state.top[space]);
        return true;
    }
    template <class T, class U>
    bool InitBufPool(T& bufPool, uint32_t len, U& shareBuf)
    {
        al::Divide("TPipe::InitBufPool", bufPool.state, len, &shareBuf.state, &state, 0, 0);
        return true;
    }
    template <HardEvent evt>
    TEventID AllocEventID()
    {
        return static_cast<TEventID>(state.Alloc(evt));
    }
    template <HardEvent evt>
    void ReleaseEventID(TEventID id)
    {
        state.Release(evt, id);
    }
    template <HardEvent evt>
    TEventID FetchEventID()
    {
        return static_cast<TEventID>(state.Fetch(evt));
    }
    TEventID FetchEventID(HardEvent evt) { return static_cast<TEventID>(state.Fetch(evt)); }
    void Destroy(AL_HERE) { state.Destroy(here); }
    void DestroyWithoutPipeAll(AL_HERE) { state.DestroyQuietly(here); }
    void Reset(AL_HERE) { state.Reset(here); }
    uint8_t* GetBaseAddr(int8_t) const { return nullptr; } // every memory of a core begins at its address 0

    // Part of a workspace in GM for what UB has no place for; transfers of it are waited for before and after.
    // asc-devkit: docs/zh/api/SIMD-API/基础API/资源管理/TPipe/InitSpmBuffer.md
    template <typename T>
    void InitSpmBuffer(const GlobalTensor<T>& workspace, const int32_t bufferSize)
    {
        spm_ = al::Operand(workspace.ref, "InitSpmBuffer");
        spm_bytes_ = bufferSize;
    }
    void InitSpmBuffer(const int32_t, AL_HERE) { al::NotModelled("InitSpmBuffer", "L1 Buffer", here); }
    template <typename T>
    void WriteSpmBuffer(const LocalTensor<T>& writeBuffer, const DataCopyParams& copyParams, int32_t writeOffset = 0, AL_HERE)
    {
        Spilled(writeBuffer, copyParams, writeOffset, here);
    }
    template <typename T>
    void WriteSpmBuffer(const LocalTensor<T>& writeBuffer, const int32_t writeSize, int32_t writeOffset = 0, AL_HERE)
    {
        Spilled(writeBuffer, static_cast<uint32_t>(writeSize), writeOffset, here);
    }
    template <typename T>
    void ReadSpmBuffer(const LocalTensor<T>& readBuffer, const DataCopyParams& copyParams, int32_t readOffset = 0, AL_HERE)
    {
        Restored(readBuffer, copyParams, readOffset, here);
    }
    template <typename T>
    void ReadSpmBuffer(const LocalTensor<T>& readBuffer, const int32_t readSize, int32_t readOffset = 0, AL_HERE)
    {
        Restored(readBuffer, static_cast<uint32_t>(readSize), readOffset, here);
    }

    al::TPipeState state; // first: GetTPipePtr finds the TPipe by it

private:
    void Wait(HardEvent event, al::Here here)
    {
        const int id = state.Fetch(event);
        al::EventFlag(true, event, id, here);
        al::EventFlag(false, event, id, here);
    }
    template <typename T>
    GlobalTensor<T> Spilling(const char* api, int32_t offset) const
    {
        GlobalTensor<T> place;
        place.ref = al::Operand(spm_, api);
        place.ref.dtype = al::DtypeOf<T>();
        place.ref.addr += static_cast<uint64_t>(offset);
        place.ref.size = (spm_bytes_ - offset) / static_cast<int64_t>(sizeof(T));
        return place;
    }
    template <typename T, typename Amount>
    void Spilled(const LocalTensor<T>& from, const Amount& amount, int32_t offset, al::Here here)
    {
        const GlobalTensor<T> to = Spilling<T>("WriteSpmBuffer", offset);
        Wait(HardEvent::V_MTE3, here);
        Wait(HardEvent::MTE2_MTE3, here);
        DataCopy(to, from, amount, here);
        Wait(HardEvent::MTE3_MTE2, here);
        Wait(HardEvent::MTE3_V, here);
    }
    template <typename T, typename Amount>
    void Restored(const LocalTensor<T>& to, const Amount& amount, int32_t offset, al::Here here)
    {
        const GlobalTensor<T> from = Spilling<T>("ReadSpmBuffer", offset);
        Wait(HardEvent::V_MTE2, here);
        DataCopy(to, from, amount, here);
        Wait(HardEvent::MTE2_V, here);
        Wait(HardEvent::MTE2_MTE3, here);
    }
    al::Ref spm_;
    int64_t spm_bytes_ = 0;
};

} // namespace AscendC

// Official sources call it with and without the namespace.
inline AscendC::TPipe* GetTPipePtr() { return reinterpret_cast<AscendC::TPipe*>(al::PipeOf("GetTPipePtr")); }

namespace AscendC {

using ::GetTPipePtr;

using TBufHandle = uint8_t*;

// All of a memory that TPipe has not handed out, as one tensor; not twice at a time.
template <typename T, TPosition pos>
bool PopStackBuffer(LocalTensor<T>& popLocal)
{
    popLocal = LocalTensor<T>();
    popLocal.ref = al::StackOf("PopStackBuffer", al::DtypeOf<T>(), pos, -1);
    return true;
}

} // namespace AscendC

// The body of a kernel's own pool: which addresses and blocks it has handed out.
// asc-devkit: docs/zh/api/SIMD-API/基础API/资源管理/自定义TBufPool
#define EXTERN_IMPL_BUFPOOL(EXT_BUFPOOL, POSITION, BUFID_SIZE)                                                        \
public:                                                                                                               \
    static constexpr auto poolPos = POSITION;                                                                         \
    ::al::PoolState state = ::al::PoolOf(POSITION);                                                                   \
    void Init()                                                                                                       \
    {                                                                                                                 \
        state.top = 0;                                                                                                \
        state.blocks = 0;                                                                                             \
    }                                                                                                                 \
    void Reset(AL_HERE)                                                                                               \
    {                                                                                                                 \
        state.Reset(here);                                                                                            \
        Init();                                                                                                       \
    }                                                                                                                 \
    ::AscendC::TBufHandle GetBufHandle(uint8_t offset)                                                                \
    {                                                                                                                 \
        ascendc_assert(offset < (BUFID_SIZE));                                                                        \
        return reinterpret_cast<::AscendC::TBufHandle>(static_cast<uint64_t>(offset) + 1);                            \
    }                                                                                                                 \
    void SetCurAddr(uint32_t curAddr) { state.top = curAddr - state.addr; }                                           \
    uint32_t GetCurAddr() { return static_cast<uint32_t>(state.addr + state.top); }                                   \
    void SetCurBufSize(uint8_t curBufSize) { state.blocks = curBufSize; }                                             \
    uint8_t GetCurBufSize() { return state.blocks; }
