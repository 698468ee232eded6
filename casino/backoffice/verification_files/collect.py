"""Lists the modules that the browser needs, by loading them as the browser does.

Run as a program of its own: it puts stand-ins in the place of what the browser lacks.
"""

import gzip
import json
import sys
import sysconfig
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Any

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


def samples() -> Iterator[dict[str, Any]]:
    """Files without proofs for some rounds of each game, from the feeds that are sealed."""
    for path in sorted((ROOT / "rounds/rules/released").glob("*.feed.ndjson.gz")):
        with gzip.open(path) as lines:
            documents = [json.loads(line) for line in islice(lines, _LINES)]
        for document in documents:
            if document["feed"] == "round/1":
                yield {
                    "verification": "sabot verification/1",
                    "customer": "",
                    "document": document,
                    "receipt": {"round": document["round"], "records": []},
                    "arrival": None,
                    "rulings": {},
                    "paid": {},
                }


def main() -> None:
    """Prints the files of the modules that were loaded, one to a line: root, tab, path within."""
    prepare()
    from casino.backoffice.verification_files.browser.start import (  # noqa: PLC0415  prepared
        show,
        start,
    )

    start()
    for sample in samples():
        for language in ("it", "en"):
            show(json.dumps(sample), language=language, known="")
    installed = Path(sysconfig.get_path("purelib"))
    for module in list(sys.modules.values()):
        path = Path(getattr(module, "__file__", None) or "")
        root = next((it for it in (installed, STAND_INS, ROOT) if path.is_relative_to(it)), None)
        if root is not None and path.suffix == ".py" and module.__name__ != "__main__":
            sys.stdout.write(f"{root}\t{path.relative_to(root)}\n")


if __name__ == "__main__":
    main()
