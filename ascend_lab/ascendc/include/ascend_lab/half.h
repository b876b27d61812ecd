// half and bfloat16_t: 16 bits, arithmetic in float, rounded to nearest even after every operation.
#pragma once
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace al {

#if defined(__clang__) || __GNUC__ >= 11
constexpr uint32_t BitsOf(float value) { return __builtin_bit_cast(uint32_t, value); }
constexpr float FloatOf(uint32_t bits) { return __builtin_bit_cast(float, bits); }
#else // g++ 9 and 10 cannot look at a float's bits at compile time: there they are computed
constexpr uint32_t BitsOf(float value)
{
    if (!__builtin_is_constant_evaluated()) {
        uint32_t bits = 0;
        __builtin_memcpy(&bits, &value, sizeof(bits));
        return bits;
    }
    if (value != value) {
        return 0x7fc00000u;
    }
    const uint32_t sign = value < 0 ? 0x80000000u : 0u;
    float size = value < 0 ? -value : value;
    if (size == 0) {
        return sign;
    }
    if (size > 3.4028234663852886e38f) {
        return sign | 0x7f800000u;
    }
    int exponent = 0;
    for (; size >= 2; ++exponent) {
        size /= 2;
    }
    for (; size < 1 && exponent > -126; --exponent) {
        size *= 2;
    }
    if (size < 1) {
        return sign | static_cast<uint32_t>(size * 8388608.0f);
    }
    return sign | static_cast<uint32_t>(exponent + 127) << 23 | static_cast<uint32_t>((size - 1) * 8388608.0f);
}
constexpr float FloatOf(uint32_t bits)
{
    if (!__builtin_is_constant_evaluated()) {
        float value = 0;
        __builtin_memcpy(&value, &bits, sizeof(value));
        return value;
    }
    const int exponent = static_cast<int>(bits >> 23 & 255);
    const uint32_t mantissa = bits & 0x7fffffu;
    if (exponent == 255) {
        return mantissa ? __builtin_nanf("") : bits >> 31 ? -__builtin_inff() : __builtin_inff();
    }
    float size = exponent ? 1 + static_cast<float>(mantissa) / 8388608.0f : static_cast<float>(mantissa) / 8388608.0f;
    for (int k = exponent ? exponent : 1; k > 127; --k) {
        size *= 2;
    }
    for (int k = exponent ? exponent : 1; k < 127; ++k) {
        size /= 2;
    }
    return bits >> 31 ? -size : size;
}
#endif

#ifdef __F16C__ // the processor's own conversions, at run time; the bits are those of the functions below
typedef float FourSingles __attribute__((vector_size(16)));
typedef short EightHalves __attribute__((vector_size(16)));
inline uint16_t HalfBitsOf(float value)
{
    const FourSingles singles = {value, 0, 0, 0};
    return static_cast<uint16_t>(__builtin_ia32_vcvtps2ph(singles, 0)[0]);
}
inline float HalfValueOf(uint16_t bits)
{
    const EightHalves halves = {static_cast<short>(bits), 0, 0, 0, 0, 0, 0, 0};
    return __builtin_ia32_vcvtph2ps(halves)[0];
}
#endif

constexpr uint16_t HalfBits(float value)
{
#ifdef __F16C__
    if (!__builtin_is_constant_evaluated() && value == value) { // a NaN would keep its payload
        return HalfBitsOf(value);
    }
#endif
    const uint32_t bits = BitsOf(value), sign = (bits >> 16) & 0x8000u, rest = bits & 0x7fffffffu;
    if (rest > 0x7f800000u) {
        return static_cast<uint16_t>(sign | 0x7e00u);
    }
    if (rest >= 0x47800000u) {
        return static_cast<uint16_t>(sign | 0x7c00u);
    }
    if (rest < 0x38800000u) { // subnormal: count in units of 2^-24
        const int shift = 126 - static_cast<int>(rest >> 23);
        if (shift > 24 + 1) {
            return static_cast<uint16_t>(sign);
        }
        const uint32_t mantissa = (rest & 0x7fffffu) | 0x800000u;
        uint32_t whole = shift > 31 ? 0 : mantissa >> shift;
        const uint32_t left = mantissa - (whole << shift), middle = 1u << (shift - 1);
        whole += left > middle || (left == middle && (whole & 1u)) ? 1 : 0;
        return static_cast<uint16_t>(sign | whole);
    }
    const uint32_t rounded = rest + 0xfffu + ((rest >> 13) & 1u);
    return static_cast<uint16_t>(sign | ((rounded - 0x38000000u) >> 13));
}

constexpr float HalfValue(uint16_t bits)
{
#ifdef __F16C__
    if (!__builtin_is_constant_evaluated() && (bits & 0x7fffu) <= 0x7c00u) { // a signalling NaN would be made quiet
        return HalfValueOf(bits);
    }
#endif
    const uint32_t sign = (bits & 0x8000u) << 16, exponent = (bits >> 10) & 31u, mantissa = bits & 0x3ffu;
    if (exponent == 31u) {
        return FloatOf(sign | 0x7f800000u | (mantissa << 13));
    }
    if (exponent == 0u) {
        const float size = static_cast<float>(mantissa) * 5.9604644775390625e-8f;
        return sign ? -size : size;
    }
    return FloatOf(sign | ((exponent + 112u) << 23) | (mantissa << 13));
}

constexpr uint16_t Bfloat16Bits(float value)
{
    const uint32_t bits = BitsOf(value);
    if ((bits & 0x7fffffffu) > 0x7f800000u) {
        return static_cast<uint16_t>((bits >> 16) | 0x40u);
    }
    return static_cast<uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

constexpr float Bfloat16Value(uint16_t bits) { return FloatOf(static_cast<uint32_t>(bits) << 16); }

template <uint16_t (*Encode)(float), float (*Decode)(uint16_t)>
class Float16 {
public:
    Float16() = default;
    template <typename T, typename = std::enable_if_t<std::is_arithmetic<T>::value>>
    constexpr Float16(T value) : bits_(Encode(static_cast<float>(value)))
    {}
    constexpr operator float() const { return Decode(bits_); }
    static constexpr Float16 from_bits(uint16_t bits)
    {
        return Float16(Bits{bits});
    }
    constexpr uint16_t bits() const { return bits_; }
    Float16& operator+=(float other) { return *this = Float16(static_cast<float>(*this) + other); }
    Float16& operator-=(float other) { return *this = Float16(static_cast<float>(*this) - other); }
    Float16& operator*=(float other) { return *this = Float16(static_cast<float>(*this) * other); }
    Float16& operator/=(float other) { return *this = Float16(static_cast<float>(*this) / other); }
    Float16& operator++() { return *this += 1.0f; }
    Float16& operator--() { return *this -= 1.0f; }
    Float16 operator++(int)
    {
        const Float16 before = *this;
        *this += 1.0f;
        return before;
    }
    Float16 operator--(int)
    {
        const Float16 before = *this;
        *this -= 1.0f;
        return before;
    }
    constexpr Float16 operator-() const { return from_bits(bits_ ^ 0x8000u); }

private:
    struct Bits {
        uint16_t bits;
    };
    explicit constexpr Float16(Bits given) : bits_(given.bits) {}
    uint16_t bits_;
};

} // namespace al

using half = al::Float16<al::HalfBits, al::HalfValue>;
using float16_t = half;
using bfloat16_t = al::Float16<al::Bfloat16Bits, al::Bfloat16Value>;

// Both operands of the type: `half * float` stays a float.
#define AL_ARITHMETIC(op)                                                                                           \
    template <uint16_t (*E)(float), float (*D)(uint16_t)>                                                           \
    constexpr al::Float16<E, D> operator op(al::Float16<E, D> a, al::Float16<E, D> b)                               \
    {                                                                                                               \
        return al::Float16<E, D>(static_cast<float>(a) op static_cast<float>(b));                                   \
    }
namespace al {
AL_ARITHMETIC(+)
AL_ARITHMETIC(-)
AL_ARITHMETIC(*)
AL_ARITHMETIC(/)
} // namespace al
#undef AL_ARITHMETIC

struct int4b_t { // two to a byte in a tensor; alone it takes one
    int4b_t() = default;
    constexpr int4b_t(int value) : bits(static_cast<uint8_t>(value & 0xf)) {}
    constexpr operator int() const { return (bits ^ 8) - 8; }
    uint8_t bits;
};

namespace std {
template <uint16_t (*E)(float), float (*D)(uint16_t)>
class numeric_limits<al::Float16<E, D>> {
    using T = al::Float16<E, D>;
    static constexpr bool is_half = std::is_same<T, half>::value;

public:
    static constexpr bool is_specialized = true, is_signed = true, is_integer = false, has_infinity = true,
                          has_quiet_NaN = true;
    static constexpr T max() { return T::from_bits(is_half ? 0x7bff : 0x7f7f); }
    static constexpr T lowest() { return T::from_bits(is_half ? 0xfbff : 0xff7f); }
    static constexpr T min() { return T::from_bits(is_half ? 0x0400 : 0x0080); }
    static constexpr T epsilon() { return T::from_bits(is_half ? 0x1400 : 0x3c00); }
    static constexpr T infinity() { return T::from_bits(is_half ? 0x7c00 : 0x7f80); }
    static constexpr T quiet_NaN() { return T::from_bits(is_half ? 0x7e00 : 0x7fc0); }
};
} // namespace std
