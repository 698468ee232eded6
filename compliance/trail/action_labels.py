"""The labels of audit actions, which each application declares in ``audit_actions.ACTIONS``."""

from operator import itemgetter
from typing import Final

from django.utils.functional import Promise

from compliance.storage.app_declarations import declarations

_LABELS: Final[dict[str, str | Promise]] = {}


def load_audit_actions() -> None:
    """Reads the audit actions of every installed application.

    Raises ValueError where two of them declare the same action.
    """
    for name, actions in declarations("audit_actions", "ACTIONS"):
        for action, label in actions.items():
            if _LABELS.setdefault(action, label) is not label:
                raise ValueError(f"{name}: {action} is declared twice")


def action_label(action: str) -> str:
    """The label of an action in the active language; the action itself where it has none."""
    return str(_LABELS.get(action, action))


def action_choices() -> list[tuple[str, str]]:
    """Every declared action with its label in the active language, by label."""
    return sorted(((action, str(label)) for action, label in _LABELS.items()), key=itemgetter(1))
