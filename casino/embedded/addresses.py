"""The addresses of a clone's private servers, running or not."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from casino.embedded.server_paths import ServerPaths, clone_paths

ROLE = "sabot"
DATABASE = "sabot"
PORT = 5432  # names the socket's file; nothing listens on TCP


@dataclass(frozen=True)
class Urls:
    """The URLs of the servers of one clone."""

    database_url: str
    broker_url: str


def urls(root: Path | None = None) -> Urls:
    """The addresses of the private servers of the clone at `root`; without it, of this clone."""
    return Urls(
        database_url=database_url(clone_paths("postgres", root)),
        broker_url=broker_url(clone_paths("valkey", root)),
    )


def database_settings(data_dir: Path | None = None, database: str = DATABASE) -> dict[str, Any]:
    """Django's DATABASES entry for the server whose data is in `data_dir`; else this clone's."""
    place = ServerPaths(data_dir) if data_dir else clone_paths("postgres")
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": database,
        "USER": ROLE,
        "HOST": str(place.sockets),
        "PORT": str(PORT),
    }


def database_url(place: ServerPaths, database: str = DATABASE, *, role: str = ROLE) -> str:
    """A URL that libpq, psycopg and django-environ read alike."""
    return f"postgres://{role}@/{database}?host={quote(str(place.sockets), safe='')}&port={PORT}"


def broker_url(place: ServerPaths) -> str:
    """A URL for Celery's Redis transport."""
    return f"redis+socket://{valkey_socket(place)}"


def postgres_socket(place: ServerPaths) -> Path:
    """The socket's file, as PostgreSQL names it."""
    return place.sockets / f".s.PGSQL.{PORT}"


def valkey_socket(place: ServerPaths) -> Path:
    """The socket's file of Valkey."""
    return place.sockets / "valkey.sock"
