"""`make bench`: measures on a throw-away PostgreSQL that writes as durably as a real one."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from casino.embedded import start_postgres

_ROUNDS: Final = 4_000
_GAMES: Final = ("baccarat", "blackjack")


def main() -> None:
    """Deals the feeds, starts the server, measures, prints, stops the server."""
    with tempfile.TemporaryDirectory(prefix="sabot-bench-") as folder:
        Path(folder).chmod(0o755)  # so that the account PostgreSQL runs as can enter it
        server = start_postgres(Path(folder) / "postgres", durable=True)
        try:
            os.environ["DATABASE_URL"] = server.url
            os.environ.setdefault("CELERY_BROKER_URL", "memory://")  # nothing here rings
            _measure(Path(folder))
        finally:
            server.stop()


def _measure(folder: Path) -> None:
    import django  # noqa: PLC0415  once the address is known

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
    django.setup()
    from django.core.management import call_command  # noqa: PLC0415  once Django is set up
    from django.utils import timezone  # noqa: PLC0415

    from benchmarks.figures import publish  # noqa: PLC0415
    from benchmarks.pipeline import measure_pipeline  # noqa: PLC0415
    from benchmarks.rules import measure_rules  # noqa: PLC0415
    from casino.demo import make_tables  # noqa: PLC0415
    from compliance.trail.actor import Actor  # noqa: PLC0415

    call_command("migrate", verbosity=0)
    make_tables(at=timezone.now(), actor=Actor("benchmark"))
    feeds = {game: _deal(folder, game) for game in _GAMES}
    figures = measure_rules()
    figures += measure_pipeline([line for feed in feeds.values() for line in feed])
    publish(figures)


def _deal(folder: Path, game: str) -> list[bytes]:
    feed = folder / f"{game}.ndjson"
    command = [
        sys.executable,
        "manage.py",
        "simulate",
        game,
        f"--rounds={_ROUNDS}",
        f"--out={feed}",
    ]
    subprocess.run(command, check=True)
    return feed.read_bytes().splitlines()


if __name__ == "__main__":
    main()
