// Types of tensors as the graph engine numbers them. asc-devkit: docs/zh/api/Utils-API, "DataType", "Format".
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

namespace ge {

using graphStatus = uint32_t;
constexpr graphStatus GRAPH_SUCCESS = 0;
constexpr graphStatus GRAPH_FAILED = 0xFFFFFFFF;
constexpr graphStatus GRAPH_PARAM_INVALID = 50331649;
constexpr graphStatus GRAPH_NOT_CHANGED = 1343242304;
constexpr graphStatus SUCCESS = 0;
constexpr graphStatus FAILED = 0xFFFFFFFF;

enum DataType : int {
    DT_FLOAT = 0, DT_FLOAT16 = 1, DT_INT8 = 2, DT_INT32 = 3, DT_UINT8 = 4, DT_INT16 = 6, DT_UINT16 = 7, DT_UINT32 = 8,
    DT_INT64 = 9, DT_UINT64 = 10, DT_DOUBLE = 11, DT_BOOL = 12, DT_STRING = 13, DT_DUAL_SUB_INT8 = 14,
    DT_DUAL_SUB_UINT8 = 15, DT_COMPLEX64 = 16, DT_COMPLEX128 = 17, DT_QINT8 = 18, DT_QINT16 = 19, DT_QINT32 = 20,
    DT_QUINT8 = 21, DT_QUINT16 = 22, DT_RESOURCE = 23, DT_STRING_REF = 24, DT_DUAL = 25, DT_VARIANT = 26, DT_BF16 = 27,
    DT_UNDEFINED = 28, DT_INT4 = 29, DT_UINT1 = 30, DT_INT2 = 31, DT_UINT2 = 32, DT_COMPLEX32 = 33, DT_HIFLOAT8 = 34,
    DT_FLOAT8_E5M2 = 35, DT_FLOAT8_E4M3FN = 36, DT_FLOAT8_E8M0 = 37, DT_FLOAT4_E2M1 = 40, DT_FLOAT4_E1M2 = 41, DT_MAX
};

enum Format : int {
    FORMAT_NCHW = 0, FORMAT_NHWC = 1, FORMAT_ND = 2, FORMAT_NC1HWC0 = 3, FORMAT_FRACTAL_Z = 4, FORMAT_HWCN = 16,
    FORMAT_NDHWC = 27, FORMAT_FRACTAL_NZ = 29, FORMAT_NCDHW = 30, FORMAT_DHWCN = 31, FORMAT_NDC1HWC0 = 32,
    FORMAT_FRACTAL_Z_3D = 33, FORMAT_NC = 35, FORMAT_NCL = 47, FORMAT_RESERVED = 0xff, FORMAT_NULL = 0xff00
};

inline int GetSizeByDataType(DataType type)
{
    switch (type) {
        case DT_INT8: case DT_UINT8: case DT_BOOL: case DT_QINT8: case DT_QUINT8: case DT_HIFLOAT8: case DT_FLOAT8_E5M2:
        case DT_FLOAT8_E4M3FN: case DT_FLOAT8_E8M0: return 1;
        case DT_FLOAT16: case DT_BF16: case DT_INT16: case DT_UINT16: case DT_QINT16: case DT_QUINT16: return 2;
        case DT_FLOAT: case DT_INT32: case DT_UINT32: case DT_QINT32: case DT_COMPLEX32: return 4;
        case DT_INT64: case DT_UINT64: case DT_DOUBLE: case DT_COMPLEX64: return 8;
        case DT_COMPLEX128: return 16;
        case DT_INT4: case DT_FLOAT4_E2M1: case DT_FLOAT4_E1M2: return 1004; // bits, with this offset
        default: return -1;
    }
}

inline const char* NameOf(DataType type)
{
    switch (type) {
        case DT_FLOAT: return "DT_FLOAT";
        case DT_FLOAT16: return "DT_FLOAT16";
        case DT_INT8: return "DT_INT8";
        case DT_INT16: return "DT_INT16";
        case DT_INT32: return "DT_INT32";
        case DT_INT64: return "DT_INT64";
        case DT_UINT8: return "DT_UINT8";
        case DT_UINT16: return "DT_UINT16";
        case DT_UINT32: return "DT_UINT32";
        case DT_UINT64: return "DT_UINT64";
        case DT_DOUBLE: return "DT_DOUBLE";
        case DT_BOOL: return "DT_BOOL";
        case DT_BF16: return "DT_BF16";
        case DT_INT4: return "DT_INT4";
        case DT_STRING: return "DT_STRING";
        case DT_COMPLEX64: return "DT_COMPLEX64";
        default: return "DT_UNDEFINED";
    }
}

class AscendString {
public:
    AscendString() = default;
    AscendString(const char* text) : text_(text == nullptr ? "" : text) {}
    const char* GetString() const { return text_.c_str(); }
    size_t GetLength() const { return text_.size(); }
    bool operator==(const AscendString& other) const { return text_ == other.text_; }
    bool operator<(const AscendString& other) const { return text_ < other.text_; }

private:
    std::string text_;
};

class TypeUtils {
public:
    static bool GetDataTypeLength(DataType type, uint32_t& length)
    {
        const int size = GetSizeByDataType(type);
        length = size > 0 && size < 1000 ? static_cast<uint32_t>(size) : 0;
        return length != 0;
    }
    static std::string DataTypeToSerialString(DataType type) { return NameOf(type); }
    static AscendString DataTypeToAscendString(const DataType& type) { return AscendString(NameOf(type)); }
    static std::string FormatToSerialString(Format format)
    {
        switch (format) {
            case FORMAT_NCHW: return "NCHW";
            case FORMAT_NHWC: return "NHWC";
            case FORMAT_ND: return "ND";
            case FORMAT_FRACTAL_NZ: return "FRACTAL_NZ";
            case FORMAT_NC1HWC0: return "NC1HWC0";
            default: return std::to_string(static_cast<int>(format));
        }
    }
    static AscendString FormatToAscendString(const Format& format) { return FormatToSerialString(format).c_str(); }
};

} // namespace ge
