"""The wrapper around numba, with a cache on disk.

A compiled function contains the functions it calls, but numba checks only the file of the function
itself to decide whether its cache is current. The cache folder is therefore named after a digest of
all sources of the analysis. Without a writable folder, each process compiles for itself.

Compiling takes long, so processes that need the same functions compile them once.
"""

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from fcntl import LOCK_EX, flock
from pathlib import Path
from typing import Any, Final, ParamSpec, TypeVar, cast

import numba
import numpy as np
import numpy.typing as npt
from numba.core.compiler_lock import global_compiler_lock

from rounds import rules

Parameters = ParamSpec("Parameters")
Returned = TypeVar("Returned")

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

_HERE: Final = Path(__file__).parent


class _Turns:
    """Lets one process at a time compile or load code; the next one finds it in the cache.

    Without turns numba reads the index, chooses the next file name and writes both. Two processes
    at once give code of different argument types one name, and a third then runs the wrong one.
    """

    def __init__(self) -> None:
        self._is_mine = False

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Waits for the turn. A function whose compilation compiles others has it already."""
        with global_compiler_lock:  # of the threads of this process
            if self._is_mine:
                yield
                return
            with Path(numba.config.CACHE_DIR, "lock").open("w") as file:  # type: ignore[attr-defined]
                flock(file, LOCK_EX)  # until the file is closed
                self._is_mine = True
                try:
                    yield
                finally:
                    self._is_mine = False


_TURNS: Final = _Turns()


def compiled(function: Callable[Parameters, Returned]) -> Callable[Parameters, Returned]:
    """The function compiled to machine code on its first call."""
    dispatcher: Any = numba.njit(cache=_IS_CACHED)(function)
    if _IS_CACHED:
        compile_for = dispatcher.compile

        def compile_in_turn(signature: object) -> object:
            with _TURNS.taken():
                return compile_for(signature)

        dispatcher.compile = compile_in_turn
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
    if not os.access(folder, os.W_OK):
        return False
    # Set before the first compilation; nothing else in the process uses numba.
    numba.config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]  # as above
    return True


_TOTALS: Final = Path(rules.__path__[0]) / "blackjack" / "totals.py"
_IS_CACHED: Final = _use_cache(folder_of([*sorted(_HERE.glob("*.py")), _TOTALS]))
