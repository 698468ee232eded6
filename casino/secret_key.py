"""The secret key of a clone that is given none."""

import secrets
from pathlib import Path


def stored_secret_key(folder: Path) -> str:
    """A random key, generated once for this clone and readable by its owner only."""
    path = folder / "secret-key"
    if not path.exists():
        folder.mkdir(exist_ok=True)
        path.touch(mode=0o600)
        path.write_text(secrets.token_urlsafe(50))
    return path.read_text()
