// The dialect's qualifiers and macros, as plain C++. The rewriter reads a kernel's core type from the text.
#pragma once
#include <cstdint>

#define __global__
#define __aicore__
#define __vector__
#define __cube__
#define __mix__(cube, vector)
#define __host_aicore__
#define __schedmode__(mode)
#ifndef __inline__
#define __inline__ inline
#endif
#define __BLOCK_LOCAL__
#define __gm__
#define __ubuf__
#define __cbuf__
#define __ca__
#define __cb__
#define __cc__
#define __fbuf__
#define __biasbuf__
#define __ssbuf__
#define __kfc_workspace__
#define __inout_pipe__(pipe)
#define __in_pipe__(pipe)
#define __out_pipe__(pipe)
#define __sync_noalias__
#define __sync_alias__

#ifndef __NPU_ARCH__
#define __NPU_ARCH__ 2201
#endif
#ifndef __CCE_AICORE__
#define __CCE_AICORE__ 220
#endif
#ifndef __DAV_C220__
#define __DAV_C220__ 1
#endif

#ifndef GM_ADDR
#define GM_ADDR uint8_t*
#endif

// A vector kernel runs on vector cores only.
#define ASCEND_IS_AIV (::al::IsVectorCore())
#define ASCEND_IS_AIC (::al::IsCubeCore())

#ifndef ASSERT
#define ASSERT(...)
#endif
#define KERNEL_LOG(...)
#define TRACE_START(...)
#define TRACE_STOP(...)
#define KERNEL_TASK_TYPE_DEFAULT(...)
#define KERNEL_TASK_TYPE(...)

namespace al {
inline bool IsVectorCore() { return true; }
inline bool IsCubeCore() { return false; }
} // namespace al

extern int64_t block_idx;
extern int64_t block_num;
