// What the rewriter writes in place of kernel<<<...>>>(...), and what it appends for each kernel.
#pragma once
#include "half.h"
#include "runtime.h"

#include <cstring>
#include <functional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace al {

struct Config {
    uint32_t blocks = 1;
    void* stream = nullptr;
    template <typename N>
    explicit Config(N n) : blocks(static_cast<uint32_t>(n))
    {}
    template <typename N, typename L>
    Config(N n, L) : blocks(static_cast<uint32_t>(n))
    {}
    template <typename N, typename L, typename S>
    Config(N n, L, S s) : blocks(static_cast<uint32_t>(n)), stream(reinterpret_cast<void*>(s))
    {}
    template <typename N, typename L>
    Config(N n, L, std::nullptr_t) : blocks(static_cast<uint32_t>(n))
    {}
    template <typename N, typename L>
    Config(N n, L, int) : blocks(static_cast<uint32_t>(n))
    {}
};

template <typename T>
Passed PassedOf(const T& value)
{
    Passed found{'s', 0};
    if constexpr (std::is_pointer_v<T>) {
        found = {'p', reinterpret_cast<uint64_t>(value)};
    } else if constexpr (std::is_same_v<T, std::nullptr_t>) {
        found = {'p', 0};
    } else if constexpr (std::is_floating_point_v<T>) {
        const double wide = value;
        found.kind = 'f';
        std::memcpy(&found.bits, &wide, sizeof(wide));
    } else if constexpr (std::is_integral_v<T> || std::is_enum_v<T>) {
        found = {'i', static_cast<uint64_t>(value)};
    }
    return found;
}

template <typename F, typename... P>
void LaunchWith(const Config& config, const char* name, Here here, F kernel, P... values)
{
    const Passed passed[sizeof...(P) + 1] = {PassedOf(values)..., Passed{0, 0}};
    std::tuple<P...> kept(values...);
    Launch(name, config.blocks, config.stream, [kernel, kept] { std::apply(kernel, kept); }, passed, sizeof...(P), here);
}

template <typename T>
struct AsIs {
    using type = T;
};

// The kernel's own parameter types convert the arguments, as a call would.
template <typename... P>
void LaunchKernel(const Config& config, const char* name, void (*kernel)(P...), Here here, typename AsIs<P>::type... values)
{
    LaunchWith<void (*)(P...), std::remove_cv_t<P>...>(config, name, here, kernel, values...);
}

// A kernel template whose arguments are deduced.
template <typename F, typename... P>
void LaunchDeduced(const Config& config, const char* name, F kernel, Here here, P... values)
{
    LaunchWith(config, name, here, kernel, values...);
}

// By name, as ACLRT_LAUNCH_KERNEL does: a structure is passed by its address.
uint32_t LaunchByName(const char* name, uint32_t blocks, void* stream, const Passed* given, size_t count, Here here);

template <typename... P>
uint32_t LaunchNamed(const char* name, Here here, uint32_t blocks, void* stream, P... values)
{
    const Passed passed[sizeof...(P) + 1] = {PassedOf(values)..., Passed{0, 0}};
    return LaunchByName(name, blocks, stream, passed, sizeof...(P), here);
}

// A kernel with its arguments as words: scalars take one, structs as many as they need.
template <typename T>
T FromWords(const uint64_t*& at)
{
    using Kept = std::remove_cv_t<std::remove_reference_t<T>>;
    alignas(Kept) unsigned char bytes[sizeof(Kept)];
    std::memcpy(bytes, at, sizeof(Kept));
    at += (sizeof(Kept) + 7) / 8;
    return *reinterpret_cast<Kept*>(bytes);
}

template <typename T>
const char* KindOf()
{
    using Kept = std::remove_cv_t<std::remove_reference_t<T>>;
    if constexpr (std::is_pointer_v<Kept>) {
        using Pointed = std::remove_cv_t<std::remove_pointer_t<Kept>>;
        if constexpr (std::is_same_v<Pointed, half>) {
            return "p:float16";
        } else if constexpr (std::is_same_v<Pointed, bfloat16_t>) {
            return "p:bfloat16";
        } else if constexpr (std::is_same_v<Pointed, float>) {
            return "p:float32";
        } else if constexpr (std::is_same_v<Pointed, int32_t>) {
            return "p:int32";
        } else {
            return "p:";
        }
    } else if constexpr (std::is_same_v<Kept, float>) {
        return "f4";
    } else if constexpr (std::is_same_v<Kept, double>) {
        return "f8";
    } else if constexpr (std::is_same_v<Kept, half>) {
        return "h";
    } else if constexpr (std::is_same_v<Kept, bool>) {
        return "b";
    } else if constexpr (std::is_integral_v<Kept>) {
        return std::is_signed_v<Kept> ? "i" : "u";
    } else {
        return "s";
    }
}

struct Registered {
    template <typename... P>
    Registered(const char* name, void (*kernel)(P...), const char* names, const char* qualifiers, const char* file,
        int line, int end)
    {
        std::string parameters = names;
        parameters += "|";
        ((parameters += KindOf<P>(), parameters += ':', parameters += std::to_string(SizeOf(static_cast<P*>(nullptr))),
             parameters += ';'),
            ...);
        Kernel(name, parameters.c_str(), qualifiers, file, line, end, [kernel](const uint64_t* words) {
            std::tuple<std::remove_cv_t<P>...> values{FromWords<P>(words)...}; // braces: in order
            std::apply(kernel, values);
        });
    }

private:
    template <typename T>
    static size_t SizeOf(T*)
    {
        return sizeof(T);
    }
};

} // namespace al

#define ACLRT_LAUNCH_KERNEL(kernel) aclrtlaunch_##kernel
#define AL_LAUNCHER(kernel)                                                                                           \
    struct AlLauncherOf_##kernel {                                                                                     \
        template <typename... P>                                                                                      \
        uint32_t operator()(uint32_t blocks, void* stream, P... values) const                                          \
        {                                                                                                             \
            return ::al::LaunchNamed(#kernel, ::al::Here::now(), blocks, stream, values...);                           \
        }                                                                                                             \
    };                                                                                                                \
    [[maybe_unused]] static const AlLauncherOf_##kernel aclrtlaunch_##kernel;
