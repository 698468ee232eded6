"""The settings of a drill, before Django reads them."""

import os
import secrets
import sys
from pathlib import Path
from typing import Final
from uuid import uuid4

import django

from casino.embedded.addresses import broker_url
from casino.embedded.server_paths import ServerPaths

PREPARED: Final = "SABOT_DRILL_PREPARED"
"""Names the folder in which the first of several runs leaves its tables and keys for the others."""
_PACKAGED: Final = Path("/usr/lib/postgresql")


def use_packaged_postgres() -> None:
    """PG_BINDIR: that of the distribution, which its pgBackRest and Patroni fit."""
    packaged = sorted(_PACKAGED.glob("*/bin"), key=lambda path: int(path.parent.name))
    if "PG_BINDIR" not in os.environ:
        if not packaged:
            sys.exit(f"no PostgreSQL in {_PACKAGED}: apt-get install postgresql, or set PG_BINDIR")
        os.environ["PG_BINDIR"] = str(packaged[-1])


def set_up_django(folder: Path, *, database_url: str) -> None:
    """Django as the owner of the database, with a broker's queue and keys of this drill alone."""
    os.environ |= {
        "DATABASE_URL": database_url,
        "DJANGO_SETTINGS_MODULE": "casino.settings",
        "CELERY_QUEUE": f"sabot-drill-{uuid4().hex}",
        "DEMO": "true",
        "DECISION_DELAY_HOURS": "0",  # keys are in force once their approval is in the log
        "SECRET_KEY": secrets.token_urlsafe(),
        "SABOT_VAR": str(Path(os.environ.get(PREPARED, folder)) / "var"),
    }
    os.environ.setdefault("CELERY_BROKER_URL", broker_url(ServerPaths(folder / "valkey")))
    django.setup()
