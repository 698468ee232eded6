"""Managing the list of reasons. Reasons are added, changed and retired, never deleted."""

import re
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from compliance.storage.advisory_locks import lock_names
from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entries
from compliance.trail.steps import StaleState
from payouts.cases.models import Reason
from payouts.cases.required_reasons import why_needed
from rounds.field_errors import InvalidField, one_of

_CODE: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_LONGEST_CODE: Final = 40
_LONGEST_TEXT: Final = 200


class Wording(NamedTuple):
    """The fields of a reason that may change."""

    text_it: str
    text_en: str
    needs_regulator: bool
    is_active: bool


def add_reason(*, code: str, purpose: str, wording: Wording, at: datetime, actor: Actor) -> Reason:
    """Adds a reason. Raises InvalidField for an invalid field or a code in use."""
    code, wording = _checked_code(code), _checked(wording)
    if purpose not in Reason.Purpose.values:
        raise InvalidField("purpose", purpose, one_of(Reason.Purpose.values))
    with transaction.atomic():
        lock_names([f"reason:{code}"])
        if Reason.objects.filter(code=code).exists():
            raise InvalidField("code", code, _("a code that no other reason uses"))
        reason = Reason.objects.create(code=code, purpose=purpose, **wording._asdict())
        _record("REASON_ADDED", reason, {"purpose": purpose, **wording._asdict()}, at, actor)
    return reason


def change_reason(
    *, reason_id: int, wording: Wording, seen: int, at: datetime, actor: Actor
) -> Reason:
    """Changes a reason. Earlier decisions keep the text that was in force.

    ``seen`` is the version that the actor looked at. Writes nothing without a change. Raises
    InvalidField for an invalid field or a required reason that would be retired, or StaleState.
    """
    wording = _checked(wording)
    with transaction.atomic():
        reason = Reason.objects.select_for_update(no_key=True).get(pk=reason_id)
        if reason.version != seen:
            raise StaleState(reason, found=f"version {reason.version} of {reason.code}")
        before = wording_of(reason)
        _check_required(reason, wording)
        if wording != before:
            for name, value in wording._asdict().items():
                setattr(reason, name, value)
            reason.version += 1
            reason.save()
            details = {"version": reason.version, "before": before._asdict()}
            _record("REASON_CHANGED", reason, {**details, "after": wording._asdict()}, at, actor)
    return reason


def wording_of(reason: Reason) -> Wording:
    """The present wording of a reason."""
    return Wording(reason.text_it, reason.text_en, reason.needs_regulator, reason.is_active)


def _checked_code(code: str) -> str:
    if len(code) <= _LONGEST_CODE and _CODE.fullmatch(code):
        return code
    needed = _("up to 40 lowercase letters and digits, in words joined by hyphens")
    raise InvalidField("code", code, needed)


def _checked(wording: Wording) -> Wording:
    texts = {}
    for field in ("text_it", "text_en"):
        text = getattr(wording, field).strip()
        if not (0 < len(text) <= _LONGEST_TEXT and text.isprintable()):
            raise InvalidField(field, getattr(wording, field), _("1 to 200 characters on one line"))
        texts[field] = text
    return wording._replace(**texts)


def _check_required(reason: Reason, wording: Wording) -> None:
    why = why_needed(reason.code)
    if reason.is_active and not wording.is_active and why is not None:
        raise InvalidField("is_active", _("not in use"), why)


def _record(
    action: str, reason: Reason, details: dict[str, Any], at: datetime, actor: Actor
) -> None:
    record_entries([Entry(action, f"reason:{reason.code}", details)], at=at, actor=actor)
