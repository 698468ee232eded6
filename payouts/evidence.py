"""Evidence: files attached to cases and disputes, stored byte for byte."""

import hashlib
from datetime import datetime
from typing import Any, Final, NamedTuple, TypeVar

from django.db import models, transaction
from django.utils.translation import gettext_lazy as _

from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entries
from compliance.trail.steps import StepError

MOST_BYTES: Final = 10_000_000
"""The largest file, in bytes."""

EVIDENCE_TYPES: Final = {
    "application/pdf": b"%PDF-",
    "image/png": b"\x89PNG\r\n\x1a\n",
    "image/jpeg": b"\xff\xd8\xff",
}
"""The content types allowed, with the bytes that such files begin with."""


class Evidence(models.Model):
    """A file, byte for byte as it was handed in."""

    name = models.CharField(_("file"), max_length=200)
    content_type = models.CharField(max_length=100)
    size = models.IntegerField(_("bytes"))
    digest = models.BinaryField(max_length=32)
    content = models.BinaryField()
    added_at = models.DateTimeField(_("when"))
    actor = models.CharField(_("who"), max_length=200)

    class Meta:
        abstract = True


_Evidence = TypeVar("_Evidence", bound=Evidence)


class InvalidEvidence(StepError):
    """A file that is empty, too big, or of a type that is not allowed."""

    def __init__(self, name: str, *, found: str, needed: str) -> None:
        super().__init__(f"{name}: found {found}; needed {needed}")
        self.name, self.found, self.needed = name, found, needed


class File(NamedTuple):
    """A file as it was handed in."""

    name: str
    content: bytes


def store_evidence(
    model: type[_Evidence],
    file: File,
    *,
    action: str,
    subject: str,
    at: datetime,
    actor: Actor,
    **owner: Any,
) -> _Evidence:
    """Stores a file and records its digest in the audit trail. Raises InvalidEvidence."""
    content_type, digest = type_of(file), hashlib.sha256(file.content)
    with transaction.atomic():
        evidence = model._default_manager.create(
            **owner,
            name=file.name[-200:],
            content_type=content_type,
            size=len(file.content),
            digest=digest.digest(),
            content=file.content,
            added_at=at,
            actor=actor.name,
        )
        details = {"file": evidence.name, "bytes": evidence.size, "sha256": digest.hexdigest()}
        record_entries([Entry(action, subject, details)], at=at, actor=actor)
    return evidence


def type_of(file: File) -> str:
    """The file's content type, by its first bytes. Raises InvalidEvidence."""
    if len(file.content) > MOST_BYTES:
        raise InvalidEvidence(
            file.name, found=f"{len(file.content)} bytes", needed=f"at most {MOST_BYTES}"
        )
    for content_type, beginning in EVIDENCE_TYPES.items():
        if file.content.startswith(beginning):
            return content_type
    raise InvalidEvidence(file.name, found="another kind of file", needed="a PDF, a PNG or a JPEG")
