// What a kernel gets from its host through memory: tiling structures, tiling keys, workspaces.
// asc-devkit: docs/zh/api/Utils-API, docs/zh/api/SIMD-API/基础API/Kernel-Tiling
#pragma once
#include "runtime.h"

#include <cstddef>

namespace al {

// Read GM through the scalar unit, word by word, as the copy loop of a tiling structure does.
void ReadGm(void* to, const void* from, size_t size, Here here);
uint64_t TilingKey();
void SetTilingKey(uint64_t key);
extern uint8_t* system_workspace;

template <typename T>
struct CopyOfGm {
    CopyOfGm(const void* from, Here here) { ReadGm(&value, from, sizeof(value), here); }
    T value;
};

} // namespace al

// Names the structure that GET_TILING_DATA reads where the source names none.
#define REGISTER_TILING_DEFAULT(Struct) using AlTilingDefault [[maybe_unused]] = Struct
#define REGISTER_TILING_FOR_TILINGKEY(expression, Struct) using AlTilingOfAKey [[maybe_unused]] = Struct
#define GET_TILING_DATA_WITH_STRUCT(Struct, name, pointer)                                                            \
    Struct name;                                                                                                      \
    ::al::ReadGm(&name, pointer, sizeof(Struct), ::al::Here::now())
#ifndef GET_TILING_DATA
#define GET_TILING_DATA(name, pointer) GET_TILING_DATA_WITH_STRUCT(AlTilingDefault, name, pointer)
#endif
#define GET_TILING_DATA_MEMBER(Struct, member, name, pointer)                                                         \
    decltype(Struct::member) name;                                                                                    \
    ::al::ReadGm(&name, reinterpret_cast<const uint8_t*>(pointer) + offsetof(Struct, member), sizeof(name), ::al::Here::now())
// The structure where it lies: every member that is used is a word of GM.
#define __tiling_data_ptr__
#define GET_TILING_DATA_PTR_WITH_STRUCT(Struct, name, pointer) const Struct* name = reinterpret_cast<const Struct*>(pointer)
// A member of it, or an array that is one, copied once; `name` points to the copy.
#define COPY_TILING_WITH_STRUCT(Struct, source, name)                                                                 \
    const ::al::CopyOfGm<Struct> name##Copy(&(source), ::al::Here::now());                                            \
    const Struct* name = &name##Copy.value
#define COPY_TILING_WITH_ARRAY(Type, count, source, name)                                                             \
    const ::al::CopyOfGm<Type[count]> name##Copy(&(source), ::al::Here::now());                                       \
    const Type(*name)[count] = &name##Copy.value
#define TILING_KEY_IS(key) (::al::TilingKey() == static_cast<uint64_t>(key))
#define TILING_KEY_LIST(first, second) (TILING_KEY_IS(first) || TILING_KEY_IS(second))

namespace AscendC {

inline uint8_t* GetUserWorkspace(uint8_t* workspace) { return workspace; }
inline void SetSysWorkspace(uint8_t* workspace) { al::system_workspace = workspace; }
inline void SetSysWorkspaceForce(uint8_t* workspace) { al::system_workspace = workspace; }
inline uint8_t* GetSysWorkSpacePtr() { return al::system_workspace; }

} // namespace AscendC
