// Logging macros of the operator repositories' op_host: what they say goes nowhere here, what they check is checked.
#pragma once
#pragma GCC system_header
#include "graph/ge_error_codes.h"

#define OP_LOGD(...) ((void)0)
#define OP_LOGI(...) ((void)0)
#define OP_LOGW(...) ((void)0)
#define OP_LOGE(...) ((void)0)
#define OP_CHECK_IF(condition, log, result) \
    do {                                    \
        if (condition) {                    \
            log;                            \
            result;                         \
        }                                   \
    } while (false)
#define OP_CHECK_NULL_WITH_CONTEXT(context, pointer) OP_CHECK_IF((pointer) == nullptr, (void)(context), return ge::GRAPH_FAILED)
