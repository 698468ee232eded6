"""Makes the fonts of the pages small: ``python -m docs.site.subset_fonts``.

django-unfold's fonts are two thirds of a first view: Inter has the letters of every language, and
there are 3,800 icons. Django finds ``templates/static`` first, so the files made here replace them.
"""

import re
from pathlib import Path
from typing import Final

import unfold
from fontTools.subset import Options, Subsetter, load_font, save_font

from casino.backoffice.site.menu import MENU
from casino.embedded.server_paths import CLONE

_FOLDER: Final = "static/unfold/fonts"
_UNFOLD: Final = Path(unfold.__file__).parent
_ICONS: Final = "material-symbols/Material-Symbols-Outlined.woff2"
_WEIGHTS: Final = ("Regular", "Medium", "SemiBold", "Bold")
_LATIN: Final = (*range(0x20, 0x180), *range(0x2010, 0x2040), 0x20AC, *range(0x2190, 0x2194))
_SIGNS: Final = (0x2116, 0x2122, 0x2212, 0x2248, 0x2260, 0x2264, 0x2265)
_FEATURES: Final = ["calt", "ccmp", "kern", "liga", "mark", "tnum"]
_ICON: Final = re.compile(r"material-symbols-outlined[^>]*>\s*([a-z0-9_]+)\s*<")


def main() -> None:
    """Write every font anew."""
    for weight in _WEIGHTS:
        _write(f"inter/Inter-{weight}.woff2", [*_LATIN, *_SIGNS], set(), _FEATURES)
    letters = [ord(letter) for letter in sorted(set("".join(icon_names())))]
    _write(_ICONS, letters, icon_names(), ["rlig"])


def icon_names() -> set[str]:
    """The icons of the menu and of django-unfold's templates."""
    templates = (path.read_text() for path in _UNFOLD.glob("templates/**/*.html"))
    menu = {item.icon for group in MENU for item in group.items}
    return menu.union(*(_ICON.findall(text) for text in templates))


def _write(name: str, letters: list[int], glyphs: set[str], features: list[str]) -> None:
    """Keeps these letters and glyphs. Ligatures of other glyphs are left out."""
    options = Options(flavor="woff2", layout_features=features, layout_closure=not glyphs)
    options.ignore_missing_glyphs = True  # names that are other names of a glyph
    font = load_font(str(_UNFOLD / _FOLDER / name), options)
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=letters, glyphs=glyphs)
    subsetter.subset(font)
    target = CLONE / "templates" / _FOLDER / name
    target.parent.mkdir(parents=True, exist_ok=True)
    save_font(font, str(target), options)


if __name__ == "__main__":
    main()
