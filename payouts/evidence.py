"""Evidence: files attached to cases and disputes, stored byte for byte."""

import hashlib
from datetime import datetime
from pathlib import PurePath
from typing import Any, Final, NamedTuple, TypeVar

from django.conf import settings
from django.db import models, transaction
from django.utils.translation import gettext_lazy as _

from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entries
from compliance.trail.steps import StepError
from payouts.virus_scan import virus_in

MOST_BYTES: Final = 10_000_000
"""The largest file, in bytes."""

_ENDINGS: Final = {
    "application/pdf": (".pdf",),
    "image/png": (".png",),
    "image/jpeg": (".jpg", ".jpeg"),
}

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


class InfectedFile(InvalidEvidence):
    """A file in which the scanner found a virus."""

    def __init__(self, name: str, virus: str) -> None:
        super().__init__(name, found=virus, needed="a file without a virus")


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
    """Stores a file and records its digest in the audit trail.

    Raises InvalidEvidence or ScanFailed.
    """
    content_type, digest = accepted_type(file), hashlib.sha256(file.content)
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


def accepted_type(file: File) -> str:
    """The content type of a file that may be stored, by its first bytes.

    The ending of its name, if it has one, must agree: whoever downloads the file goes by that.
    Raises InvalidEvidence, or ScanFailed where files are scanned and this one could not be.
    """
    content_type, ending = _type_of(file), PurePath(file.name).suffix.lower()
    if ending and ending not in _ENDINGS[content_type]:
        needed = f"{' or '.join(_ENDINGS[content_type])}, as its content is {content_type}"
        raise InvalidEvidence(file.name, found=f"a name that ends in {ending}", needed=needed)
    if settings.CLAMD and (virus := virus_in(file.content)):
        raise InfectedFile(file.name, virus)
    return content_type


def _type_of(file: File) -> str:
    if len(file.content) > MOST_BYTES:
        raise InvalidEvidence(
            file.name, found=f"{len(file.content)} bytes", needed=f"at most {MOST_BYTES}"
        )
    for content_type, beginning in EVIDENCE_TYPES.items():
        if file.content.startswith(beginning):
            return content_type
    raise InvalidEvidence(file.name, found="another kind of file", needed="a PDF, a PNG or a JPEG")
