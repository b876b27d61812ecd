"""Tiling of high-level interfaces. Not modelled."""

from __future__ import annotations

from ascend_lab.asc.not_modelled import not_modelled_class

MatmulApiStaticTiling = not_modelled_class("asc.adv.MatmulApiStaticTiling")
RmsNormTiling = not_modelled_class("asc.adv.RmsNormTiling")
SoftmaxTiling = not_modelled_class("asc.adv.SoftmaxTiling")
TCubeTiling = not_modelled_class("asc.adv.TCubeTiling")
