#pragma once
#pragma GCC system_header
#include "kernel_operator.h"
