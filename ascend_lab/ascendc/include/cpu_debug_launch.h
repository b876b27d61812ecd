#pragma once
#pragma GCC system_header
#include "tikicpulib.h"
