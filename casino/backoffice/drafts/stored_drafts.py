"""Save, read and delete drafts."""

import json
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from cryptography.fernet import InvalidToken
from django.contrib.auth.models import User
from django.db import transaction

from casino.access.encryption import fernet_for
from casino.backoffice.drafts.models import FormDraft

KEPT_FOR: Final = timedelta(days=30)
"""How long a draft is kept after its last change."""
MOST_DRAFTS: Final = 100
"""Drafts of a person; a further one replaces the oldest."""
MOST_BYTES: Final = 1 << 16
"""The largest draft, as JSON."""
_LONGEST_FORM: Final = 300
_PURPOSE: Final = b"casino.backoffice.drafts"


class Draft(NamedTuple):
    """What a person typed, and when it was saved last."""

    content: Any
    saved_at: datetime


@transaction.atomic
def save_draft(*, owner: User, form: str, content: str | bytes, at: datetime) -> None:
    """Stores the draft in place of the earlier one of the same form.

    Raises ValueError unless ``form`` is a path and ``content`` JSON of fields, each a list of its
    name, type, choice and value, of at most ``MOST_BYTES``.
    """
    if not form.startswith("/") or len(form) > _LONGEST_FORM or "\0" in form:
        raise ValueError(form)
    fields = json.loads(content) if len(content) <= MOST_BYTES else None
    if not isinstance(fields, list) or not all(isinstance(field, list) for field in fields):
        raise ValueError(fields)
    sealed = fernet_for(_PURPOSE).encrypt(json.dumps([owner.pk, form, fields]).encode())
    values = {"content": sealed, "saved_at": at}
    FormDraft.objects.update_or_create(owner=owner, form=form, defaults=values)
    beyond = FormDraft.objects.filter(owner=owner).order_by("-saved_at", "-pk")[MOST_DRAFTS:]
    FormDraft.objects.filter(pk__in=list(beyond.values_list("pk", flat=True))).delete()


def drafts_of(*, owner: User, forms: Iterable[str], at: datetime) -> dict[str, Draft]:
    """The drafts of these forms that are valid and the person's own."""
    rows = FormDraft.objects.filter(owner=owner, form__in=forms, saved_at__gt=at - KEPT_FOR)
    return {row.form: Draft(content, row.saved_at) for row in rows if (content := _opened(row))}


def _opened(row: FormDraft) -> Any:
    """The content; None where it was sealed with a key that is gone, or for another form."""
    try:
        owner, form, content = json.loads(fernet_for(_PURPOSE).decrypt(bytes(row.content)))
    except InvalidToken:
        return None
    return content if (owner, form) == (row.owner_id, row.form) else None


def delete_draft(*, owner: User, form: str) -> None:
    """Deletes the draft of a form, if there is one."""
    FormDraft.objects.filter(owner=owner, form=form).delete()


def delete_old_drafts(*, at: datetime) -> int:
    """Deletes the drafts that nobody has changed for thirty days; returns their number."""
    return FormDraft.objects.filter(saved_at__lte=at - KEPT_FOR).delete()[0]
