// What the host tells every core of OpName: lengths in elements, and the attribute.
#ifndef OP_NAME_TILING_H
#define OP_NAME_TILING_H
#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(OpNameTilingData)
TILING_DATA_FIELD_DEF(uint32_t, bigLength);   // of each of the first bigCores cores
TILING_DATA_FIELD_DEF(uint32_t, smallLength); // of each of the others
TILING_DATA_FIELD_DEF(uint32_t, bigCores);
TILING_DATA_FIELD_DEF(uint32_t, tileLength); // that one buffer holds
TILING_DATA_FIELD_DEF(uint32_t, totalLength);
TILING_DATA_FIELD_DEF(float, factor);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(OpName, OpNameTilingData)
} // namespace optiling
#endif
