"""Instructions of the scalar unit. Not modelled."""

from __future__ import annotations

from ascend_lab.asc.not_modelled import not_modelled

count_bits_cnt_same_as_sign_bit = not_modelled("asc.count_bits_cnt_same_as_sign_bit")
scalar_cast = not_modelled("asc.scalar_cast")
scalar_count_leading_zero = not_modelled("asc.scalar_count_leading_zero")
scalar_get_count_of_value = not_modelled("asc.scalar_get_count_of_value")
scalar_get_sff_value = not_modelled("asc.scalar_get_sff_value")
