"""Save, read and delete drafts."""

import json
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
_PURPOSE: Final = b"casino.backoffice.drafts"


class Draft(NamedTuple):
    """What a person typed, and when it was saved last."""

    content: Any
    saved_at: datetime


@transaction.atomic
def save_draft(*, owner: User, form: str, content: Any, at: datetime) -> None:
    """Stores the draft in place of the earlier one of the same form."""
    sealed = fernet_for(_PURPOSE).encrypt(json.dumps([owner.pk, form, content]).encode())
    values = {"content": sealed, "saved_at": at}
    FormDraft.objects.update_or_create(owner=owner, form=form, defaults=values)
    beyond = FormDraft.objects.filter(owner=owner).order_by("-saved_at", "-pk")[MOST_DRAFTS:]
    FormDraft.objects.filter(pk__in=list(beyond.values_list("pk", flat=True))).delete()


def draft_of(*, owner: User, form: str, at: datetime) -> Draft | None:
    """The draft of a form; None without one that is valid and the person's own."""
    row = FormDraft.objects.filter(owner=owner, form=form, saved_at__gt=at - KEPT_FOR).first()
    if row is None:
        return None
    try:
        opened = json.loads(fernet_for(_PURPOSE).decrypt(bytes(row.content)))
    except InvalidToken:  # sealed with a key that is gone
        return None
    sealed_for, sealed_form, content = opened
    is_own = (sealed_for, sealed_form) == (owner.pk, form)
    return Draft(content, row.saved_at) if is_own else None


def delete_draft(*, owner: User, form: str) -> None:
    """Deletes the draft of a form, if there is one."""
    FormDraft.objects.filter(owner=owner, form=form).delete()


def delete_old_drafts(*, at: datetime) -> int:
    """Deletes the drafts that nobody has changed for thirty days; returns their number."""
    return FormDraft.objects.filter(saved_at__lte=at - KEPT_FOR).delete()[0]
