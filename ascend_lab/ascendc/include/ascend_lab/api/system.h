// What a kernel may ask about itself, masks, atomic stores, state of the core, printing.
// asc-devkit: docs/zh/api/SIMD-API/基础API/工具接口, 原子操作, 调试接口
#pragma once
#include "vector.h"

#include <cstdio>

namespace al {
void SetMaskWords(uint64_t high, uint64_t low, const char* mode, Here here);
void SetMaskLength(int64_t length, int lanes, AscendC::MaskMode mode, Here here);
void SetAtomic(const char* mode, uint8_t dtype, Here here);
void Dump(const Ref& ref, int64_t desc, int64_t count, const AscendC::ShapeInfo* shape, Here here);
void PrintFormatted(const char* format, ...);
[[noreturn]] void Trap();
[[noreturn]] void AssertFailed(const char* condition, const char* text, Here here);

template <typename T>
struct IsElement : std::false_type {};
template <typename T>
struct IsElement<Element<T>> : std::true_type {
    using type = T;
};
template <typename T>
decltype(auto) Printable(const T& value)
{
    if constexpr (std::is_same_v<T, half> || std::is_same_v<T, bfloat16_t>) {
        return static_cast<double>(static_cast<float>(value));
    } else if constexpr (std::is_same_v<T, int4b_t>) {
        return static_cast<int>(value);
    } else if constexpr (IsElement<T>::value) {
        return Printable(typename IsElement<T>::type(value.operator typename IsElement<T>::type()));
    } else {
        return (value);
    }
}
} // namespace al

namespace AscendC {

inline int64_t GetBlockIdx() { return al::DemandKernel("GetBlockIdx"), al::block->index; }
inline int64_t GetBlockNum() { return al::DemandKernel("GetBlockNum"), al::block->blocks; }
inline int64_t GetSubBlockIdx() { return 0; }
inline int64_t GetSubBlockNum() { return 1; }
inline int64_t GetTaskRation() { return 1; }
inline int64_t GetTaskRatio() { return 1; }
inline constexpr int16_t GetDataBlockSizeInBytes() { return 32; }
inline uint32_t GetUBSizeInBytes() { return static_cast<uint32_t>(al::chip.ub_usable_bytes); }
inline int64_t GetSystemCycle(AL_HERE) { return al::Rec("GetSystemCycle", al::Pipe::S, here).ask_int(); }
inline int64_t GetProgramCounter(AL_HERE) { al::NotModelled("GetProgramCounter", "", here); }
inline void GetArchVersion(uint32_t&, AL_HERE) { al::NotModelled("GetArchVersion", "", here); }
inline void Trap() { al::Trap(); }

// What some samples call although no page has it: saturation as it is.
class AscendCUtils {
public:
    static void SetOverflow(uint64_t) {}
    static int32_t GetC0Size() { return 32; }
};

inline void InitSocState(AL_HERE)
{
    al::Rec("InitSocState", al::Pipe::S, here);
    al::block->atomic = "none";
}
inline void ResetMask(AL_HERE) { al::Rec("ResetMask", al::Pipe::S, here); }
inline void SetMaskCount(AL_HERE) { al::Rec("SetMaskCount", al::Pipe::S, here); }
inline void SetMaskNorm(AL_HERE) { al::Rec("SetMaskNorm", al::Pipe::S, here); }
template <typename T, MaskMode mode = MaskMode::NORMAL>
void SetVectorMask(const uint64_t maskHigh, const uint64_t maskLow, AL_HERE)
{
    al::SetMaskWords(maskHigh, maskLow, mode == MaskMode::NORMAL ? "NORMAL" : "COUNTER", here);
}
template <typename T, MaskMode mode = MaskMode::NORMAL>
void SetVectorMask(int32_t len, AL_HERE)
{
    al::SetMaskLength(len, 256 / static_cast<int>(sizeof(T)), mode, here);
}

template <typename T>
void SetAtomicAdd(AL_HERE)
{
    al::SetAtomic("add", al::DtypeOf<T>(), here);
}
template <typename T>
void SetAtomicMax(AL_HERE)
{
    al::SetAtomic("max", al::DtypeOf<T>(), here);
}
template <typename T>
void SetAtomicMin(AL_HERE)
{
    al::SetAtomic("min", al::DtypeOf<T>(), here);
}
template <typename T>
void SetAtomicType(AL_HERE)
{
    al::SetAtomic(nullptr, al::DtypeOf<T>(), here);
}
enum class AtomicDtype { ATOMIC_NONE = 0, ATOMIC_F32, ATOMIC_F16, ATOMIC_S16, ATOMIC_S32, ATOMIC_S8, ATOMIC_BF16 };
enum class AtomicOp { ATOMIC_SUM = 0 };
template <AtomicDtype type, AtomicOp op>
void SetStoreAtomicConfig(AL_HERE)
{
    constexpr uint8_t types[] = {
        al::NO_DTYPE, al::FLOAT32, al::FLOAT16, al::INT16, al::INT32, al::INT8, al::BFLOAT16};
    al::DemandKernel("SetStoreAtomicConfig");
    al::block->stored_as = static_cast<uint16_t>(type);
    al::SetAtomic(type == AtomicDtype::ATOMIC_NONE ? "none" : "add", types[static_cast<int>(type)], here);
}

// Saturation modes are not modelled: the chip's default is in force.
enum class SaturationMode : uint8_t { FLOAT, CAST };
template <SaturationMode mode>
void SetSaturationFlag(bool, AL_HERE)
{
    al::NotModelled("SetSaturationFlag", "", here);
}
template <SaturationMode mode>
bool GetSaturationFlag(AL_HERE)
{
    al::NotModelled("GetSaturationFlag", "", here);
}
// As SetStoreAtomicConfig counts types; 0 without atomic stores. asc-devkit: .../原子操作/GetStoreAtomicConfig(ISASI).md
inline void GetStoreAtomicConfig(uint16_t& atomicType, uint16_t& atomicOp)
{
    al::DemandKernel("GetStoreAtomicConfig");
    atomicType = al::block->stored_as;
    atomicOp = 0;
}
inline void SetAtomicNone(AL_HERE) { al::SetAtomic("none", al::NO_DTYPE, here); }
inline void DisableDmaAtomic(AL_HERE) { al::SetAtomic("none", al::NO_DTYPE, here); }

template <typename T>
void DumpTensor(const LocalTensor<T>& tensor, uint32_t desc, uint32_t dumpSize, AL_HERE)
{
    al::Dump(al::Operand(tensor.ref, "DumpTensor"), desc, dumpSize, nullptr, here);
}
template <typename T>
void DumpTensor(const GlobalTensor<T>& tensor, uint32_t desc, uint32_t dumpSize, AL_HERE)
{
    al::Dump(al::Operand(tensor.ref, "DumpTensor"), desc, dumpSize, nullptr, here);
}
template <typename T>
void DumpTensor(const LocalTensor<T>& tensor, uint32_t desc, uint32_t dumpSize, const ShapeInfo& shapeInfo, AL_HERE)
{
    al::Dump(al::Operand(tensor.ref, "DumpTensor"), desc, dumpSize, &shapeInfo, here);
}
template <typename T>
void DumpTensor(const GlobalTensor<T>& tensor, uint32_t desc, uint32_t dumpSize, const ShapeInfo& shapeInfo, AL_HERE)
{
    al::Dump(al::Operand(tensor.ref, "DumpTensor"), desc, dumpSize, &shapeInfo, here);
}
template <typename T>
void DumpAccChkPoint(const LocalTensor<T>& tensor, uint32_t index, uint32_t countOff, uint32_t dumpSize, AL_HERE)
{
    al::Dump(al::Operand(tensor[countOff].ref, "DumpAccChkPoint"), index, dumpSize, nullptr, here);
}
template <typename T>
void DumpAccChkPoint(const GlobalTensor<T>& tensor, uint32_t index, uint32_t countOff, uint32_t dumpSize, AL_HERE)
{
    al::Dump(al::Operand(tensor[countOff].ref, "DumpAccChkPoint"), index, dumpSize, nullptr, here);
}
// Watching a part of UB by the chip's registers: the lab's own checks see every access.
struct CheckLocalMemoryIAParam {
    CheckLocalMemoryIAParam() = default;
    CheckLocalMemoryIAParam(uint8_t bit, uint32_t start, uint32_t end, bool scalarRead, bool scalarWrite, bool vectorRead,
        bool vectorWrite, bool mteRead, bool mteWrite, bool enable)
        : enableBit(bit), startAddr(start), endAddr(end), isScalarRead(scalarRead), isScalarWrite(scalarWrite),
          isVectorRead(vectorRead), isVectorWrite(vectorWrite), isMteRead(mteRead), isMteWrite(mteWrite), isEnable(enable)
    {}
    uint8_t enableBit = 0;
    uint32_t startAddr = 0, endAddr = 0;
    bool isScalarRead = false, isScalarWrite = false, isVectorRead = false, isVectorWrite = false, isMteRead = false,
         isMteWrite = false, isEnable = false;
    uint32_t reserved = 0;
};
inline void CheckLocalMemoryIA(const CheckLocalMemoryIAParam&, AL_HERE) { al::NotModelled("CheckLocalMemoryIA", "", here); }

// Runs a function on one kind of core. asc-devkit: docs/zh/api/SIMD-API/基础API/工具接口/执行模式/Async.md
enum class EngineType : int32_t { AIC, AIV };
template <EngineType engine, auto funPtr, class... Args>
void Async(Args... args)
{
    if (engine == EngineType::AIV ? al::IsVectorCore() : al::IsCubeCore()) {
        funPtr(args...);
    }
}

inline void MetricsProfStart(AL_HERE) { al::Rec("MetricsProfStart", al::Pipe::S, here); }
inline void MetricsProfStop(AL_HERE) { al::Rec("MetricsProfStop", al::Pipe::S, here); }

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-security"
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
template <class... Args>
[[gnu::always_inline]] inline void printf(const char* format, const Args&... args)
{
    al::PrintFormatted(format, al::Printable(args)...);
}
template <class... Args>
[[gnu::always_inline]] inline void PRINTF(const char* format, const Args&... args)
{
    al::PrintFormatted(format, al::Printable(args)...);
}
#pragma GCC diagnostic pop

// asc-devkit: docs/zh/api/SIMD-API/基础API/调试接口/上板打印/PrintTimeStamp.md. Nothing without ASCENDC_TIME_STAMP_ON. Time
// begins with the launch, so that the entry is at 0; there is no program counter.
inline void PrintTimeStamp([[maybe_unused]] uint32_t descId, AL_HERE)
{
#ifdef ASCENDC_TIME_STAMP_ON
    const auto now = static_cast<unsigned long long>(GetSystemCycle(here));
    printf("descId is %u, rsv is 0, timeStamp is %llu, pcPtr is 0, entry is 0.\n", descId, now);
#else
    static_cast<void>(here);
#endif
}

template <typename T, CacheLine entireType, DcciDst dcciDst, template <typename> class Tensor>
void DataCacheCleanAndInvalid(const Tensor<T>& dst, AL_HERE)
{
    static const char* const places[] = {"CACHELINE_ALL", "CACHELINE_UB", "CACHELINE_OUT", "CACHELINE_ATOMIC"};
    al::Rec("DataCacheCleanAndInvalid", al::Pipe::S, here)
        .src(al::Operand(dst.ref, "DataCacheCleanAndInvalid"))
        .s("lines", entireType == CacheLine::SINGLE_CACHE_LINE ? "SINGLE_CACHE_LINE" : "ENTIRE_DATA_CACHE")
        .s("to", places[static_cast<int>(dcciDst)]);
}
template <typename T, CacheLine entireType>
void DataCacheCleanAndInvalid(const GlobalTensor<T>& dst, AL_HERE)
{
    al::Rec("DataCacheCleanAndInvalid", al::Pipe::S, here)
        .src(al::Operand(dst.ref, "DataCacheCleanAndInvalid"))
        .s("lines", entireType == CacheLine::SINGLE_CACHE_LINE ? "SINGLE_CACHE_LINE" : "ENTIRE_DATA_CACHE")
        .s("to", "");
}
template <typename T>
void DataCachePreload(const GlobalTensor<uint64_t>& src, const T cacheOffset, AL_HERE)
{
    al::Rec("DataCachePreload", al::Pipe::S, here)
        .src(al::Operand(src.ref, "DataCachePreload"))
        .i("offset", static_cast<int64_t>(cacheOffset));
}
inline int64_t GetICachePreloadStatus() { return 0; }
inline void ICachePreLoad(const int64_t preFetchLen, AL_HERE)
{
    al::Rec("ICachePreLoad", al::Pipe::S, here).i("length", preFetchLen);
}

} // namespace AscendC

// assert(): the runtime takes the failure over. ascendc_assert also takes a format and its values.
#define AL_FIRST(condition, ...) #condition
#define AL_CONDITION(condition, ...) (condition)
#ifndef ascendc_assert
#define ascendc_assert(...)                                                                                           \
    do {                                                                                                              \
        if (!AL_CONDITION(__VA_ARGS__, 0)) {                                                                          \
            ::al::AssertFailed(AL_FIRST(__VA_ARGS__, 0), "", ::al::Here::now());                                      \
        }                                                                                                             \
    } while (0)
#endif
#ifndef ASCENDC_ASSERT
#define ASCENDC_ASSERT(condition, behaviour)                                                                          \
    do {                                                                                                              \
        if (!(condition)) {                                                                                           \
            behaviour;                                                                                                \
            ::al::AssertFailed(#condition, "", ::al::Here::now());                                                    \
        }                                                                                                             \
    } while (0)
#endif
