"""What is verified of the installation and its records."""

import re
import sys
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

from casino.settings.environment import DEMO, VAR_DIR, env

# Who may sign a release is said from outside; the list lies where the release was installed.
RELEASE_KEYS = env.list("RELEASE_KEYS", default=[])
RELEASE_LIST = env.str("RELEASE_LIST", default=str(Path(sys.prefix).resolve() / "release.json"))
# The checks of integrity whose failure stops settlement; the others only tell.
_CHECKS = ["release", "schema", "trail", "books", "recheck"]
INTEGRITY_STOPS = env.list("INTEGRITY_STOPS", default=_CHECKS)
if unknown := sorted(set(INTEGRITY_STOPS) - {*_CHECKS, ""}):
    needed = ", ".join(_CHECKS)
    raise ImproperlyConfigured(f"INTEGRITY_STOPS: found {unknown[0]}; needed any of {needed}")
# The random share that workers verify again: percent of one process's time, and the recent hours.
RECHECK_PERCENT = env.int("RECHECK_PERCENT", default=5)
RECHECK_HOURS = env.int("RECHECK_HOURS", default=6)
for _name, _found, _most in (
    ("RECHECK_PERCENT", RECHECK_PERCENT, 50),
    ("RECHECK_HOURS", RECHECK_HOURS, 48),
):
    if not 1 <= _found <= _most:
        raise ImproperlyConfigured(f"{_name}: found {_found}; needed a number from 1 to {_most}")

# The private key that signs tree heads of the audit log. Only the worker's environment names it.
LOG_KEY_FILE = env.str("LOG_KEY_FILE", default="")
# The name of the log in its checkpoints, for the same workers.
LOG_ORIGIN = env.str("LOG_ORIGIN", default="demo.invalid/log" if DEMO else "")
if not re.fullmatch(r"[!-*,-~]{0,200}", LOG_ORIGIN):
    raise ImproperlyConfigured(
        f"LOG_ORIGIN: found {LOG_ORIGIN!r}; needed up to 200 ASCII characters, no white space, no +"
    )
# Who has to cosign the heads of the log (C2SP tlog-policy); the same file on every host.
_demo_policy = VAR_DIR / "demo" / "witnesses" / "log-policy"
_has_demo_policy = DEMO and _demo_policy.exists()
LOG_POLICY_FILE = env.str("LOG_POLICY_FILE", default=str(_demo_policy) if _has_demo_policy else "")
try:
    LOG_POLICY = Path(LOG_POLICY_FILE).read_text("utf-8") if LOG_POLICY_FILE else ""
except (OSError, UnicodeDecodeError) as _error:
    raise ImproperlyConfigured(
        f"LOG_POLICY_FILE: found no readable file ({_error}); needed one of lines as quorum NAME"
    ) from _error
if LOG_POLICY and LOG_KEY_FILE and not LOG_ORIGIN:
    raise ImproperlyConfigured("LOG_ORIGIN: found none; needed one, which witnesses know it by")
