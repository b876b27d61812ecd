// GlobalTensor and LocalTensor: where an operand starts, of what type, and how much of it there is. Never the data.
// asc-devkit: docs/zh/api/SIMD-API/基础API/数据结构
#pragma once
#include "types.h"

#include <new>

namespace al {

struct Buffer;
template <typename T>
struct Written;

[[noreturn]] void NoMemory(const char* api);

inline const Ref& Operand(const Ref& ref, const char* api)
{
    if (ref.space == NOWHERE) {
        NoMemory(api);
    }
    return ref;
}

// How many elements lie in one object of the type.
template <typename T>
constexpr int64_t IN_ONE = std::is_same_v<T, int4b_t> ? 2 : 1;

template <typename T>
constexpr int64_t BytesOf(int64_t elements)
{
    return elements * static_cast<int64_t>(sizeof(T)) / IN_ONE<T>;
}

template <typename T>
T AskValue(const Ref& ref, int64_t index, Here here, bool bypass = false)
{
    Operand(ref, "GetValue");
    Ref element = ref;
    element.addr += static_cast<uint64_t>(index * static_cast<int64_t>(SizeOf[ref.dtype]));
    element.size = ref.size >= 0 ? (ref.size > index ? ref.size - index : 0) : -1;
    Rec rec("GetValue", Pipe::S, here);
    rec.src(element).i("index", index).i("size", ref.size);
    if (bypass) rec.i("bypass", 1);
    if constexpr (IsFloat<T>) {
        return T(rec.ask_float());
    } else {
        return static_cast<T>(rec.ask_int());
    }
}

template <typename T>
void TellValue(const Ref& ref, int64_t index, T value, Here here, bool bypass = false)
{
    Operand(ref, "SetValue");
    Ref element = ref;
    element.addr += static_cast<uint64_t>(index * static_cast<int64_t>(SizeOf[ref.dtype]));
    element.size = ref.size >= 0 ? (ref.size > index ? ref.size - index : 0) : -1;
    Rec rec("SetValue", Pipe::S, here);
    rec.dst(element);
    if (bypass) rec.i("bypass", 1);
    if constexpr (IsFloat<T>) {
        rec.f("value", static_cast<double>(static_cast<float>(value)));
    } else {
        rec.i("value", static_cast<int64_t>(value));
    }
    rec.i("index", index).i("size", ref.size);
}

// A half among numbers: both steps to float at once.
template <typename T, typename E>
struct BesideNumbers {};
template <typename E>
struct BesideNumbers<half, E> {
    operator float() const { return static_cast<float>(static_cast<const E&>(*this).operator half()); }
};
template <typename E>
struct BesideNumbers<bfloat16_t, E> {
    operator float() const { return static_cast<float>(static_cast<const E&>(*this).operator bfloat16_t()); }
};

// What tensor(i) gives: reading it asks the core, assigning to it tells the core. A copy (auto x = tensor(i)) is the value.
template <typename T>
class Element : public BesideNumbers<T, Element<T>> {
public:
    Element(const Ref& ref, int64_t index, Here here) : ref_(ref), index_(index), here_(here) {}
    Element(const Element& other) : BesideNumbers<T, Element>(), value_(other.operator T()), held_(true) {}
    operator T() const { return held_ ? value_ : AskValue<T>(ref_, index_, here_); }
    Element& operator=(T value)
    {
        if (held_) {
            value_ = value;
        } else {
            TellValue<T>(ref_, index_, value, here_);
        }
        return *this;
    }
    Element& operator=(const Element& other) { return *this = other.operator T(); }
    Element& operator+=(T value) { return *this = static_cast<T>(operator T() + value); }
    Element& operator-=(T value) { return *this = static_cast<T>(operator T() - value); }
    Element& operator*=(T value) { return *this = static_cast<T>(operator T() * value); }
    Element& operator/=(T value) { return *this = static_cast<T>(operator T() / value); }

private:
    Ref ref_;
    int64_t index_ = 0;
    Here here_{"", "", 0};
    T value_{};
    bool held_ = false;
};

// In a place of the block's own: what names the element is no copy of it.
template <typename T>
Element<T>&& ElementAt(const Ref& ref, int64_t index, Here here)
{
    DemandKernel("tensor(...)");
    static_assert(sizeof(Element<T>) <= sizeof(block->elements[0]) && std::is_trivially_destructible_v<T>);
    void* place = block->elements[block->element++ % ELEMENTS];
    return std::move(*new (place) Element<T>(ref, index, here));
}

} // namespace al

namespace AscendC {

template <typename T>
class GlobalTensor {
public:
    using PrimType = T;
    GlobalTensor() = default;
    void SetGlobalBuffer(T* buffer, uint64_t bufferSize, AL_HERE) { Bind(buffer, bufferSize, here); }
    void SetGlobalBuffer(T* buffer, AL_HERE) { Bind(buffer, 0, here); }
    T* GetPhyAddr(uint64_t offset = 0) const
    {
        al::Operand(ref, "GlobalTensor::GetPhyAddr");
        return reinterpret_cast<T*>(ref.addr) + offset;
    }
    T GetValue(uint64_t offset, AL_HERE) const { return al::AskValue<T>(ref, static_cast<int64_t>(offset), here); }
    al::Element<T>&& operator()(uint64_t offset, AL_HERE) const
    {
        return al::ElementAt<T>(ref, static_cast<int64_t>(offset), here);
    }
    void SetValue(uint64_t offset, T value, AL_HERE) const { al::TellValue<T>(ref, static_cast<int64_t>(offset), value, here); }
    uint64_t GetSize() const { return ref.size > 0 ? static_cast<uint64_t>(ref.size) : 0; }
    GlobalTensor operator[](uint64_t offset) const
    {
        al::Operand(ref, "GlobalTensor[...]");
        GlobalTensor part = *this;
        const int64_t start = static_cast<int64_t>(offset);
        part.ref.addr += offset * sizeof(T);
        part.ref.size = ref.size >= 0 ? (ref.size > start ? ref.size - start : 0) : -1;
        return part;
    }
    void SetShapeInfo(const ShapeInfo& info) { shapeInfo_ = info; }
    ShapeInfo GetShapeInfo() const { return shapeInfo_; }
    template <CacheRwMode rwMode = CacheRwMode::RW>
    void SetL2CacheHint(CacheMode mode, AL_HERE)
    {
        al::Operand(ref, "SetL2CacheHint");
        const bool past = mode == CacheMode::CACHE_MODE_DISABLE;
        al::Rec("SetL2CacheHint", al::Pipe::S, here)
            .dst(ref)
            .s("mode", past ? "CACHE_MODE_DISABLE" : "CACHE_MODE_NORMAL")
            .s("kind", rwMode == CacheRwMode::READ ? "READ" : rwMode == CacheRwMode::WRITE ? "WRITE" : "RW");
    }

    al::Ref ref;
    ShapeInfo shapeInfo_;

private:
    void Bind(T* buffer, uint64_t size, al::Here here)
    {
        ref.space = al::GM;
        ref.dtype = al::DtypeOf<T>();
        ref.pos = static_cast<uint8_t>(TPosition::GM);
        ref.addr = reinterpret_cast<uint64_t>(buffer);
        ref.size = size ? static_cast<int64_t>(size) : -1;
        al::Rec("BindGlobal", al::Pipe::S, here).dst(ref).argument("name", ref.addr);
    }
};

template <typename T>
class LocalTensor {
public:
    using PrimType = T;
    LocalTensor() = default;
    LocalTensor(TPosition pos, uint32_t addr, uint32_t tileSize, AL_HERE) { Place(pos, addr, tileSize, here); }
    explicit LocalTensor(uint32_t addr, AL_HERE)
    {
        Place(TPosition::VECCALC, addr, static_cast<uint32_t>((al::chip.ub_bytes - addr) / sizeof(T)), here);
    }
    uint64_t GetPhyAddr(uint32_t offset = 0) const
    {
        return al::Operand(ref, "LocalTensor::GetPhyAddr").addr + static_cast<uint64_t>(al::BytesOf<T>(offset));
    }
    T GetValue(uint32_t index, AL_HERE) const { return al::AskValue<T>(ref, index, here); }
    al::Element<T>&& operator()(uint32_t offset, AL_HERE) const { return al::ElementAt<T>(ref, offset, here); }
    template <typename S>
    void SetValue(uint32_t index, S value, AL_HERE) const
    {
        al::TellValue<T>(ref, index, static_cast<T>(value), here);
    }
    LocalTensor operator[](uint32_t offset) const
    {
        al::Operand(ref, "LocalTensor[...]");
        LocalTensor part = *this;
        part.ref.addr += static_cast<uint64_t>(al::BytesOf<T>(offset));
        part.ref.size = ref.size > static_cast<int64_t>(offset) ? ref.size - offset : 0;
        return part;
    }
    template <typename U>
    LocalTensor<U> ReinterpretCast() const
    {
        al::Operand(ref, "LocalTensor::ReinterpretCast");
        LocalTensor<U> other;
        other.ref = ref;
        other.ref.dtype = al::DtypeOf<U>();
        other.ref.size = al::BytesOf<T>(ref.size) / static_cast<int64_t>(sizeof(U)) * al::IN_ONE<U>;
        other.buffer = buffer;
        other.shapeInfo_ = shapeInfo_;
        return other;
    }
    template <typename S>
    void SetAddrWithOffset(LocalTensor<S>& src, uint32_t offset)
    {
        ref = src.ref;
        ref.addr += static_cast<uint64_t>(offset) * sizeof(S);
        ref.dtype = al::DtypeOf<T>();
        ref.size = src.ref.size * static_cast<int64_t>(sizeof(S)) / static_cast<int64_t>(sizeof(T));
        buffer = src.buffer;
    }
    template <typename U>
    void operator=(const al::Written<U>& written); // c = a + b
    void Print(AL_HERE) const { al::NotModelled("LocalTensor::Print", "", here); }
    void Print(uint32_t, AL_HERE) const { al::NotModelled("LocalTensor::Print", "", here); }
    int32_t ToFile(const std::string&, AL_HERE) const { al::NotModelled("LocalTensor::ToFile", "", here); }
    int32_t GetPosition() const { return ref.pos; }
    void SetSize(uint32_t size) { ref.size = size; }
    uint32_t GetSize() const { return static_cast<uint32_t>(ref.size); }
    uint32_t GetLength() const { return static_cast<uint32_t>(al::BytesOf<T>(ref.size)); }
    void SetBufferLen(uint32_t bytes) { ref.size = bytes / sizeof(T); }
    void SetUserTag(TTagType tag) { tag_ = tag; }
    TTagType GetUserTag() const { return tag_; }
    void SetShapeInfo(const ShapeInfo& info) { shapeInfo_ = info; }
    ShapeInfo GetShapeInfo() const { return shapeInfo_; }

    al::Ref ref;
    al::Buffer* buffer = nullptr; // the framework's buffer it lies in
    ShapeInfo shapeInfo_;

private:
    void Place(TPosition pos, uint32_t addr, uint32_t size, al::Here here)
    {
        ref.space = al::SpaceOf(pos);
        ref.dtype = al::DtypeOf<T>();
        ref.pos = static_cast<uint8_t>(pos);
        ref.addr = addr;
        ref.size = size;
        al::Rec("Static", al::Pipe::S, here).dst(ref).named_at("name", al::SiteOf(here), 'v', 0);
    }
    TTagType tag_ = -1;
};

// Hands out one memory from its start upwards; nothing is rounded and nothing comes back.
// asc-devkit: docs/zh/api/SIMD-API/基础API/资源管理/LocalMemAllocator
template <Hardware hard = Hardware::UB>
class LocalMemAllocator {
public:
    LocalMemAllocator() = default;
    uint32_t GetCurAddr() const { return head_; }
    template <TPosition pos, class DataType, uint32_t tileSize>
    LocalTensor<DataType> Alloc(AL_HERE)
    {
        return Next<DataType>(pos, tileSize, here);
    }
    template <TPosition pos, class DataType>
    LocalTensor<DataType> Alloc(uint32_t tileSize, AL_HERE)
    {
        return Next<DataType>(pos, tileSize, here);
    }
    template <class DataType, uint32_t tileSize>
    LocalTensor<DataType> Alloc(AL_HERE)
    {
        return Next<DataType>(Own(), tileSize, here);
    }
    template <class DataType>
    LocalTensor<DataType> Alloc(uint32_t tileSize, AL_HERE)
    {
        return Next<DataType>(Own(), tileSize, here);
    }
    template <class DataType>
    LocalTensor<DataType> Alloc(AL_HERE) // as large as the Layout of a TensorTrait says
    {
        al::NotModelled("LocalMemAllocator::Alloc", "TensorTrait", here);
    }

private:
    static constexpr TPosition Own()
    {
        return hard == Hardware::UB    ? TPosition::VECCALC
               : hard == Hardware::L1  ? TPosition::A1
               : hard == Hardware::L0A ? TPosition::A2
               : hard == Hardware::L0B ? TPosition::B2
               : hard == Hardware::L0C ? TPosition::CO1
                                       : TPosition::C2;
    }
    template <class DataType>
    LocalTensor<DataType> Next(TPosition pos, uint32_t size, al::Here here)
    {
        LocalTensor<DataType> made(pos, head_, size, here);
        head_ += size * sizeof(DataType);
        return made;
    }
    uint32_t head_ = 0;
};

} // namespace AscendC
