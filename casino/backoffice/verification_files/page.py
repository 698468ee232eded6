"""The page of verification files, built once from its parts.

Its Python is CPython for WebAssembly (Pyodide); the package ``flet-web`` is where PyPI has it, and
nothing else of that package is used. It is no dependency of Sabot: ``make verification-page``
unpacks it.
"""

import base64
import gzip
import io
import subprocess
import sys
import zipfile
import zoneinfo
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import django
from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from django.utils.safestring import mark_safe

from casino.backoffice.verification_files import collect
from compliance.exports.verification_file import NO_FILE

_ROOT: Final = Path(__file__).parents[3]
_STYLES: Final = (
    *(f"sabot/css/{name}.css" for name in ("tokens", "shell", "pages", "table-layout")),
    "unfold/css/styles.css",
    *(f"sabot/css/{name}.css" for name in ("sandbox", "replay", "verification-file")),
)
_SCRIPTS: Final = tuple(
    f"sabot/js/{name}.js" for name in ("shell", "table-layout", "verification-file")
)
_WORKER: Final = "sabot/js/verification-worker.js"
"""Runs Python beside the page, which stays usable meanwhile."""
RUNTIME: Final = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
_TEMPLATES: Final = ("rounds", "replay_links", "verification_files")
_ZONE: Final = "Europe/Rome"
_POLICY: Final = (
    "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:;"
    " style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
)
"""The page reaches nothing: no address, not even the one that it came from."""
_LONG_AGO: Final = (1980, 1, 1, 0, 0, 0)


def build_page(runtime: Path) -> str:
    """The page without a file, from the folder of Pyodide. The same parts give the same bytes."""
    styles = "".join(map(_static, _STYLES))
    scripts = "".join(map(_static, _SCRIPTS))
    parts = [(name, _part((runtime / name).read_bytes())) for name in RUNTIME]
    return render_to_string(
        "backoffice/verification_files/page.html",
        {
            "policy": _POLICY,
            "styles": mark_safe(styles),  # noqa: S308  our own files
            "scripts": mark_safe(scripts),  # noqa: S308  as above
            "worker": mark_safe(_static(_WORKER)),  # noqa: S308  as above
            "parts": [*parts, ("sabot.zip", _part(_archive()))],
            "file": mark_safe(NO_FILE),  # noqa: S308  a constant
        },
    )


def _part(content: bytes) -> str:
    return base64.b64encode(gzip.compress(content, 9, mtime=0)).decode()


def _static(path: str) -> str:
    found = finders.find(path)
    if found is None:
        raise FileNotFoundError(f"found no static file {path}")
    return Path(found).read_text()


def _archive() -> bytes:
    """Sabot's modules, Django's, the templates and the Italian texts, as one archive."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:  # the part is compressed
        for name, content in sorted(_files()):
            archive.writestr(zipfile.ZipInfo(name, _LONG_AGO), content)
    return packed.getvalue()


def _files() -> Iterator[tuple[str, bytes]]:
    for name in collect.EMPTY:
        yield f"{name}/__init__.py", b""
    command = [sys.executable, collect.__file__]
    listed = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603  our own
    for line in listed.stdout.splitlines():
        root, path = line.split("\t")
        yield path, Path(root, path).read_bytes()
    for folder in _TEMPLATES:
        for template in (_ROOT / "templates" / "backoffice" / folder).glob("*.html"):
            yield str(template.relative_to(_ROOT)), template.read_bytes()
    translations = Path("templates/locale/it/LC_MESSAGES/django.mo")
    yield str(translations), (_ROOT / translations).read_bytes()
    dates = Path("conf/locale/it/LC_MESSAGES/django.mo")
    yield f"django/{dates}", (Path(django.__file__).parent / dates).read_bytes()
    yield f"zoneinfo/{_ZONE}", _time_zone()


def _time_zone() -> bytes:
    for folder in zoneinfo.TZPATH:
        if (file := Path(folder, _ZONE)).is_file():
            return file.read_bytes()
    raise FileNotFoundError(f"found no {_ZONE} in {zoneinfo.TZPATH}; needed the time zones")
