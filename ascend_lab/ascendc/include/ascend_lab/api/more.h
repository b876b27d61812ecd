// What is made of other instructions: operators of tensors, filling GM, lists of tensors, words of GM past the cache.
// asc-devkit: docs/zh/api/SIMD-API/基础API; the documentation calls several of these soft interfaces.
#pragma once
#include "../framework.h"
#include "../tiling.h"
#include "data_copy.h"
#include "sync.h"
#include "vec_binary.h"
#include "vec_cmpsel.h"
#include "vec_fill.h"

namespace AscendC {

constexpr int32_t DEFAULT_BLK_STRIDE = 1;
constexpr int32_t DEFAULT_REPEAT_STRIDE = 8;
constexpr int32_t TOTAL_VEC_LOCAL_SIZE = 184 * 1024;
constexpr int32_t TOTAL_UB_SIZE = 192 * 1024;
constexpr int32_t ONE_REPEAT_BYTE_SIZE = 256;
constexpr int32_t ONE_BYTE_BIT_SIZE = 8;

template <typename A, typename B>
constexpr auto DivCeil(A a, B b)
{
    return (a + b - 1) / b;
}
template <typename A, typename B>
constexpr auto CeilDivision(A a, B b)
{
    return b == 0 ? 0 : (a + b - 1) / b;
}
template <typename A, typename B>
constexpr auto AlignUp(A a, B b)
{
    return (a + b - 1) / b * b;
}

// `size` elements of GM become `value`, through UB that TPipe has not handed out. What follows must wait for MTE3.
template <typename T>
void Fill(GlobalTensor<T> gm, uint32_t size, T value = 0, AL_HERE)
{
    LocalTensor<T> spare;
    spare.ref = al::StackOf("Fill", al::DtypeOf<T>(), TPosition::VECCALC, -1);
    const uint32_t most = static_cast<uint32_t>(spare.ref.size) / (32 / sizeof(T)) * (32 / sizeof(T));
    const uint32_t part = size < most ? static_cast<uint32_t>(AlignUp(size, 32 / sizeof(T))) : most;
    spare.ref.size = part;
    Duplicate<T>(spare, value, static_cast<int32_t>(part), here);
    const int32_t id = GetTPipePtr()->FetchEventID(HardEvent::V_MTE3);
    SetFlag<HardEvent::V_MTE3>(id, here);
    WaitFlag<HardEvent::V_MTE3>(id, here);
    for (uint32_t done = 0; done < size; done += part) {
        const uint32_t now = size - done < part ? size - done : part;
        DataCopyPad(gm[done], spare, DataCopyExtParams(1, now * static_cast<uint32_t>(sizeof(T)), 0, 0, 0), here);
    }
}
template <typename T>
void InitOutput(GlobalTensor<T> gm, uint32_t size, T value = 0, AL_HERE)
{
    Fill<T>(gm, size, value, here);
}

// Memory itself, not the scalar unit's cache of it.
template <typename T>
al::Ref AtGm(T* addr)
{
    al::Ref ref;
    ref.space = al::GM;
    ref.dtype = al::DtypeOf<T>();
    ref.addr = reinterpret_cast<uint64_t>(addr);
    ref.size = 1;
    return ref;
}
template <typename T>
T ReadGmByPassDCache(T* addr, AL_HERE)
{
    return al::AskValue<T>(AtGm(addr), 0, here, true);
}
template <typename T>
void WriteGmByPassDCache(T* addr, al::Same<T> value, AL_HERE)
{
    al::TellValue<T>(AtGm(addr), 0, value, here, true);
}

// Between tasks of a super kernel; on Atlas A2 they compile and do nothing (docs/zh/.../任务间同步).
template <pipe_t aiv = PIPE_MTE3, pipe_t aic = PIPE_FIX, bool force = false>
void SetNextTaskStart()
{
}
template <bool force = false>
void WaitPreTaskEnd()
{
}

// Saturation modes are not modelled: the chip's default is in force.
template <int8_t first, int8_t last>
void SetCtrlSpr(int64_t, AL_HERE)
{
    al::NotModelled("SetCtrlSpr", "", here);
}
template <int8_t first, int8_t last>
void ResetCtrlSpr(AL_HERE)
{
    al::NotModelled("ResetCtrlSpr", "", here);
}
template <int8_t first, int8_t last>
int64_t GetCtrlSpr(AL_HERE)
{
    al::NotModelled("GetCtrlSpr", "", here);
}

// One flag between two pipes, by number.
template <pipe_t src, pipe_t dst>
class TQueSync {
public:
    void SetFlag(TEventID id, AL_HERE) { set_flag(src, dst, static_cast<event_t>(id), here); }
    void WaitFlag(TEventID id, AL_HERE) { wait_flag(src, dst, static_cast<event_t>(id), here); }
};

// A tensor of a list: its shape and where it lies.
template <class T>
class TensorDesc {
public:
    void SetShapeAddr(uint64_t* shape) { shape_ = shape; }
    uint64_t GetDim() const { return dim_; }
    uint64_t GetIndex() const { return index_; }
    uint64_t GetShape(uint32_t offset) const { return shape_[offset]; }
    T* GetDataPtr() const { return data_; }
    GlobalTensor<T> GetDataObj(AL_HERE) const
    {
        GlobalTensor<T> found;
        found.SetGlobalBuffer(data_, here);
        return found;
    }

private:
    friend class ListTensorDesc;
    uint64_t *shape_ = nullptr, dim_ = 0, index_ = 0;
    T* data_ = nullptr;
};

// A list of tensors in GM: the distance to its table of addresses, then (dim, index, shape...) of each tensor.
class ListTensorDesc {
public:
    ListTensorDesc() = default;
    ListTensorDesc(void* data, uint32_t = 0xffffffff, uint32_t = 0xffffffff, AL_HERE) { Init(data, 0, 0, here); }
    void Init(void* data, uint32_t = 0xffffffff, uint32_t = 0xffffffff, AL_HERE)
    {
        base_ = static_cast<uint8_t*>(data);
        offset_ = Word(base_, here);
        size_ = 0;
        for (uint8_t* at = base_ + 8; at < base_ + offset_; at += 8 + 8 * (Word(at, here) & 0xffffffffu)) {
            ++size_;
        }
    }
    uint32_t GetSize() const { return size_; }
    template <class T>
    T* GetDataPtr(uint32_t index, AL_HERE) const
    {
        return reinterpret_cast<T*>(Word(base_ + offset_ + 8ull * index, here));
    }
    template <class T>
    void GetDesc(TensorDesc<T>& desc, uint32_t index, AL_HERE) const
    {
        uint8_t* at = base_ + 8;
        for (uint32_t k = 0; k < index; ++k) {
            at += 8 + 8 * (Word(at, here) & 0xffffffffu);
        }
        const uint64_t head = Word(at, here);
        desc.dim_ = head & 0xffffffffu;
        desc.index_ = head >> 32;
        for (uint64_t k = 0; desc.shape_ != nullptr && k < desc.dim_; ++k) {
            desc.shape_[k] = Word(at + 8 + 8 * k, here);
        }
        desc.data_ = GetDataPtr<T>(index, here);
    }

private:
    static uint64_t Word(const uint8_t* from, al::Here here)
    {
        uint64_t word;
        al::ReadGm(&word, from, sizeof(word), here);
        return word;
    }
    uint8_t* base_ = nullptr;
    uint64_t offset_ = 0;
    uint32_t size_ = 0;
};

} // namespace AscendC

namespace al {

// c = a + b: the operator names the instruction, the assignment issues it for all elements of c.
template <typename T>
struct Written {
    const char* op;
    AscendC::LocalTensor<T> src0, src1;
    const char* mode = nullptr; // of a comparison
};

// An operator takes no place as an argument: it is that of the code that calls this.
void IssueWritten(const char* op, const Ref& dst, const Ref& src0, const Ref& src1, const char* mode, int64_t count);

} // namespace al

namespace AscendC {

#define AL_OPERATOR(symbol, OP)                                                                                       \
    template <typename T>                                                                                             \
    al::Written<T> operator symbol(const LocalTensor<T>& a, const LocalTensor<T>& b)                                   \
    {                                                                                                                 \
        return {OP, a, b};                                                                                            \
    }
AL_OPERATOR(+, "Add")
AL_OPERATOR(-, "Sub")
AL_OPERATOR(*, "Mul")
AL_OPERATOR(/, "Div")
AL_OPERATOR(|, "Or")
AL_OPERATOR(&, "And")
#undef AL_OPERATOR
#define AL_OPERATOR(symbol, MODE)                                                                                     \
    template <typename T>                                                                                             \
    al::Written<T> operator symbol(const LocalTensor<T>& a, const LocalTensor<T>& b)                                   \
    {                                                                                                                 \
        return {"Compare", a, b, MODE};                                                                               \
    }
AL_OPERATOR(<, "LT")
AL_OPERATOR(>, "GT")
AL_OPERATOR(==, "EQ")
AL_OPERATOR(<=, "LE")
AL_OPERATOR(>=, "GE")
AL_OPERATOR(!=, "NE")
#undef AL_OPERATOR

template <typename T>
template <typename U>
[[gnu::always_inline]] inline void LocalTensor<T>::operator=(const al::Written<U>& written)
{
    const int64_t count = written.mode != nullptr ? written.src0.ref.size : ref.size;
    al::IssueWritten(written.op, ref, written.src0.ref, written.src1.ref, written.mode, count);
}

} // namespace AscendC
