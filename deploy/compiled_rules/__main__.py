"""``python -m deploy.compiled_rules FOLDER``: compiles the rules, and puts the wheel there.

Needs a C compiler and the headers of Python.
"""

import hashlib
import shutil
import sys
import tempfile
import tomllib
import warnings
from contextlib import chdir
from pathlib import Path
from typing import Any, Final

from mypyc.build import mypycify
from setuptools import (  # type: ignore[import-untyped]  # it has no types
    Distribution,
    SetuptoolsDeprecationWarning,
)

from deploy.compiled_rules import COMPILED_RULES
from rounds.released_rules.compiled_rules import PACKAGE, SOURCES

_CLONE: Final = Path(__file__).resolve().parents[2]
_RULES: Final = Path("rounds/rules")
_MODULES: Final = {
    "": ("anomalies", "cards", "limits", "money", "odds", "shoe", "verdict"),
    "baccarat": ("bets", "coup", "judge"),
    "blackjack": (
        *("bets", "bonus", "bust", "dealer", "disconnected_hands", "document_faults"),
        *("fire_blaze", "grading", "hands", "interpret_round", "judge", "layout", "multipliers"),
        *("pay", "play", "side_bets", "table", "totals"),
    ),
}
"""What judges rounds; explanations, findings and declarations stay as they are."""
_INIT: Final = '"""Modules of rounds.rules as machine code: see rounds/released_rules."""\n'
_CONFIGURED: Final = "[mypy]\nstrict = True\nfollow_imports = silent\n"


def compiled_sources() -> list[Path]:
    """The modules that are compiled, with paths as in the clone."""
    return [
        _RULES / folder / f"{module}.py" for folder, names in _MODULES.items() for module in names
    ]


def build_wheel(to: Path) -> Path:
    """Compiles the rules of this clone; returns the wheel, which is put in this folder."""
    to.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="sabot-rules-") as folder:
        package = Path(folder) / PACKAGE
        package.mkdir()
        (package / "__init__.py").write_text(_INIT)
        (package / SOURCES).write_text("".join(map(_digest_line, compiled_sources())))
        for name, file in _compile(Path(folder)):
            shutil.copyfile(file, package / f"{name}{''.join(file.suffixes)}")
        project = tomllib.loads((_CLONE / "pyproject.toml").read_text())["project"]
        made = Path(folder) / "wheel"
        with chdir(folder):
            _run(
                "bdist_wheel",
                {"dist_dir": str(made)},
                name=COMPILED_RULES,
                version=project["version"],
                packages=[PACKAGE],
                package_data={PACKAGE: ["*.so", "*.pyd", SOURCES]},
            )
        [wheel] = made.iterdir()
        return Path(shutil.copy(wheel, to))


def _digest_line(path: Path) -> str:
    return f"{hashlib.sha256((_CLONE / path).read_bytes()).hexdigest()}  {path.as_posix()}\n"


def _compile(folder: Path) -> list[tuple[str, Path]]:
    """The compiled modules by their full name, and the one that they share."""
    (folder / "mypy.ini").write_text(_CONFIGURED)
    with chdir(_CLONE):
        extensions = mypycify(
            [f"--config-file={folder / 'mypy.ini'}", *map(str, compiled_sources())],
            target_dir=str(folder / "c"),
            group_name=PACKAGE,
        )
        built = folder / "built"
        options = {"build_lib": str(built), "build_temp": str(folder / "objects")}
        _run("build_ext", options, name=COMPILED_RULES, ext_modules=extensions)
    return [
        (".".join((*file.relative_to(built).parent.parts, file.name.partition(".")[0])), file)
        for file in built.rglob("*")
        if file.is_file()
    ]


def _run(command: str, options: dict[str, str], **attributes: Any) -> None:
    distribution = Distribution({"script_name": "setup.py", **attributes})
    distribution.has_ext_modules = lambda: True  # so that the wheel names Python and platform
    distribution.get_command_obj(command).__dict__.update(options)
    with warnings.catch_warnings(action="ignore", category=SetuptoolsDeprecationWarning):
        distribution.run_command(command)  # which is how build front ends make a wheel, too


if __name__ == "__main__":
    [place] = sys.argv[1:]
    sys.stdout.write(f"{build_wheel(Path(place))}\n")
