#ifndef ADD_TILING_H
#define ADD_TILING_H
#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(AddTilingData)
TILING_DATA_FIELD_DEF(uint32_t, length); // elements of each core
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(Add, AddTilingData)
} // namespace optiling
#endif
