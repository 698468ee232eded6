"""Draws the packages and their imports: ``python -m docs.site.draw_packages`` writes the picture.

A box is a package, an arrow an import. An arrow is left out where a longer path of arrows connects
the same packages. An arrow with two heads joins packages that import each other.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape

import grimp

PICTURE: Final = Path(__file__).parents[1] / "images" / "packages.svg"
ROOTS: Final = ("casino", "compliance", "payouts", "rounds")
_NO_PACKAGES: Final = frozenset({"models", "services"})
"""Parts of the package that contains them."""
_LEFT_OUT: Final = (".management", ".migrations")
_COLOURS: Final = {
    "casino": "#dbeafe",
    "compliance": "#dcfce7",
    "payouts": "#fef3c7",
    "rounds": "#fce7f3",
}
_WIDTH: Final = 1360
_BOX: Final = (152, 34)
_ROW: Final = 76
_STYLE: Final = "font:13px sans-serif;text-anchor:middle;dominant-baseline:central"

Imports = Mapping[str, frozenset[str]]
"""By package the packages that it imports."""


def read_imports() -> dict[str, frozenset[str]]:
    """Returns the imports between packages, without those of commands and migrations."""
    graph = grimp.build_graph(*ROOTS, cache_dir=None)
    modules = {name for name in graph.modules if not any(part in name for part in _LEFT_OUT)}
    imports: dict[str, set[str]] = defaultdict(set)
    for module in modules:
        package = _package_of(module, modules)
        for imported in graph.find_modules_directly_imported_by(module):
            target = _package_of(imported, modules)
            if target != package:
                imports[package].add(target)
                imports[target].update()
    return {name: frozenset(imports[name]) for name in sorted(imports)}


def _package_of(module: str, modules: set[str]) -> str:
    root, *rest = module.split(".")
    package = f"{root}.{rest[0]}" if rest else root
    is_package = any(name.startswith(f"{package}.") for name in modules)
    return package if rest and is_package and rest[0] not in _NO_PACKAGES else root


def split_cycles(imports: Imports) -> tuple[dict[str, frozenset[str]], list[tuple[str, str]]]:
    """Returns the imports without cycles, and the arrows that close a cycle."""
    downwards: dict[str, set[str]] = {name: set() for name in imports}
    upwards = []
    pairs = [(name, imported) for name in imports for imported in sorted(imports[name])]
    for name, imported in sorted(pairs, key=lambda pair: (len(imports[pair[1]]), pair)):
        if _reaches(downwards, imported, name):
            upwards.append((name, imported))
        else:
            downwards[name].add(imported)
    return {name: frozenset(targets) for name, targets in downwards.items()}, sorted(upwards)


def _reaches(imports: Mapping[str, set[str] | frozenset[str]], start: str, end: str) -> bool:
    return start == end or any(_reaches(imports, name, end) for name in imports[start])


def layers_of(imports: Imports) -> list[list[str]]:
    """Returns the packages in layers: each imports packages of later layers only."""

    @cache
    def depth(name: str) -> int:
        return 1 + max(map(depth, imports[name]), default=-1)

    layers = [[] for _ in range(1 + max(map(depth, imports)))]  # type: list[list[str]]
    for name in imports:
        layers[-1 - depth(name)].append(name)
    return layers


def essential_imports(imports: Imports) -> Iterator[tuple[str, str]]:
    """Yields the imports that no longer path of imports implies."""
    for name, imported in imports.items():
        for target in sorted(imported):
            if not any(_reaches(imports, other, target) for other in imported - {target}):
                yield name, target


def draw(imports: Imports) -> str:
    """Returns the picture as SVG, the same text for the same imports."""
    downwards, upwards = split_cycles(imports)
    layers = layers_of(downwards)
    places = dict(_places(layers))
    arrows = [_arrow(places[name], places[end]) for name, end in essential_imports(downwards)]
    arrows += [_arrow(places[name], places[end]) for name, end in upwards]
    boxes = [_box(name, *place) for name, place in places.items()]
    size = f'viewBox="0 0 {_WIDTH} {_ROW * len(layers)}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" style="{_STYLE}">'
    title = "<title>The packages of Sabot and their imports</title>"
    marker = (
        '<defs><marker id="head" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8"'
        ' markerHeight="8" orient="auto"><path d="M0 0 8 4 0 8z" fill="#64748b"/></marker></defs>'
    )
    paper = '<rect width="100%" height="100%" fill="#fff"/>'
    return "\n".join([head, title, marker, paper, *arrows, *boxes, "</svg>", ""])


def _places(layers: list[list[str]]) -> Iterator[tuple[str, tuple[int, int]]]:
    width = _WIDTH // len(ROOTS)
    for row, layer in enumerate(layers):
        for column, root in enumerate(ROOTS):
            names = [name for name in layer if name.partition(".")[0] == root]
            for number, name in enumerate(names):
                x = width * column + width * (2 * number + 1) // (2 * len(names))
                yield name, (x, _ROW // 2 + _ROW * row)


def _arrow(start: tuple[int, int], end: tuple[int, int]) -> str:
    half = _BOX[1] // 2
    (x1, y1), (x2, y2) = start, end
    y1, y2 = (y1 + half, y2 - half) if y1 < y2 else (y1 - half, y2 + half)
    middle = (y1 + y2) // 2
    path = f"M{x1} {y1}C{x1} {middle} {x2} {middle} {x2} {y2}"
    return f'<path d="{path}" fill="none" stroke="#94a3b8" marker-end="url(#head)"/>'


def _box(name: str, x: int, y: int) -> str:
    width, height = _BOX
    colour = _COLOURS[name.partition(".")[0]]
    return (
        f'<rect x="{x - width // 2}" y="{y - height // 2}" width="{width}" height="{height}"'
        f' rx="6" fill="{colour}" stroke="#64748b"/><text x="{x}" y="{y}">{escape(name)}</text>'
    )


if __name__ == "__main__":
    PICTURE.write_text(draw(read_imports()))
