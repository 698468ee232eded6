"""The wrapper around numba, with a cache on disk.

A compiled function contains the functions it calls, but numba checks only the file of the function
itself to decide whether its cache is current. The cache folder is therefore named after a digest of
all sources of the analysis. Without a writable folder, each process compiles for itself.
"""

import hashlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final, ParamSpec, TypeVar, cast

import numba
import numpy as np
import numpy.typing as npt

from rounds.rules.blackjack import totals

Parameters = ParamSpec("Parameters")
Returned = TypeVar("Returned")

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

_HERE: Final = Path(__file__).parent


def compiled(function: Callable[Parameters, Returned]) -> Callable[Parameters, Returned]:
    """The function compiled to machine code on its first call."""
    return cast("Callable[Parameters, Returned]", numba.njit(cache=_IS_CACHED)(function))


def folder_of(sources: Iterable[Path]) -> Path:
    """The cache folder for code compiled from these sources."""
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()
    set_by_user = numba.config.CACHE_DIR  # type: ignore[attr-defined]  # set on import
    return Path(set_by_user or _HERE / "__pycache__") / f"compiled-{digest[:16]}"


def _use_cache(folder: Path) -> bool:
    """Whether the folder is usable as the cache."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    # Set before the first compilation; nothing else in the process uses numba.
    numba.config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]  # as above
    return True


_IS_CACHED: Final = _use_cache(folder_of([*sorted(_HERE.glob("*.py")), Path(totals.__file__)]))
