"""Mathematical functions. Not modelled."""

from __future__ import annotations

from ascend_lab.asc.not_modelled import not_modelled

acos = not_modelled("asc.adv.acos")
acosh = not_modelled("asc.adv.acosh")
asin = not_modelled("asc.adv.asin")
asinh = not_modelled("asc.adv.asinh")
atan = not_modelled("asc.adv.atan")
atanh = not_modelled("asc.adv.atanh")
axpy = not_modelled("asc.adv.axpy")
ceil = not_modelled("asc.adv.ceil")
cos = not_modelled("asc.adv.cos")
cosh = not_modelled("asc.adv.cosh")
digamma = not_modelled("asc.adv.digamma")
erf = not_modelled("asc.adv.erf")
erfc = not_modelled("asc.adv.erfc")
exp = not_modelled("asc.adv.exp")
floor = not_modelled("asc.adv.floor")
frac = not_modelled("asc.adv.frac")
lgamma = not_modelled("asc.adv.lgamma")
log = not_modelled("asc.adv.log")
power = not_modelled("asc.adv.power")
round = not_modelled("asc.adv.round")
sign = not_modelled("asc.adv.sign")
sin = not_modelled("asc.adv.sin")
sinh = not_modelled("asc.adv.sinh")
tan = not_modelled("asc.adv.tan")
tanh = not_modelled("asc.adv.tanh")
trunc = not_modelled("asc.adv.trunc")
xor = not_modelled("asc.adv.xor")
