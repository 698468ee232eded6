"""`make bench`: measures on throw-away servers; PostgreSQL writes as durably as a real one.

`python -m benchmarks NAME…` measures some parts only and keeps the other figures.
"""

import argparse
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

from casino.embedded import start_postgres, start_valkey
from casino.embedded.addresses import broker_url, database_url
from casino.embedded.places import Place


def main() -> None:
    """Starts the servers, measures what was asked for, prints, stops the servers."""
    with tempfile.TemporaryDirectory(prefix="sabot-bench-") as name:
        folder = Path(name)
        folder.chmod(0o755)  # so that the account PostgreSQL runs as can enter it
        _set_up_django(folder)
        asked = _asked()
        postgres = start_postgres(folder / "postgres", durable=True)
        valkey = start_valkey(folder / "valkey")
        try:
            _measure(folder, asked)
        finally:
            valkey.stop()
            postgres.stop()


def _set_up_django(folder: Path) -> None:
    """Names the servers, which do not run yet, and loads the settings."""
    os.environ["DATABASE_URL"] = database_url(Place(folder / "postgres"))
    os.environ["CELERY_BROKER_URL"] = broker_url(Place(folder / "valkey"))
    os.environ["DJANGO_SETTINGS_MODULE"] = "casino.settings"
    import django  # noqa: PLC0415  once the addresses are known

    django.setup()


def _asked() -> Sequence[str]:
    from benchmarks.parts import APART, PARTS  # noqa: PLC0415  once Django is set up

    known = [*PARTS, *APART]
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(known)}")
    names: list[str] = parser.parse_args().names
    for name in names:
        if name not in known:
            parser.error(f"{name} is none of {', '.join(known)}")
    return [part for part in known if part in (names or PARTS)]


def _measure(folder: Path, asked: Sequence[str]) -> None:
    from benchmarks.figures import publish  # noqa: PLC0415
    from benchmarks.parts import APART, PARTS  # noqa: PLC0415  once Django is set up
    from benchmarks.workplace import Workplace  # noqa: PLC0415

    place = Workplace(folder)
    place.prepare()
    figures = [figure for part in asked for figure in {**PARTS, **APART}[part](place)]
    publish(figures, is_whole=list(asked) == list(PARTS))


if __name__ == "__main__":
    main()
