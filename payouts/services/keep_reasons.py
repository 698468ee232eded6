"""Keeping the list of reasons: one is added or changed, taken out of use, and never deleted."""

import re
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entries
from payouts.models import Reason
from payouts.needed_reasons import why_needed
from rounds.services.intake import lock_names
from rounds.services.table_fields import NotTaken, one_of

_CODE: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_LONGEST_CODE: Final = 40
_LONGEST_TEXT: Final = 200


class ReasonMoved(Exception):
    """Somebody changed the reason after the person had looked."""

    def __init__(self, latest: Reason) -> None:
        super().__init__(latest.code)
        self.latest = latest
        """What stands now."""


class Wording(NamedTuple):
    """What may change about a reason."""

    text_it: str
    text_en: str
    needs_regulator: bool
    is_active: bool


def add_reason(*, code: str, purpose: str, said: Wording, at: datetime, actor: Actor) -> Reason:
    """Adds a reason. Raises NotTaken where a field or a code in use forbids it."""
    code, said = _checked_code(code), _checked(said)
    if purpose not in Reason.Purpose.values:
        raise NotTaken("purpose", purpose, one_of(Reason.Purpose.values))
    with transaction.atomic():
        lock_names([f"reason:{code}"])
        if Reason.objects.filter(code=code).exists():
            raise NotTaken("code", code, _("a code that no other reason has"))
        reason = Reason.objects.create(code=code, purpose=purpose, **said._asdict())
        _record("REASON_ADDED", reason, {"purpose": purpose, **said._asdict()}, at, actor)
    return reason


def change_reason(
    *, reason_id: int, said: Wording, seen: int, at: datetime, actor: Actor
) -> Reason:
    """Words the reason so from now on; what was decided for it keeps the words that it had.

    ``seen`` is the version that the actor looked at. Saying what is so already writes nothing.
    Raises NotTaken, also where a part of the platform needs it in use, or ReasonMoved.
    """
    said = _checked(said)
    with transaction.atomic():
        reason = Reason.objects.select_for_update(no_key=True).get(pk=reason_id)
        if reason.version != seen:
            raise ReasonMoved(reason)
        before = wording_of(reason)
        _check_need(reason, said)
        if said != before:
            for name, value in said._asdict().items():
                setattr(reason, name, value)
            reason.version += 1
            reason.save()
            details = {"version": reason.version, "before": before._asdict()}
            _record("REASON_CHANGED", reason, {**details, "after": said._asdict()}, at, actor)
    return reason


def wording_of(reason: Reason) -> Wording:
    """What the reason says now."""
    return Wording(reason.text_it, reason.text_en, reason.needs_regulator, reason.is_active)


def _checked_code(code: str) -> str:
    if len(code) <= _LONGEST_CODE and _CODE.fullmatch(code):
        return code
    needed = _("up to 40 small letters and digits, in words joined by hyphens")
    raise NotTaken("code", code, needed)


def _checked(said: Wording) -> Wording:
    texts = {}
    for field in ("text_it", "text_en"):
        text = getattr(said, field).strip()
        if not (0 < len(text) <= _LONGEST_TEXT and text.isprintable()):
            raise NotTaken(field, getattr(said, field), _("1 to 200 characters on one line"))
        texts[field] = text
    return said._replace(**texts)


def _check_need(reason: Reason, said: Wording) -> None:
    why = why_needed(reason.code)
    if reason.is_active and not said.is_active and why is not None:
        raise NotTaken("is_active", _("out of use"), why)


def _record(
    action: str, reason: Reason, details: dict[str, Any], at: datetime, actor: Actor
) -> None:
    record_entries([Entry(action, f"reason:{reason.code}", details)], at=at, actor=actor)
