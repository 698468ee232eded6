"""The wrapper around numba, with a cache on disk.

A compiled function contains the functions it calls, but numba checks only the file of the function
itself to decide whether its cache is current. The cache folder is therefore named after a digest of
all sources of the analysis. Without a writable folder, each process compiles for itself.
"""

import hashlib
from collections.abc import Callable, Iterable
from fcntl import LOCK_EX, flock
from pathlib import Path
from typing import Any, Final, ParamSpec, TypeVar, cast

import numba
import numpy as np
import numpy.typing as npt
from numba.core.caching import FunctionCache

from rounds import rules

Parameters = ParamSpec("Parameters")
Returned = TypeVar("Returned")

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

_HERE: Final = Path(__file__).parent


class LockedCache(FunctionCache):
    """Adds compiled code to the cache in one process at a time.

    numba reads the index, chooses the next file name and writes both. Two processes at once give
    code of different argument types one name, and a third then runs the wrong one.
    """

    def save_overload(self, signature: object, compiled_code: object) -> None:
        """Stores the code for these argument types."""
        with Path(numba.config.CACHE_DIR, "lock").open("w") as file:  # type: ignore[attr-defined]
            flock(file, LOCK_EX)  # until the file is closed
            super().save_overload(signature, compiled_code)  # type: ignore[no-untyped-call]


def compiled(function: Callable[Parameters, Returned]) -> Callable[Parameters, Returned]:
    """The function compiled to machine code on its first call."""
    dispatcher: Any = numba.njit(function)
    if _IS_CACHED:
        cache = LockedCache(function)  # type: ignore[no-untyped-call]
        dispatcher._cache = cache  # noqa: SLF001  as its enable_caching does, without a lock
    return cast("Callable[Parameters, Returned]", dispatcher)


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


_TOTALS: Final = Path(rules.__path__[0]) / "blackjack" / "totals.py"
_IS_CACHED: Final = _use_cache(folder_of([*sorted(_HERE.glob("*.py")), _TOTALS]))
