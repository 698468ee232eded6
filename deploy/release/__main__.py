"""``python -m deploy.release FOLDER KEY AUDIT``: completes a release in the folder of its wheel.

Adds the compiled rules and the page of verification files, if they were made, the pins, the bill of
materials, the signed list of all files, of the wheel and in it, and the signed result of the audit,
which the list does not name: it is another one each day.
"""

import json
import os
import shutil
import sys
from importlib.metadata import distributions
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from compliance.release.release_list import SIGNATURE_SUFFIX, list_of_wheel
from compliance.trail.log.key_file import InvalidKeyFile, read_key
from deploy.compiled_rules import COMPILED_RULES
from deploy.release.audit import NAME, NotAudited, audit_of, summary_of
from deploy.release.pins import versions_in
from deploy.release.sbom import sbom_of
from rounds import RULES_FORM
from rounds.released_rules.compiled_rules import RulesForm

LOCK: Final = "requirements.lock"
_CLONE: Final = Path(__file__).resolve().parents[2]
_PAGE: Final = _CLONE / "var/verification-page.html"


def complete(folder: Path, key_file: Path, *, made_at: int) -> str:
    """Writes everything beside the wheel; returns the public key. Raises InvalidKeyFile."""
    key = read_key(key_file)
    [wheel] = folder.glob("sabot-*.whl")
    version = wheel.name.split("-")[1]
    lock = _CLONE / LOCK
    shutil.copyfile(lock, folder / LOCK)
    (folder / "sbom.json").write_text(sbom_of(version, lock, made_at=made_at))
    beside, versions = [folder / LOCK, folder / "sbom.json"], versions_in(lock)
    if RULES_FORM is RulesForm.COMPILED:
        beside += [Path(shutil.copy(made, folder)) for made in (_CLONE / "var/compiled").iterdir()]
        versions[COMPILED_RULES] = version
    if _PAGE.is_file():
        beside.append(Path(shutil.copy(_PAGE, folder)))
    content = list_of_wheel(
        wheel,
        beside=beside,
        versions=versions,
        installed=distributions(),
    ).as_bytes()
    (folder / "release.json").write_bytes(content)
    (folder / f"release.json{SIGNATURE_SUFFIX}").write_bytes(key.sign(content))
    return key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw).hex()


def add_audit(folder: Path, key_file: Path, result: Path) -> str:
    """Writes and signs what is known of the pins; returns a summary. Raises NotAudited."""
    audit = audit_of(result, folder / LOCK)
    content = json.dumps(audit, indent=1).encode() + b"\n"
    (folder / NAME).write_bytes(content)
    (folder / f"{NAME}{SIGNATURE_SUFFIX}").write_bytes(read_key(key_file).sign(content))
    return summary_of(audit)


if __name__ == "__main__":
    at, (to, signs, audited) = int(os.environ["SOURCE_DATE_EPOCH"]), map(Path, sys.argv[1:])
    try:
        sys.stdout.write(f"{to}: RELEASE_KEYS={complete(to, signs, made_at=at)}\n")
        sys.stdout.write(f"{to}: {add_audit(to, signs, audited)}\n")
    except InvalidKeyFile as invalid:
        raise SystemExit(f"KEY: {invalid}") from invalid
    except NotAudited as missing:
        sys.stderr.write(f"{to}: NOT AUDITED for known vulnerabilities: {missing}\n")
