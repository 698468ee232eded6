"""MkDocs hooks: pages of the site whose text is a file in the root of the repository."""

from pathlib import Path
from typing import Any, Final

_ROOT: Final = Path(__file__).parents[2]
_INCLUDED: Final = {"contributing.md": "CONTRIBUTING.md", "changelog.md": "CHANGELOG.md"}


def on_page_markdown(markdown: str, *, page: Any, **_arguments: Any) -> str:
    """Returns the text of a page; links into ``docs/`` become links between pages."""
    name = _INCLUDED.get(page.file.src_uri)
    text = markdown if name is None else (_ROOT / name).read_text()
    for included, file in _INCLUDED.items():
        text = text.replace(f"]({file}", f"]({included}")
    return text.replace("](docs/", "](")
