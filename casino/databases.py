"""The databases that the environment names, as Django's settings have them."""

from collections.abc import Mapping
from typing import Any, Final

from environ import Env

from compliance.replica import REPLICA

_KEPT_OPEN: Final = {"CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True}
_NOT_COMPILED: Final = "-c jit=off"
"""No statement here takes as long as compiling it does.

PostgreSQL decides by estimates, which are high for tables of many parts. The wheel's server cannot
compile at all; Debian's does unless it is told.
"""
_PREPARED: Final = 0
"""So that ``compliance.trail.prepared`` may; what Django asks by itself is never prepared."""
_PLANNED_ONCE: Final = "-c plan_cache_mode=force_generic_plan"
"""What is prepared finds rows by a key, and there is one plan for all keys.

PostgreSQL takes such a plan for dear where a table is cut into months, because it does not count
that a key belongs to one of them, and would plan each time. The function that deals out waiting
rounds wants that, and says so itself.
"""
_READ_ONLY: Final = "-c default_transaction_read_only=on"


def databases(
    default: Mapping[str, Any], *, replica_url: str | None = None
) -> dict[str, dict[str, Any]]:
    """The database, and its replica where there is one."""
    found = {"default": _connecting(default, _NOT_COMPILED, _PLANNED_ONCE)}
    return found if not replica_url else {**found, REPLICA: _replica(replica_url)}


def _replica(url: str) -> dict[str, Any]:
    """A connection that refuses to write, even if the URL names the database itself by mistake.

    Tests that Django sets up see in it what they have committed.
    """
    named = _connecting(Env.db_url_config(url), _NOT_COMPILED, _PLANNED_ONCE, _READ_ONLY)
    return {**named, "TEST": {"MIRROR": "default"}}


def _connecting(named: Mapping[str, Any], *settings: str) -> dict[str, Any]:
    """A database whose server is told these settings, behind those of its URL, on connecting."""
    options = dict(named.get("OPTIONS", {}))
    options["options"] = " ".join(filter(None, [options.get("options", ""), *settings]))
    options.setdefault("prepare_threshold", _PREPARED)
    return {**named, **_KEPT_OPEN, "OPTIONS": options}
