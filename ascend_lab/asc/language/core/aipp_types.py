"""Parameters of image preprocessing. Not modelled."""

from __future__ import annotations

from ascend_lab.asc.not_modelled import not_modelled_class

AippChannelPaddingParams = not_modelled_class("asc.AippChannelPaddingParams")
AippColorSpaceConvParams = not_modelled_class("asc.AippColorSpaceConvParams")
AippDataTypeConvParams = not_modelled_class("asc.AippDataTypeConvParams")
AippPaddingParams = not_modelled_class("asc.AippPaddingParams")
AippParams = not_modelled_class("asc.AippParams")
AippSingleLineParams = not_modelled_class("asc.AippSingleLineParams")
AippSwapParams = not_modelled_class("asc.AippSwapParams")
