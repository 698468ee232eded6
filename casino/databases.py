"""The DATABASES setting, from the environment."""

from collections.abc import Mapping
from typing import Any, Final

from environ import Env

from compliance.storage.replica import REPLICA

_KEPT_OPEN: Final = {"CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True}
_NOT_COMPILED: Final = "-c jit=off"
"""JIT compilation takes longer than any of our statements.

PostgreSQL decides by estimates, which are high for tables with many partitions.
"""
_PREPARED: Final = 0
"""Allows ``compliance.storage.prepared_statements``; Django's own statements are not prepared."""
_PLANNED_ONCE: Final = "-c plan_cache_mode=force_generic_plan"
"""Prepared statements find rows by a key, with one plan for all keys.

For partitioned tables PostgreSQL overestimates the cost of such a plan, because it ignores that a
key is in one partition, and would plan each time. The function that claims queued rounds sets its
own mode.
"""
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
    default: Mapping[str, Any], *, replica_url: str | None = None
) -> dict[str, dict[str, Any]]:
    """The primary, and the replica if there is one."""
    primary = {
        "default": _with_options(default, _NOT_COMPILED, _PLANNED_ONCE, of_several=_WRITABLE)
    }
    return primary if not replica_url else {**primary, REPLICA: _replica(replica_url)}


def _replica(url: str) -> dict[str, Any]:
    """A read-only connection, even if the URL is that of the primary; a mirror in tests."""
    config = _with_options(
        Env.db_url_config(url), _NOT_COMPILED, _PLANNED_ONCE, _READ_ONLY, of_several=_REPLICATED
    )
    return {**config, "TEST": {"MIRROR": "default"}}


def _with_options(config: Mapping[str, Any], *settings: str, of_several: str) -> dict[str, Any]:
    """A database whose connections have these settings, after those of its URL.

    ``of_several`` says which of several hosts is meant, as libpq's ``target_session_attrs``.
    """
    options = {**_LOST_HOST, **config.get("OPTIONS", {})}
    if "," in str(config.get("HOST", "")):
        options.setdefault("target_session_attrs", of_several)
    options["options"] = " ".join(filter(None, [options.get("options", ""), *settings]))
    options.setdefault("prepare_threshold", _PREPARED)
    return {**config, **_KEPT_OPEN, "OPTIONS": options}
