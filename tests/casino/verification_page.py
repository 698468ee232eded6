"""A page of verification files for tests of what is put into it: only the place for a file."""

from pathlib import Path

from compliance.exports.verification_file import PLACE_OF_FILE


def write_page(folder: Path) -> str:
    """Writes it; gives its path, for ``VERIFICATION_PAGE``."""
    file = folder / "page.html"
    file.write_text(f"before{PLACE_OF_FILE}after")
    return str(file)
