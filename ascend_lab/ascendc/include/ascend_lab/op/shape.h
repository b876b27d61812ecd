// Shapes, tensors and attributes as TilingFunc and InferShape see them.
// asc-devkit: docs/zh/api/Utils-API; CANN: gert::Shape, gert::Tensor, gert::RuntimeAttrs.
#pragma once
#include "ascend_lab/op/told.h"
#include "ascend_lab/op/types.h"

#include <initializer_list>
#include <string>
#include <type_traits>
#include <vector>

namespace gert {

class Shape {
public:
    static constexpr size_t kMaxDimNum = 25;
    static constexpr int64_t kInvalidDimValue = INT64_MIN;
    Shape() = default;
    Shape(std::initializer_list<int64_t> dims)
    {
        for (int64_t dim : dims) {
            AppendDim(dim);
        }
    }
    size_t GetDimNum() const { return count_; }
    void SetDimNum(size_t count) { count_ = count < kMaxDimNum ? count : kMaxDimNum; }
    int64_t GetDim(size_t index, AL_HERE) const
    {
        if (index < count_) {
            return dims_[index];
        }
        ::al::op::TellDim(index, count_, here);
        return index < kMaxDimNum ? dims_[index] : kInvalidDimValue;
    }
    void SetDim(size_t index, int64_t value)
    {
        if (index < kMaxDimNum) {
            dims_[index] = value;
        }
    }
    Shape& AppendDim(int64_t value)
    {
        if (count_ < kMaxDimNum) {
            dims_[count_++] = value;
        }
        return *this;
    }
    int64_t GetShapeSize() const
    {
        int64_t size = 1;
        for (size_t k = 0; k < count_; ++k) {
            size *= dims_[k];
        }
        return size;
    }
    bool IsScalar() const { return count_ == 0; }
    void SetScalar() { count_ = 0; }
    const int64_t& operator[](size_t index) const { return dims_[index]; }
    int64_t& operator[](size_t index) { return dims_[index]; }
    bool operator==(const Shape& other) const
    {
        for (size_t k = 0; k < count_ && k < other.count_; ++k) {
            if (dims_[k] != other.dims_[k]) {
                return false;
            }
        }
        return count_ == other.count_;
    }
    bool operator!=(const Shape& other) const { return !(*this == other); }

private:
    size_t count_ = 0;
    int64_t dims_[kMaxDimNum] = {};
};

class StorageShape {
public:
    StorageShape() = default;
    StorageShape(std::initializer_list<int64_t> origin, std::initializer_list<int64_t> storage)
        : origin_(origin), storage_(storage)
    {}
    const Shape& GetOriginShape() const { return origin_; }
    const Shape& GetStorageShape() const { return storage_; }
    Shape& MutableOriginShape() { return origin_; }
    Shape& MutableStorageShape() { return storage_; }
    bool operator==(const StorageShape& other) const { return origin_ == other.origin_ && storage_ == other.storage_; }
    bool operator!=(const StorageShape& other) const { return !(*this == other); }

private:
    Shape origin_, storage_;
};

class StorageFormat {
public:
    StorageFormat() = default;
    StorageFormat(ge::Format origin, ge::Format storage) : origin_(origin), storage_(storage) {}
    ge::Format GetOriginFormat() const { return origin_; }
    ge::Format GetStorageFormat() const { return storage_; }

private:
    ge::Format origin_ = ge::FORMAT_ND, storage_ = ge::FORMAT_ND;
};

class CompileTimeTensorDesc {
public:
    ge::DataType GetDataType() const { return type; }
    const StorageFormat& GetFormat() const { return format; }
    ge::Format GetOriginFormat() const { return format.GetOriginFormat(); }
    ge::Format GetStorageFormat() const { return format.GetStorageFormat(); }
    ge::DataType type = ge::DT_FLOAT;
    StorageFormat format;
};

enum TensorPlacement { kOnDeviceHbm, kOnHost, kFollowing, kOnDeviceP2p, kTensorPlacementEnd };

// A tensor of a node. Its data is there for the host only where the operator declares ValueDepend.
class Tensor {
public:
    const StorageShape& GetShape() const { return shape; }
    StorageShape& GetShape() { return shape; }
    const Shape& GetStorageShape() const { return shape.GetStorageShape(); }
    Shape& MutableStorageShape() { return shape.MutableStorageShape(); }
    const Shape& GetOriginShape() const { return shape.GetOriginShape(); }
    Shape& MutableOriginShape() { return shape.MutableOriginShape(); }
    int64_t GetShapeSize() const { return shape.GetStorageShape().GetShapeSize(); }
    ge::DataType GetDataType() const { return desc.type; }
    ge::Format GetOriginFormat() const { return desc.GetOriginFormat(); }
    ge::Format GetStorageFormat() const { return desc.GetStorageFormat(); }
    const StorageFormat& GetFormat() const { return desc.format; }
    size_t GetSize() const { return static_cast<size_t>(GetShapeSize()) * ge::GetSizeByDataType(desc.type); }
    TensorPlacement GetPlacement() const { return kOnHost; }
    template <typename T>
    const T* GetData(AL_HERE) const
    {
        return static_cast<const T*>(Data(here));
    }
    const void* GetAddr(AL_HERE) const { return Data(here); }

    bool present = false;
    bool has_data = false;
    std::string name;
    StorageShape shape;
    CompileTimeTensorDesc desc;
    std::vector<char> data;

private:
    const void* Data(::al::Here here) const
    {
        if (!has_data) {
            ::al::op::TellNull(
                "GetData", ("the data of " + name).c_str(), "ValueDepend", here);
            return nullptr;
        }
        return data.data();
    }
};

template <typename T>
class TypedContinuousVector {
public:
    size_t GetSize() const { return values.size(); }
    const T* GetData() const { return reinterpret_cast<const T*>(values.data()); }
    std::vector<T> values;
};
class ContinuousVector : public TypedContinuousVector<int64_t> {};

} // namespace gert

namespace al::op {

struct AttrValue { // kind: b bool, i int, f float, s string, B I F lists
    std::string name;
    char kind = 'i';
    bool present = true;
    bool flag = false;
    int64_t whole = 0;
    float real = 0;
    std::string text;
    gert::TypedContinuousVector<int64_t> wholes;
    gert::TypedContinuousVector<float> reals;
    gert::TypedContinuousVector<uint8_t> flags;
};

} // namespace al::op

namespace gert {

class RuntimeAttrs {
public:
    size_t GetAttrNum() const { return attrs.size(); }
    const int64_t* GetInt(size_t index, AL_HERE) const { return As<int64_t>(index, "GetInt", here); }
    const float* GetFloat(size_t index, AL_HERE) const { return As<float>(index, "GetFloat", here); }
    const bool* GetBool(size_t index, AL_HERE) const { return As<bool>(index, "GetBool", here); }
    const char* GetStr(size_t index, AL_HERE) const { return As<char>(index, "GetStr", here); }
    const TypedContinuousVector<int64_t>* GetListInt(size_t index, AL_HERE) const
    {
        return As<TypedContinuousVector<int64_t>>(index, "GetListInt", here);
    }
    const TypedContinuousVector<float>* GetListFloat(size_t index, AL_HERE) const
    {
        return As<TypedContinuousVector<float>>(index, "GetListFloat", here);
    }
    template <typename T>
    const T* GetAttrPointer(size_t index, AL_HERE) const
    {
        return As<T>(index, "GetAttrPointer", here);
    }
    std::vector<::al::op::AttrValue> attrs;

private:
    template <typename T>
    const T* As(size_t index, const char* api, ::al::Here here) const
    {
        if (index >= attrs.size()) {
            ::al::op::TellIndex(api, "attribute", index, attrs.size(), here);
            return nullptr;
        }
        const ::al::op::AttrValue& attr = attrs[index];
        if (!attr.present) {
            ::al::op::TellNull(api, ("attribute " + attr.name).c_str(), "Attr", here);
            return nullptr;
        }
        const void* at = Place(attr);
        if (!Fits<T>(attr.kind)) {
            ::al::op::TellAttrType(api, attr.name.c_str(), attr.kind, NameOf<T>(), here);
        }
        return static_cast<const T*>(at);
    }
    static const void* Place(const ::al::op::AttrValue& attr)
    {
        switch (attr.kind) {
            case 'b': return &attr.flag;
            case 'f': return &attr.real;
            case 's': return attr.text.c_str();
            case 'I': return &attr.wholes;
            case 'F': return &attr.reals;
            case 'B': return &attr.flags;
            default: return &attr.whole;
        }
    }
    template <typename T>
    static constexpr bool Fits(char kind)
    {
        switch (kind) {
            case 'b': return std::is_same_v<T, bool> || std::is_same_v<T, uint8_t>;
            case 'f': return std::is_same_v<T, float>;
            case 's': return std::is_same_v<T, char>;
            case 'i': return std::is_integral_v<T> && sizeof(T) >= 4;
            default: return std::is_class_v<T>;
        }
    }
    template <typename T>
    static const char* NameOf()
    {
        if constexpr (std::is_same_v<T, float>) {
            return "float";
        } else if constexpr (std::is_same_v<T, bool>) {
            return "bool";
        } else if constexpr (std::is_same_v<T, char>) {
            return "char";
        } else if constexpr (std::is_same_v<T, double>) {
            return "double";
        } else if constexpr (std::is_integral_v<T>) {
            return sizeof(T) == 8 ? "int64_t" : sizeof(T) == 4 ? "int32_t" : "an integer of less than 32 bits";
        } else {
            return "a list";
        }
    }
};

} // namespace gert
