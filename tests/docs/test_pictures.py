"""The pictures of the pages are those that `make pictures` takes."""

import re
from typing import Final

from casino.embedded.server_paths import CLONE

_PAGES: Final = [CLONE / "README.md", *sorted(CLONE.glob("docs/*.md"))]
_SCRIPT: Final = CLONE / "docs" / "site" / "take_pictures.py"


def test_each_picture_is_taken_and_shown() -> None:
    """A picture that nobody takes shows the pages of an earlier release."""
    pages = "\n".join(page.read_text() for page in _PAGES)

    taken = set(re.findall(r'_take\(tab, "([\w-]+)"', _SCRIPT.read_text()))
    shown = set(re.findall(r"images/([\w-]+)\.png", pages))
    stored = {path.stem for path in CLONE.glob("docs/images/*.png")}

    assert taken == shown == stored
