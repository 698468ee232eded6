"""``/keys``: the public keys with which documents of the operator and proofs are verified."""

import hashlib
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response

from casino.api.client.shapes.about import PublicKey
from casino.api.client.shapes.page import Page
from casino.api.openapi.components import component
from casino.api.openapi.operations import operation
from casino.api.pages import page_of
from casino.api.views import ApiView
from casino.integrations.scopes import Open
from compliance.exports.bundle.signing import known_certificates
from compliance.trail.log.checkpoints import verifier_key
from compliance.trail.log.stored_heads import last_head
from compliance.trail.models import LogKey, TreeHead


class KeysView(ApiView):
    """The public keys."""

    required_scopes = {"GET": Open.TO_ALL}

    @operation("list_keys", "List the public keys", component(Page[PublicKey]), tag="about")
    def get(self, _request: Request) -> Response:
        """The operator's certificates and the keys of the log, the present ones first.

        Compare their ids with those that the operator published elsewhere before you rely on them.
        """
        return Response(page_of([*_certificates(), *_log_keys()], None))


def _certificates() -> Iterator[PublicKey]:
    """The certificates on this host; none before the operator has made one.

    An earlier one is valid until the next begins.
    """
    replaced_at: datetime | None = None
    for certificate in known_certificates(Path(settings.EXPORT_KEY)):
        ends = certificate.not_valid_after_utc
        yield PublicKey(
            key_id=hashlib.sha256(certificate.public_bytes(Encoding.DER)).hexdigest(),
            kind="operator_certificate",
            purpose=_("Signatures of exports, dossiers and certificates of rule sets"),
            pem=certificate.public_bytes(Encoding.PEM).decode(),
            verifier_key=None,
            valid_from=certificate.not_valid_before_utc,
            valid_until=ends if replaced_at is None else min(ends, replaced_at),
        )
        replaced_at = certificate.not_valid_before_utc


def _log_keys() -> Iterator[PublicKey]:
    """A key of the log is valid from its first signed head until that of the next key."""
    keys = list(LogKey.objects.order_by("-first_head"))
    last = last_head()
    origin = "" if last is None else last.origin
    begun = dict(
        TreeHead.objects.filter(sequence__in=[key.first_head for key in keys]).values_list(
            "sequence", "at"
        )
    )
    starts = [begun.get(key.first_head) for key in keys]
    for key, begins, ends in zip(keys, starts, [None, *starts], strict=False):
        public = Ed25519PublicKey.from_public_bytes(bytes(key.public_key))
        pem = public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
        yield PublicKey(
            key_id=key.key_id,
            kind="log_key",
            purpose=_("Heads of the audit log, and with them receipts and proofs of records"),
            pem=pem.decode(),
            verifier_key=verifier_key(origin, bytes(key.public_key)) if origin else None,
            valid_from=begins,
            valid_until=ends,
        )
