#pragma once
#pragma GCC system_header
#include "ascend_lab/op/context.h"
#include "ascend_lab/op/tiling_data.h"
#include "securec.h"
