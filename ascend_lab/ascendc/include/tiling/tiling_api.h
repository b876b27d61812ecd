#pragma once
#pragma GCC system_header
#include "ascend_lab/library_host.h"
#include "securec.h"
