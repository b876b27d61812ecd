// Ascend C for the model of the chip: every call issues the instruction the card would get.
#pragma once
#pragma GCC system_header
#include <cassert>

#include "ascend_lab/framework.h"
#include "ascend_lab/api/data_copy.h"
#include "ascend_lab/api/library_absent.h"
#include "ascend_lab/api/library_elementwise.h"
#include "ascend_lab/api/library_quant.h"
#include "ascend_lab/api/library_rows.h"
#include "ascend_lab/api/library_sort.h"
#include "ascend_lab/api/matrix.h"
#include "ascend_lab/api/more.h"
#include "ascend_lab/api/sync.h"
#include "ascend_lab/api/system.h"
#include "ascend_lab/api/vec_binary.h"
#include "ascend_lab/api/vec_binary_scalar.h"
#include "ascend_lab/api/scalar.h"
#include "ascend_lab/api/vec_cmpsel.h"
#include "ascend_lab/api/vec_fill.h"
#include "ascend_lab/api/vec_gather.h"
#include "ascend_lab/api/vec_reduce.h"
#include "ascend_lab/api/vec_sort.h"
#include "ascend_lab/api/vec_transpose.h"
#include "ascend_lab/api/vec_unary.h"
#include "ascend_lab/api/vec_vconv.h"
#include "ascend_lab/launch.h"
#include "ascend_lab/tiling.h"
