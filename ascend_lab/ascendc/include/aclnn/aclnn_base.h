#pragma once
#pragma GCC system_header
#include "ascend_lab/op/aclnn.h"
