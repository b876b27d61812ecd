// Tiling structures of the host: each field lies at a multiple of its size.
// asc-devkit: docs/zh/api/Utils-API/Tiling数据结构注册/TilingData结构定义.md
#pragma once
#include "ascend_lab/op/told.h"

#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

namespace optiling {

class TilingDef;

struct TilingField {
    std::string type, name;
    ptrdiff_t at;     // in the class
    size_t size;      // of one element
    size_t count;     // 0: no array
    const TilingDef* (*nested)(const void*); // the structure that lies there, or null
};

class TilingDef {
public:
    TilingDef() = default;
    virtual ~TilingDef() = default;
    size_t GetDataSize() const { return Walk(nullptr, 0); }
    void SaveToBuffer(void* to, size_t capacity, AL_HERE) const
    {
        const size_t size = GetDataSize();
        if (to == nullptr || size > capacity) {
            ::al::op::Tell("tiling_size", here, std::to_string(size), std::to_string(capacity));
            return;
        }
        std::memset(to, 0, size);
        Walk(static_cast<char*>(to), 0);
    }
    const char* GetTilingClassName() const { return class_name.c_str(); }

    std::string class_name;
    std::vector<TilingField> fields;
    size_t Walk(char* to, size_t start) const
    {
        size_t at = start;
        const char* here = reinterpret_cast<const char*>(this);
        for (const TilingField& field : fields) {
            const char* from = here + field.at;
            if (field.nested != nullptr) {
                const TilingDef* inner = field.nested(from);
                at = inner->Walk(to, Up(at, inner->Alignment()));
                continue;
            }
            at = Up(at, field.size);
            const size_t bytes = field.size * (field.count ? field.count : 1);
            if (to != nullptr) {
                std::memcpy(to + at, from, bytes);
            }
            at += bytes;
        }
        return Up(at, Alignment());
    }
    size_t Alignment() const
    {
        size_t most = 1;
        for (const TilingField& field : fields) {
            const size_t one = field.nested == nullptr ?
                field.size : field.nested(reinterpret_cast<const char*>(this) + field.at)->Alignment();
            most = one > most ? one : most;
        }
        return most;
    }

private:
    static size_t Up(size_t at, size_t to) { return (at + to - 1) / to * to; }
};

} // namespace optiling

namespace al::op {

// Enters a field into the list of its class.
struct TilingMember {
    template <typename T>
    TilingMember(::optiling::TilingDef* owner, const char* type, const char* name, const T& member, size_t count)
    {
        const TilingField_ at = reinterpret_cast<const char*>(&member) - reinterpret_cast<const char*>(owner);
        using Element = std::remove_all_extents_t<T>;
        if constexpr (std::is_base_of_v<::optiling::TilingDef, T>) {
            owner->fields.push_back({type, name, at, 0, 0, [](const void* where) {
                return static_cast<const ::optiling::TilingDef*>(static_cast<const T*>(where));
            }});
        } else if constexpr (std::is_class_v<Element>) {
            owner->fields.push_back({type, name, at, alignof(Element), sizeof(T) / alignof(Element), nullptr});
        } else {
            owner->fields.push_back({type, name, at, sizeof(Element), count, nullptr});
        }
    }
    using TilingField_ = ptrdiff_t;
};

using MakeTiling = std::function<::optiling::TilingDef*()>;
inline std::map<std::string, MakeTiling>& TilingClasses()
{
    static std::map<std::string, MakeTiling> made;
    return made;
}
struct TilingRegistered {
    TilingRegistered(const char* op, MakeTiling make) { TilingClasses()[op] = std::move(make); }
};

} // namespace al::op

#define BEGIN_TILING_DATA_DEF(Name)             \
    class Name : public ::optiling::TilingDef { \
        using AlSelf = Name;                    \
                                                \
    public:                                     \
        Name() { class_name = #Name; }
#define TILING_DATA_FIELD_DEF(type, name)                                            \
public:                                                                              \
    void set_##name(type value) { al_##name = value; }                               \
    type get_##name() const { return al_##name; }                                    \
                                                                                     \
private:                                                                             \
    type al_##name = {};                                                             \
    ::al::op::TilingMember al_member_##name{this, #type, #name, al_##name, 0};       \
                                                                                     \
public:
#define TILING_DATA_FIELD_DEF_ARR(type, length, name)                                \
public:                                                                              \
    void set_##name(const type* values) { std::memcpy(al_##name, values, sizeof(al_##name)); } \
    type* get_##name() { return al_##name; }                                         \
    const type* get_##name() const { return al_##name; }                             \
                                                                                     \
private:                                                                             \
    type al_##name[length] = {};                                                     \
    ::al::op::TilingMember al_member_##name{this, #type, #name, al_##name, length};  \
                                                                                     \
public:
#define TILING_DATA_FIELD_DEF_STRUCT(type, name)                                     \
public:                                                                              \
    type name;                                                                       \
    type& get_##name() { return name; }                                              \
                                                                                     \
private:                                                                             \
    ::al::op::TilingMember al_member_##name{this, #type, #name, name, 0};            \
                                                                                     \
public:
#define END_TILING_DATA_DEF }
#define REGISTER_TILING_DATA_CLASS(Op, Name)                                                     \
    [[maybe_unused]] static const ::al::op::TilingRegistered AL_TILING_UNIQUE(al_tiling_of_)(    \
        #Op, []() -> ::optiling::TilingDef* { return new Name(); });
#define AL_TILING_JOIN2(a, b) a##b
#define AL_TILING_JOIN(a, b) AL_TILING_JOIN2(a, b)
#define AL_TILING_UNIQUE(name) AL_TILING_JOIN(name, __COUNTER__)
