"""Signing keys in files: only the demo has them, so that it can be walked without hardware."""

import hashlib
from pathlib import Path
from typing import Final

from django.conf import settings
from django.contrib.auth.models import User

from compliance.signatures.software_key import SoftwareKey

SITE: Final = "localhost"
_ORIGIN: Final = "http://localhost"


def software_key_of(person: User) -> SoftwareKey | None:
    """The key that the demo keeps for this person; None outside of a demo."""
    file = key_file(person)
    if not settings.SOFTWARE_KEYS or not file.exists():
        return None
    return SoftwareKey.load(file.read_bytes(), site=SITE, origin=_ORIGIN)


def make_software_key(person: User) -> SoftwareKey:
    """A new key in a file that only its owner may read."""
    key = SoftwareKey.generate(site=SITE, origin=_ORIGIN)
    file = key_file(person)
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    file.touch(mode=0o600)
    file.write_bytes(key.pem)
    return key


def key_file(person: User) -> Path:
    """The file of the person's key, named so that no user name leads elsewhere."""
    name = hashlib.sha256(person.get_username().encode()).hexdigest()[:16]
    folder: Path = settings.VAR_DIR / "demo" / "signing-keys"
    return folder / f"{name}.pem"
