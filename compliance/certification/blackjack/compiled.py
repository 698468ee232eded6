"""The one place that knows the compiler.

What is compiled is kept on disk for the next process. A compiled function contains those that it
calls, but the compiler looks at its own file alone when it asks whether what it kept is current. So
it is kept under a digest of all sources of the analysis: after a change of any, all is compiled
anew. Where nothing can be written, each process compiles for itself.
"""

import hashlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final, ParamSpec, TypeVar, cast

import numba
import numpy as np
import numpy.typing as npt

from rounds.rules.blackjack import totals

Takes = ParamSpec("Takes")
Gives = TypeVar("Gives")

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

_HERE: Final = Path(__file__).parent


def compiled(function: Callable[Takes, Gives]) -> Callable[Takes, Gives]:
    """The same function as machine code, compiled when it is first called."""
    return cast("Callable[Takes, Gives]", numba.njit(cache=_IS_KEPT)(function))


def folder_of(sources: Iterable[Path]) -> Path:
    """Where code is kept that was compiled from these sources."""
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()
    set_by_user = numba.config.CACHE_DIR  # type: ignore[attr-defined]  # set as it is imported
    return Path(set_by_user or _HERE / "__pycache__") / f"compiled-{digest[:16]}"


def _keep_in(folder: Path) -> bool:
    """Whether the compiler can keep anything there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    # Before anything is compiled; nobody else compiles here.
    numba.config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]  # as above
    return True


_IS_KEPT: Final = _keep_in(folder_of([*sorted(_HERE.glob("*.py")), Path(totals.__file__)]))
