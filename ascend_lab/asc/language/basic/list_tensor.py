"""Lists of tensors as kernel arguments. Not modelled."""

from __future__ import annotations

from ascend_lab.asc.not_modelled import not_modelled_class

ListTensorDesc = not_modelled_class("asc.ListTensorDesc")
TensorDesc = not_modelled_class("asc.TensorDesc")
