"""The audit actions that the code records, read from its source."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from django.conf import settings

from compliance.exports.models import BundleStep
from compliance.signatures.models import SigningKeyStep
from payouts.cases.models import CaseStep
from payouts.disputes.models import DisputeStep
from rounds.models import StudioKeyStep

PACKAGES: Final = ("casino", "compliance", "payouts", "rounds")
_ONLY_NAMES_THEM: Final = ("compliance/exports/reports/", "audit_actions.py")
"""Code that reads or labels what others record."""
_STEPS: Final = {
    *(f"CASE_{action.upper()}" for action in CaseStep.Action.values),
    *(f"BUNDLE_{action.upper()}" for action in BundleStep.Action.values),
    *(f"DISPUTE_{action.upper()}" for action in DisputeStep.Action.values),
    *(f"SIGNING_KEY_{action.upper()}" for action in SigningKeyStep.Action.values),
    *(f"STUDIO_KEY_{action.upper()}" for action in StudioKeyStep.Action.values),
}
"""The actions that are made from the name of a step."""


def recorded_words() -> set[str]:
    """Every capitalised word of the code, recorded actions included."""
    return _STEPS.union(*(re.findall(r'"([A-Z][A-Z_]+)"', code) for code in _recording_code()))


def recorded_entries() -> set[str]:
    """The actions of the entries whose action is a text or a constant of the module."""
    codes = [code for code in _recording_code() if "Entry(" in code]
    return _STEPS.union(*(_entries(ast.parse(code)) for code in codes))


def recorded_about(kind: str) -> set[str]:
    """Those of them whose subject is an f-string that starts with the kind, as ``round:``."""
    codes = [code for code in _recording_code() if f'f"{kind}:' in code]
    return set[str]().union(*(_entries(ast.parse(code), subject=f"f'{kind}:") for code in codes))


def _recording_code() -> Iterator[str]:
    for package in PACKAGES:
        for path in sorted(Path(settings.BASE_DIR, package).rglob("*.py")):
            if not any(part in path.as_posix() for part in _ONLY_NAMES_THEM):
                yield path.read_text()


def _entries(module: ast.Module, *, subject: str = "") -> Iterator[str]:
    constants = {
        node.target.id: node.value.value
        for node in module.body
        if isinstance(node, ast.AnnAssign)
        and isinstance(node.target, ast.Name)
        and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(module):
        if isinstance(node, ast.Call) and _is_entry(node.func):
            if not ast.unparse(node.args[1]).startswith(subject):
                continue
            match node.args[0]:
                case ast.Constant(value=str(action)):
                    yield action
                case ast.Name(id=name) if name in constants:
                    yield str(constants[name])


def _is_entry(called: ast.expr) -> bool:
    return isinstance(called, ast.Name) and called.id == "Entry"
