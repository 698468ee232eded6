"""The one place that knows the compiler."""

from collections.abc import Callable
from typing import ParamSpec, TypeVar, cast

import numba
import numpy as np
import numpy.typing as npt

Takes = ParamSpec("Takes")
Gives = TypeVar("Gives")

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


def compiled(function: Callable[Takes, Gives]) -> Callable[Takes, Gives]:
    """The same function as machine code; what is compiled is kept on disk for the next process."""
    return cast("Callable[Takes, Gives]", numba.njit(cache=True)(function))
