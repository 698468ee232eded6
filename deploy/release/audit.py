"""What was known of vulnerable packages when a release was made: the result of ``make audit``."""

import json
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from packaging.utils import canonicalize_name

from deploy.release.pins import versions_in

NAME: Final = "audit.json"


class NotAudited(Exception):
    """Nothing shows what was known of these pins."""


def audit_of(result: Path, lock: Path) -> dict[str, Any]:
    """The result of pip-audit, as it is kept with a release. Raises NotAudited."""
    try:
        audited_at = datetime.fromtimestamp(result.stat().st_mtime, UTC)
        packages = json.loads(result.read_bytes())["dependencies"]
    except FileNotFoundError:
        raise NotAudited(f"found no {result}; needed the result of 'make audit'") from None
    except (ValueError, TypeError, KeyError):
        raise NotAudited(f"found {result} cut off; run 'make audit' again") from None
    pins = versions_in(lock)
    found = {canonicalize_name(package["name"]): package.get("version") for package in packages}
    audited = {name for name, version in found.items() if version}
    if not audited:
        raise NotAudited(
            f"found {result}, for which nothing could be looked up: is there a network?"
        )
    if any(pins.get(name) != found[name] for name in audited):
        raise NotAudited(f"found {result} of other packages; run 'make audit' again")
    return {
        "audited_at": audited_at.isoformat(timespec="seconds"),
        "lock_sha256": sha256(lock.read_bytes()).hexdigest(),
        "audited": len(audited),
        "not_audited": sorted(pins.keys() - audited),
        "vulnerabilities": [
            {
                "package": package["name"],
                "version": package["version"],
                "id": vulnerability["id"],
                "aliases": vulnerability["aliases"],
                "fixed_in": vulnerability["fix_versions"],
            }
            for package in packages
            for vulnerability in package.get("vulns", [])
        ],
    }


def summary_of(audit: dict[str, Any]) -> str:
    """What whoever makes the release has to know."""
    known = ", ".join(
        f"{it['package']} {it['version']} {it['id']}" for it in audit["vulnerabilities"]
    )
    of = f"{audit['audited']} packages on {audit['audited_at']}"
    missing = ", ".join(audit["not_audited"])
    rest = f"; NOT AUDITED: {missing}" if missing else ""
    return f"audited {of}: {f'KNOWN VULNERABILITIES: {known}' if known else 'nothing known'}{rest}"
