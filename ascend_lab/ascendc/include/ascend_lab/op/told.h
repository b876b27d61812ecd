// What the host side of an operator does that deserves a word: told to the lab when it happens, with the line.
#pragma once
#include "ascend_lab/runtime.h"

#include <map>
#include <string>
#include <vector>

namespace al::op {

// `kind` names the rule (project/faults.py has the words), the others are its numbers.
inline void Tell(const char* kind, Here here, const std::string& first = "", const std::string& second = "",
    const std::string& third = "", const std::string& fourth = "")
{
    HostCall call("op.told");
    call.s(kind).s(here.file).i(here.line).s(first.c_str()).s(second.c_str()).s(third.c_str()).s(fourth.c_str()).go();
}

inline void TellIndex(const char* api, const char* what, size_t index, size_t count, Here here)
{
    Tell("index", here, api, what, std::to_string(index), std::to_string(count));
}

inline void TellNull(const char* api, const char* what, const char* remedy, Here here)
{
    Tell("null", here, api, what, remedy);
}

inline void TellAttrType(const char* api, const char* name, char kind, const char* read_as, Here here)
{
    Tell("attr_type", here, api, name, std::string(1, kind), read_as);
}

inline void TellDim(size_t index, size_t count, Here here)
{
    Tell("dim", here, std::to_string(index), std::to_string(count));
}

// Template arguments by the key that GET_TPL_TILING_KEY made of them.
inline std::map<uint64_t, std::vector<uint64_t>>& KeysMade()
{
    static std::map<uint64_t, std::vector<uint64_t>> made;
    return made;
}

// Where the operator's code last called a function of ours: the nearest line when it dies.
inline Here last_seen{"", "", 0};

} // namespace al::op
