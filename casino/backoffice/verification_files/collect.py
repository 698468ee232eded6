"""Lists the modules that the browser needs, by loading them as the browser does.

Run as a program of its own: it puts stand-ins in the place of what the browser lacks.
"""

import gzip
import json
import sys
import sysconfig
from collections.abc import Iterator
from importlib import import_module
from itertools import islice
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[3]
STAND_INS = Path(__file__).parent / "stand_ins"
_LINES = 6
EMPTY = ("casino", "rounds")
"""Packages whose own module starts what the browser lacks: Celery, and the compiled rules."""


def prepare() -> None:
    """Makes the empty packages and puts the stand-ins before everything else."""
    sys.path[:0] = [str(STAND_INS), str(ROOT)]
    for name in EMPTY:
        package = ModuleType(name)
        package.__path__ = [str(ROOT / name)]
        sys.modules[name] = package


def samples() -> Iterator[str]:
    """The beginnings of the feeds that are sealed, and files of their rounds without proofs."""
    for path in sorted((ROOT / "rounds/rules/released").glob("*.feed.ndjson.gz")):
        with gzip.open(path) as lines:
            feed = list(islice(lines, _LINES))
        yield b"".join(feed).decode()
        for document in map(json.loads, feed):
            if document["feed"] == "round/1":
                file = {
                    "verification": "sabot verification/1",
                    "customer": "",
                    "document": document,
                    "receipt": {"round": document["round"], "records": []},
                    "arrival": None,
                    "numbers": list(range(len(document["bets"]))),
                    "paid": {},
                }
                yield json.dumps(file)


def main() -> None:
    """Prints the files of the modules that were loaded, one to a line: root, tab, path within."""
    prepare()
    from casino.backoffice.verification_files.browser.start import (  # noqa: PLC0415  prepared
        show,
        show_report,
        start,
    )

    start()
    import_module("casino.backoffice.verification_files.browser.bundles")
    show_report('{"files": [], "feeds": [], "entered": {}}', None, language="it")
    for sample in samples():
        for language in ("it", "en"):
            show(sample, language=language, known="")
    installed = Path(sysconfig.get_path("purelib"))
    for module in list(sys.modules.values()):
        path = Path(getattr(module, "__file__", None) or "")
        root = next((it for it in (installed, STAND_INS, ROOT) if path.is_relative_to(it)), None)
        if root is not None and path.suffix == ".py" and module.__name__ != "__main__":
            sys.stdout.write(f"{root}\t{path.relative_to(root)}\n")


if __name__ == "__main__":
    main()
