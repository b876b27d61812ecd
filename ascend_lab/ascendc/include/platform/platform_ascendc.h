// Where newer projects include it from.
#pragma once
#include "tiling/platform/platform_ascendc.h"
