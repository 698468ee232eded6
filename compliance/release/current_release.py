"""Whether the files that this process runs from are those of the release that was installed."""

from enum import StrEnum
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Final, NamedTuple

from django.conf import settings

from compliance.release.compare_files import all_differences, own_differences
from compliance.release.release_list import InvalidRelease, read_release_list
from compliance.storage.schema_objects.compare import Difference

ROOT: Final = Path(__file__).resolve().parents[2]
"""The folder of installed packages, or a clone."""
KEEP_SECONDS: Final = 3600.0

_LIST: Final = "release"


class Outcome(StrEnum):
    """Of the comparison."""

    SAME = "the files of the release"
    DIFFERS = "other files than those of the release"
    NOT_A_RELEASE = "not a release: nothing to compare"
    """A clone without a list, as in a demo and in development."""


class ReleaseState(NamedTuple):
    """What a comparison found. ``version`` and ``digest`` are those of a valid list."""

    outcome: Outcome
    differences: tuple[Difference, ...] = ()
    version: str = ""
    digest: str = ""


def compare_release(*, thoroughly: bool) -> ReleaseState:
    """Compares the files with the list of the release. Reads only.

    Sabot's own packages take a tenth of a second; ``thoroughly`` takes those that it runs on and
    all bytecode as well, which takes half a minute of computing.
    """
    path = Path(settings.RELEASE_LIST)
    if (ROOT / "manage.py").exists() and not path.exists() and not settings.RELEASE_KEYS:
        return ReleaseState(Outcome.NOT_A_RELEASE)
    try:
        release = read_release_list(path, keys=settings.RELEASE_KEYS)
    except InvalidRelease as invalid:
        found = Difference(_LIST, "no valid list", f"one signed with a release key ({invalid})")
        return ReleaseState(Outcome.DIFFERS, (found,))
    compare = all_differences if thoroughly else own_differences
    differences = tuple(compare(ROOT, release))
    outcome = Outcome.DIFFERS if differences else Outcome.SAME
    return ReleaseState(outcome, differences, release.version, release.digest)


class _Kept:
    """The state that was found last, and when."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.state: ReleaseState | None = None
        self.at = 0.0


_KEPT: Final = _Kept()


def release_state() -> ReleaseState:
    """The state of Sabot's own files on this host, found within the last hour by this process.

    For whoever must not act by changed code: asking again costs nothing.
    """
    with _KEPT.lock:
        if _KEPT.state is None or monotonic() - _KEPT.at > KEEP_SECONDS:
            _KEPT.state, _KEPT.at = compare_release(thoroughly=False), monotonic()
        return _KEPT.state
