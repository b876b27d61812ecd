"""L0C to GM. Not modelled."""

from __future__ import annotations

from ascend_lab.asc.not_modelled import not_modelled

fixpipe = not_modelled("asc.fixpipe")
set_fix_pipe_pre_quant_flag = not_modelled("asc.set_fix_pipe_pre_quant_flag")
