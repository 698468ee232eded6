"""The result of the audit is kept with a release, or it says that there is none."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from casino.embedded.server_paths import CLONE
from compliance.trail.log.key_file import make_key
from deploy.release.__main__ import add_audit
from deploy.release.audit import NotAudited, audit_of, summary_of
from deploy.release.pins import versions_in

LOCK = CLONE / "requirements.lock"
_KNOWN = {
    "id": "PYSEC-2026-1",
    "fix_versions": ["9.9"],
    "aliases": ["CVE-2026-1"],
    "description": "It is bad.",
}


def result_in(folder: Path, *, without: str = "", **vulnerable: Any) -> Path:
    """What pip-audit writes for the pins of Sabot, with these vulnerabilities."""
    dependencies = [
        {"name": name, "version": version, "vulns": vulnerable.get(name, [])}
        for name, version in versions_in(LOCK).items()
        if name != without
    ]
    file = folder / "found.json"
    file.write_text(json.dumps({"dependencies": dependencies, "fixes": []}))
    return file


@pytest.fixture
def release(tmp_path: Path) -> tuple[Path, Path, Ed25519PrivateKey]:
    """The folder of a release, the file of its key, and the key."""
    folder = tmp_path / "release"
    folder.mkdir()
    (folder / "requirements.lock").write_bytes(LOCK.read_bytes())
    return folder, tmp_path / "release.pem", make_key(tmp_path / "release.pem")


def test_it_is_signed(release: tuple[Path, Path, Ed25519PrivateKey], tmp_path: Path) -> None:
    """With the digest of the pins that it is about."""
    folder, file, key = release

    summary = add_audit(folder, file, result_in(tmp_path))

    content = (folder / "audit.json").read_bytes()
    key.public_key().verify((folder / "audit.json.sig").read_bytes(), content)
    audit = json.loads(content)
    assert audit["lock_sha256"] == sha256(LOCK.read_bytes()).hexdigest()
    assert (audit["vulnerabilities"], audit["not_audited"]) == ([], [])
    assert summary.startswith(f"audited {len(versions_in(LOCK))} packages on 20")
    assert summary.endswith(": nothing known")


def test_it_names_what_is_known(tmp_path: Path) -> None:
    """With the versions that have it fixed; and what was not looked up."""
    audit = audit_of(result_in(tmp_path, without="celery", django=[_KNOWN]), LOCK)

    version = versions_in(LOCK)["django"]
    [found] = audit["vulnerabilities"]
    assert found == {
        "package": "django",
        "version": version,
        "id": "PYSEC-2026-1",
        "aliases": ["CVE-2026-1"],
        "fixed_in": ["9.9"],
    }
    assert f": KNOWN VULNERABILITIES: django {version} PYSEC-2026-1" in summary_of(audit)
    assert summary_of(audit).endswith("; NOT AUDITED: celery")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"dependencies": [{"name": "django", "version": "1.0", "vulns": []}]}', "run 'make aud"),
        ('{"dependencies": [{"name": "django", "skip_reason": "not found"}]}', "looked up"),
        ('{"dependencies": [{"name": "dja', "run 'make audit' again"),
    ],
    ids=["other pins", "nothing looked up", "cut off"],
)
def test_that_of_something_else_is_none(tmp_path: Path, content: str, message: str) -> None:
    """Also where pip-audit reached nobody: it skips every package, and says that all is well."""
    (tmp_path / "found.json").write_text(content)

    with pytest.raises(NotAudited, match=message):
        audit_of(tmp_path / "found.json", LOCK)


def test_a_release_without_says_so(tmp_path: Path) -> None:
    """It is made all the same: whoever hands it on decides."""
    with pytest.raises(NotAudited, match=r"found no .*; needed the result of"):
        audit_of(tmp_path / "found.json", LOCK)


def test_make_keeps_it() -> None:
    """``make audit`` writes the file that ``make release`` reads."""
    makefile = (CLONE / "Makefile").read_text()

    assert "-r requirements.lock --format json --output var/audit.json" in makefile
    assert "-m deploy.release var/release $(KEY) var/audit.json" in makefile
