// Synchronisation within a core and between cores.
// asc-devkit: docs/zh/api/SIMD-API/基础API/同步控制
#pragma once
#include "vector.h"

namespace al {

void EventFlag(bool set, AscendC::HardEvent event, int64_t id, Here here);
void Barrier(pipe_t pipe, Here here);
void CrossFlag(bool set, int64_t id, int mode, pipe_t pipe, Here here);
void InGroup(const char* api, uint32_t index, uint32_t members, Here here);
void Between(const char* op, const Ref& gm, const Ref& ub, Here here);

inline Pipe PipeOfName(pipe_t pipe)
{
    switch (pipe) {
        case PIPE_V: return Pipe::V;
        case PIPE_M: return Pipe::M;
        case PIPE_MTE1: return Pipe::MTE1;
        case PIPE_MTE2: return Pipe::MTE2;
        case PIPE_MTE3: return Pipe::MTE3;
        case PIPE_FIX: return Pipe::FIX;
        case PIPE_ALL: return Pipe::ALL;
        default: return Pipe::S;
    }
}

} // namespace al

namespace AscendC {

template <HardEvent event>
void SetFlag(int32_t eventID, AL_HERE)
{
    al::EventFlag(true, event, eventID, here);
}
template <HardEvent event>
void WaitFlag(int32_t eventID, AL_HERE)
{
    al::EventFlag(false, event, eventID, here);
}
template <pipe_t pipe>
void PipeBarrier(AL_HERE)
{
    al::Barrier(pipe, here);
}
template <MemDsbT arg0>
void DataSyncBarrier(AL_HERE)
{
    static const char* const names[] = {"ALL", "DDR", "UB", "SEQ"};
    al::Rec("DataSyncBarrier", al::Pipe::S, here).s("memory", names[static_cast<int>(arg0)]);
}

struct SyncAllConfig { // which pipes signal, which wait
    pipe_t triggerPipe;
    pipe_t waitPipe;
};
constexpr SyncAllConfig DEFAULT_SYNC_ALL_CONFIG = {PIPE_ALL, PIPE_ALL};

template <bool isAIVOnly = true, const SyncAllConfig& config = DEFAULT_SYNC_ALL_CONFIG>
void SyncAll(AL_HERE)
{
    if (!isAIVOnly) {
        al::NotModelled("SyncAll", "isAIVOnly=false", here);
    }
    if (config.triggerPipe != PIPE_ALL || config.waitPipe != PIPE_ALL) {
        al::NotModelled("SyncAll", "config", here);
    }
    al::Rec("SyncAll", al::Pipe::S, here).b("soft", false).i("used", 0);
}
template <bool isAIVOnly = true>
void SyncAll(const GlobalTensor<int32_t>& gmWorkspace, const LocalTensor<int32_t>& ubWorkspace, const int32_t usedCores = 0, AL_HERE)
{
    if (!isAIVOnly) {
        al::NotModelled("SyncAll", "isAIVOnly=false", here);
    }
    al::Rec("SyncAll", al::Pipe::S, here)
        .src(al::Operand(gmWorkspace.ref, "SyncAll"))
        .src(al::Operand(ubWorkspace.ref, "SyncAll"))
        .b("soft", true)
        .i("used", usedCores);
}

template <bool isAIVOnly = true>
void IBSet(const GlobalTensor<int32_t>& gmWorkspace, const LocalTensor<int32_t>& ubWorkspace, int32_t blockIdx,
    int32_t eventID, AL_HERE)
{
    al::Rec("IBSet", al::Pipe::S, here)
        .src(al::Operand(gmWorkspace.ref, "IBSet"))
        .src(al::Operand(ubWorkspace.ref, "IBSet"))
        .i("idx", blockIdx)
        .i("event", eventID);
}
template <bool isAIVOnly = true>
void IBWait(const GlobalTensor<int32_t>& gmWorkspace, const LocalTensor<int32_t>& ubWorkspace, int32_t blockIdx,
    int32_t eventID, AL_HERE)
{
    al::Rec("IBWait", al::Pipe::S, here)
        .src(al::Operand(gmWorkspace.ref, "IBWait"))
        .src(al::Operand(ubWorkspace.ref, "IBWait"))
        .i("idx", blockIdx)
        .i("event", eventID);
}

inline void InitDetermineComputeWorkspace(GlobalTensor<int32_t>& gmWorkspace, LocalTensor<int32_t>& ubWorkspace, AL_HERE)
{
    al::Between("InitDetermineComputeWorkspace", gmWorkspace.ref, ubWorkspace.ref, here);
}
inline void WaitPreBlock(GlobalTensor<int32_t>& gmWorkspace, LocalTensor<int32_t>& ubWorkspace, AL_HERE)
{
    al::Between("WaitPreBlock", gmWorkspace.ref, ubWorkspace.ref, here);
}
inline void NotifyNextBlock(GlobalTensor<int32_t>& gmWorkspace, LocalTensor<int32_t>& ubWorkspace, AL_HERE)
{
    al::Between("NotifyNextBlock", gmWorkspace.ref, ubWorkspace.ref, here);
}

enum class PipeMode : uint8_t { SCALAR_MODE = 0, MTE3_MODE = 1, MAX };

// Blocks of one group wait until all of another have arrived; again in every round.
template <PipeMode pipeMode>
class GroupBarrier {
public:
    GroupBarrier(GM_ADDR groupWorkspace, uint32_t arriveSizeIn, uint32_t waitSizeIn)
        : arrivers_(arriveSizeIn), waiters_(waitSizeIn)
    {
        workspace_.space = al::GM;
        workspace_.dtype = al::INT32;
        workspace_.addr = reinterpret_cast<uint64_t>(groupWorkspace);
        workspace_.size = static_cast<int64_t>(GetWorkspaceLen() / sizeof(int32_t));
    }
    void Arrive(uint32_t arriveIndex, AL_HERE) { Say("GroupArrive", "GroupBarrier::Arrive", arriveIndex, arrivers_, here); }
    void Wait(uint32_t waitIndex, AL_HERE) { Say("GroupWait", "GroupBarrier::Wait", waitIndex, waiters_, here); }
    uint64_t GetWorkspaceLen() const { return 512ull * (waiters_ > 0 ? waiters_ : 1); }

private:
    void Say(const char* op, const char* api, uint32_t index, uint32_t members, al::Here here)
    {
        static_assert(pipeMode == PipeMode::MTE3_MODE, "GroupBarrier: only PipeMode::MTE3_MODE");
        al::InGroup(api, index, members, here);
        al::Rec(op, al::Pipe::S, here).src(al::Operand(workspace_, api)).i("idx", index).i("arrivers", arrivers_);
    }
    uint32_t arrivers_, waiters_;
    al::Ref workspace_;
};

template <uint8_t modeId, pipe_t pipe>
void CrossCoreSetFlag(uint16_t flagId, AL_HERE)
{
    al::CrossFlag(true, flagId, modeId, pipe, here);
}
template <uint8_t modeId = 0, pipe_t pipe = PIPE_S>
void CrossCoreWaitFlag(uint16_t flagId, AL_HERE)
{
    al::CrossFlag(false, flagId, modeId, pipe, here);
}

} // namespace AscendC

// The intrinsics that some kernels use directly.
inline void set_flag(pipe_t src, pipe_t dst, event_t id, AL_HERE)
{
    al::Rec("SetFlag", al::PipeOfName(src), here)
        .i("src", static_cast<int>(al::PipeOfName(src)))
        .i("dst", static_cast<int>(al::PipeOfName(dst)))
        .i("id", id);
}
inline void wait_flag(pipe_t src, pipe_t dst, event_t id, AL_HERE)
{
    al::Rec("WaitFlag", al::PipeOfName(dst), here)
        .i("src", static_cast<int>(al::PipeOfName(src)))
        .i("dst", static_cast<int>(al::PipeOfName(dst)))
        .i("id", id);
}
inline void pipe_barrier(pipe_t pipe, AL_HERE) { al::Barrier(pipe, here); }
