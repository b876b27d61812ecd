// What the host tells every core of SinhCustom: lengths in elements.
#ifndef SINH_CUSTOM_TILING_H
#define SINH_CUSTOM_TILING_H
#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(SinhCustomTilingData)
TILING_DATA_FIELD_DEF(uint32_t, bigLength);   // of each of the first bigCores cores
TILING_DATA_FIELD_DEF(uint32_t, smallLength); // of each of the others
TILING_DATA_FIELD_DEF(uint32_t, bigCores);
TILING_DATA_FIELD_DEF(uint32_t, tileLength); // that one buffer holds
TILING_DATA_FIELD_DEF(uint32_t, totalLength);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(SinhCustom, SinhCustomTilingData)
} // namespace optiling
#endif
