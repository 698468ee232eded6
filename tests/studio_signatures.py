"""A studio that signs, for tests: its keys, its requests and its files, by the standards alone.

Nothing here uses the code under test, except to register keys.
"""

import base64
import hashlib
import json
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from compliance.trail.actor import Actor
from rounds.models import SignatureRequirement, StudioKey, Table
from rounds.services.ingest import Tally
from rounds.services.ingest_signed_lines import ingest_with_signatures
from rounds.services.require_signatures import require_signatures
from rounds.services.studio_keys import approve_studio_key, propose_studio_key
from rounds.signatures.requirements import latest_requirement
from tests.casino_in_play import NOW
from tests.signers import signing

PROPOSER: Final = signing("Paolo Greco", 41)
APPROVER: Final = signing("Lorenzo Ferri", 42)
LONG_AGO: Final = datetime(2026, 11, 1, tzinfo=UTC)
YEARS_AHEAD: Final = datetime(2028, 11, 1, tzinfo=UTC)
COVERED: Final = ("@method", "@path", "content-type", "content-digest")
ROUNDS: Final = "/api/v1/rounds"


def base64url(value: bytes) -> str:
    """Base64url without padding."""
    return base64.urlsafe_b64encode(value).decode().rstrip("=")


class Signer:
    """A private key and what a studio signs with it."""

    def __init__(self, seed: int = 1) -> None:
        self.private = Ed25519PrivateKey.from_private_bytes(bytes([seed]) * 32)
        self.public = self.private.public_key().public_bytes_raw()
        jwk = '{"crv":"Ed25519","kty":"OKP","x":"' + base64url(self.public) + '"}'
        self.key_id = base64url(hashlib.sha256(jwk.encode()).digest())

    def proposed(
        self,
        *tables: str,
        valid_from: datetime = LONG_AGO,
        valid_until: datetime = YEARS_AHEAD,
        at: datetime = LONG_AGO,
    ) -> StudioKey:
        """Registers the key without an approval."""
        return propose_studio_key(
            studio="Live Studio",
            public_key=base64url(self.public),
            tables=tables or ["bac-1"],
            valid_from=valid_from,
            valid_until=valid_until,
            reason="the studio's first key",
            at=at,
            actor=PROPOSER,
        )

    def registered(self, *tables: str, **validity: datetime) -> StudioKey:
        """Registers the key with the approval of a second person."""
        key = self.proposed(*tables, **validity)
        approve_studio_key(key_id=key.pk, at=key.proposed_at, actor=APPROVER)
        return key

    def headers(
        self,
        body: bytes,
        *,
        content_type: str = "application/json",
        created: int | None = None,
        covered: Sequence[str] = COVERED,
        digest: str = "sha-256",
        path: str = ROUNDS,
        parameters: str = "",
    ) -> dict[str, str]:
        """The headers of a signed POST, as keyword arguments of a call."""
        made = hashlib.new(digest.replace("-", ""), body).digest()
        values = {
            "@method": "POST",
            "@path": path,
            "@authority": "testserver",
            "content-type": content_type,
            "content-digest": f"{digest}=:{base64.b64encode(made).decode()}:",
        }
        when = int(time.time()) if created is None else created
        names = " ".join(f'"{name}"' for name in covered)
        given = f'({names});created={when};keyid="{self.key_id}"{parameters}'
        lines = [f'"{name}": {values[name]}' for name in covered]
        text = "\n".join([*lines, f'"@signature-params": {given}'])
        signature = base64.b64encode(self.private.sign(text.encode())).decode()
        return {
            "Content_Digest": values["content-digest"],
            "Signature_Input": f"sig={given}",
            "Signature": f"sig=:{signature}:",
        }

    def signature_lines(
        self, *batches: bytes, created: str = "2026-11-21T21:30:00Z", **changes: Any
    ) -> list[bytes]:
        """The signature file of a feed of these batches, line by line."""
        signed: list[bytes] = []
        for number, content in enumerate(batches, start=1):
            payload = {
                "feed": "batch/1",
                "number": number,
                "lines": content.count(b"\n"),
                "sha256": hashlib.sha256(content).hexdigest(),
                "previous": hashlib.sha256(signed[-1]).hexdigest() if signed else None,
                "created": created,
                **changes,
            }
            signed.append(self.web_signature(payload))
        return signed

    def web_signature(self, payload: dict[str, Any], **header: Any) -> bytes:
        """A JSON Web Signature in its compact form."""
        head = {"alg": "EdDSA", "kid": self.key_id, **header}
        text = ".".join(base64url(json.dumps(part).encode()) for part in (head, payload))
        return f"{text}.{base64url(self.private.sign(text.encode()))}".encode()


def require_signatures_at(code: str = "bac-1", *, at: datetime = LONG_AGO) -> SignatureRequirement:
    """Lets a table require signatures."""
    table = Table.objects.get(code=code)
    latest = latest_requirement(table.pk)
    return require_signatures(
        table_id=table.pk,
        note="the studio signs",
        seen=0 if latest is None else latest.sequence,
        at=at,
        actor=APPROVER,
    )


def ingest_signed(feed: bytes, signatures: Sequence[bytes], *, at: datetime = NOW) -> Tally:
    """Ingests a feed with its signature lines, as the command does."""
    return ingest_with_signatures(
        feed.splitlines(keepends=True),
        signatures,
        source="feed.ndjson",
        now=lambda: at,
        actor=Actor("studio"),
    ).tally


def soon(days: int = 1) -> datetime:
    """A time after now."""
    return datetime.now(UTC) + timedelta(days=days)
