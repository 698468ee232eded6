"""The kinds of notifications, which applications declare in ``notification_kinds.KINDS``."""

from dataclasses import dataclass
from functools import cache

from django.contrib.auth.models import User
from django.utils.functional import Promise

from compliance.storage.app_declarations import declarations


@dataclass(frozen=True, kw_only=True)
class NotificationKind:
    """A kind of notification, with its channels for people who have chosen none.

    To add one: a tuple ``KINDS`` in ``notification_kinds.py`` of the application that raises it,
    and a call of ``notify``. Never rename a kind, because rows and choices have its name.
    """

    name: str
    label: str | Promise
    """What happened, as a list, an e-mail and the chat say it: no amount, no customer."""
    note: str | Promise
    """What it is about, for the settings."""
    permission: str = ""
    """Whom it can concern; empty for everybody."""
    by_mail: bool = False
    in_chat: bool = False
    is_alarm: bool = False
    """May be sent in the quiet hours of those who want that."""
    escalates: bool = False
    """Whether others are told if nobody acts."""


class UnknownKind(Exception):
    """No application declares a kind of this name."""


@cache
def notification_kinds() -> dict[str, NotificationKind]:
    """All kinds by name. Raises ValueError where two applications declare the same."""
    kinds: dict[str, NotificationKind] = {}
    for module, declared in declarations("notification_kinds", "KINDS"):
        for kind in declared:
            if kinds.setdefault(kind.name, kind) is not kind:
                raise ValueError(f"{module}: {kind.name} is declared twice")
    return kinds


def kind_named(name: str) -> NotificationKind:
    """The kind of this name. Raises UnknownKind."""
    try:
        return notification_kinds()[name]
    except KeyError:
        needed = ", ".join(notification_kinds())
        raise UnknownKind(f"found {name}; needed one of: {needed}") from None


def kind_label(name: str) -> str:
    """The label of a kind in the active language; of one that no longer exists its name."""
    kind = notification_kinds().get(name)
    return name if kind is None else str(kind.label)


def kinds_concerning(person: User) -> list[NotificationKind]:
    """The kinds that can concern a person with these roles."""
    kinds = notification_kinds().values()
    return [kind for kind in kinds if not kind.permission or person.has_perm(kind.permission)]
