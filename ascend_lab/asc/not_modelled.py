"""Names that pyasc has and the model has not yet: they exist, and say so when they are used."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from ascend_lab.engine.errors import NotModelled


def not_modelled(api: str) -> Callable[..., NoReturn]:
    """A function called ``api`` that raises NotModelled when it is called."""

    def refuse(*args: Any, **kwargs: Any) -> NoReturn:
        raise NotModelled(api)

    refuse.__name__ = refuse.__qualname__ = api.rpartition(".")[2]
    refuse.__doc__ = "Not modelled: raises NotModelled."
    return refuse


def not_modelled_class(api: str) -> type[Any]:
    """A class called ``api`` that raises NotModelled when it is constructed."""

    def refuse(self: Any, *args: Any, **kwargs: Any) -> NoReturn:
        raise NotModelled(api)

    name = api.rpartition(".")[2]
    return type(name, (), {"__init__": refuse, "__doc__": "Not modelled: raises NotModelled."})
