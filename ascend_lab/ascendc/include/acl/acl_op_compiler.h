#pragma once
#pragma GCC system_header
#include "acl_op.h"
