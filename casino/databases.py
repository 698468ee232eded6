"""The DATABASES setting, from the environment."""

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from django.db import DEFAULT_DB_ALIAS
from environ import Env

from compliance.storage.replica import REPLICA
from compliance.storage.sessions import DIRECT

_KEPT_OPEN: Final = {"CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True}
_NOT_COMPILED: Final = "-c jit=off"
"""JIT compilation takes longer than any of our statements.

PostgreSQL decides by estimates, which are high for tables with many partitions.
"""
_PLANNED_ONCE: Final = "-c plan_cache_mode=force_generic_plan"
"""Prepared statements find rows by a key, with one plan for all keys.

For partitioned tables PostgreSQL overestimates the cost of such a plan, because it ignores that a
key is in one partition, and would plan each time. The function that claims queued rounds sets its
own mode.
"""
_OF_EVERY_SESSION: Final = (_NOT_COMPILED, _PLANNED_ONCE)
_LOST_HOST: Final[Mapping[str, int]] = {
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 25_000,
}
"""A host that went away without a word is noticed within 25 seconds; Linux waits for a quarter of
an hour, or for hours if it only listens. ``tcp_user_timeout`` is in milliseconds."""
_WRITABLE: Final = "read-write"
"""Of several hosts the one that accepts writes: the primary, after a failover as well."""
_REPLICATED: Final = "prefer-standby"
_READ_ONLY: Final = "-c default_transaction_read_only=on"


def configured_database(env: Env) -> dict[str, Any]:
    """The database of DATABASE_URL, else the clone's own."""
    if "DATABASE_URL" in env.ENVIRON:
        return dict(env.db_url("DATABASE_URL"))
    from casino import embedded  # noqa: PLC0415  only clones without DATABASE_URL need it

    return embedded.database_settings()


def databases(
    default: Mapping[str, Any],
    *,
    replica_url: str | None = None,
    direct_url: str | None = None,
    is_pooled: bool = False,
    statement_seconds: int = 0,
) -> dict[str, dict[str, Any]]:
    """The primary, the replica if there is one, and the primary past a pool if that is named.

    ``is_pooled`` says that the first two lead to a pool in transaction mode. A statement that
    takes longer than ``statement_seconds`` is cancelled; 0 means no limit.
    """
    limit = [f"-c statement_timeout={statement_seconds}s"] if statement_seconds else []
    of_every_session = (*_OF_EVERY_SESSION, *limit)
    options = partial(_with_options, is_pooled=is_pooled)
    found = {DEFAULT_DB_ALIAS: options(default, *of_every_session, of_several=_WRITABLE)}
    if replica_url:
        # Read-only, even if the URL is that of the primary; a mirror in tests.
        settings = (*of_every_session, _READ_ONLY)
        replica = options(Env.db_url_config(replica_url), *settings, of_several=_REPLICATED)
        found[REPLICA] = {**replica, "TEST": {"MIRROR": DEFAULT_DB_ALIAS}}
    if direct_url:
        config = Env.db_url_config(direct_url)
        direct = _with_options(config, *of_every_session, of_several=_WRITABLE, is_pooled=False)
        found[DIRECT] = {**direct, "TEST": {"MIRROR": DEFAULT_DB_ALIAS}}
    return found


def _with_options(
    config: Mapping[str, Any], *settings: str, of_several: str, is_pooled: bool
) -> dict[str, Any]:
    """A database whose connections have these settings, after those of its URL.

    ``of_several`` says which of several hosts is meant, as libpq's ``target_session_attrs``. A pool
    gives its own sessions their settings, prepares nothing and has no cursors across transactions.
    """
    options = {**_LOST_HOST, **config.get("OPTIONS", {})}
    if "," in f"{config.get('HOST', '')}{options.get('host', '')}":
        options.setdefault("target_session_attrs", of_several)
    if not is_pooled:
        options["options"] = " ".join(filter(None, [options.get("options", ""), *settings]))
    kept = {**_KEPT_OPEN, "DISABLE_SERVER_SIDE_CURSORS": is_pooled}
    return {**config, **kept, "OPTIONS": options}
