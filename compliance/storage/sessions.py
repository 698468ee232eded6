"""Connections that stay one session of PostgreSQL, across transactions.

A pool in transaction mode gives each transaction any of its sessions (``DATABASE_POOLED``). What
PostgreSQL keeps for a session, such as LISTEN and session locks, then needs a connection that
does not go through the pool (``DATABASE_DIRECT_URL``).
"""

from typing import Final

from django.db import DEFAULT_DB_ALIAS, connections

DIRECT: Final = "direct"
"""The alias of the connection past the pool, if there is one."""


class NoSession(Exception):
    """Every connection of this process goes through a pool in transaction mode."""


def is_pooled() -> bool:
    """Whether the default connection goes through a pool in transaction mode."""
    return bool(connections[DEFAULT_DB_ALIAS].settings_dict.get("DISABLE_SERVER_SIDE_CURSORS"))


def has_sessions() -> bool:
    """Whether this process has a connection that stays one session."""
    return DIRECT in connections or not is_pooled()


def session_alias() -> str:
    """The alias of a connection that stays one session. Raises NoSession."""
    if DIRECT in connections:
        return DIRECT
    require_direct_default()
    return DEFAULT_DB_ALIAS


def require_direct_default() -> None:
    """Raises NoSession if the default connection goes through a pool in transaction mode."""
    if is_pooled():
        raise NoSession(
            "found DATABASE_URL of a pool in transaction mode (DATABASE_POOLED); needed a"
            " connection that stays one session: see docs/administrator/pooling.md"
        )
