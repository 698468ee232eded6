"""Bundles as files, for tests of verification."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from compliance.exports.bundle.archive import Archive
from compliance.exports.bundle.signing import SigningKey

MANIFEST: Final = "manifest.json"
SIGNATURE: Final = "manifest.json.p7s"
STORED: Final = (".xlsx", ".pdf", MANIFEST, SIGNATURE)


def packed(path: Path, files: Mapping[str, bytes]) -> Path:
    """A bundle of these files with a matching seal."""
    with Archive(path) as archive:
        for name, content in files.items():
            archive.add(name, [content], compress=not name.endswith(STORED))
    return path


def signed_anew(
    path: Path, files: dict[str, bytes], changed: dict[str, Any], key: SigningKey
) -> Path:
    """A bundle with changed files and a new signature."""
    manifest = json.loads(files["manifest.json"])
    for name, content in changed.items():
        files[name] = json.dumps(content).encode()
        [entry] = [entry for entry in manifest["files"] if entry["name"] == name]
        entry |= {"size": len(files[name]), "sha256": hashlib.sha256(files[name]).hexdigest()}
    files["manifest.json"] = json.dumps(manifest).encode()
    files["manifest.json.p7s"] = key.sign(files["manifest.json"])
    return packed(path, files)
