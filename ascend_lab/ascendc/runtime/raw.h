// GM words that a kernel dereferences itself. Inside the runtime only.
#pragma once
#include <csignal>

namespace al {

// A fault on a GM address: asks the engine for what the instruction reads, lets it run once, and tells the engine
// what it has written. False where this machine or this instruction does not allow it.
bool BeginRaw(siginfo_t* info, void* context);
void EndRaw(void* context); // after the single step

} // namespace al
