"""A program with the client that openapi-python-client generates: ``program.py STEP ARGUMENTS``.

It has an environment of its own, without Sabot. Each step prints what it received, as JSON.
"""

import base64
import hashlib
import json
import sys
import time
import zipfile
from collections.abc import Generator
from io import BytesIO
from typing import Any
from uuid import uuid4

import httpx
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from sabot_client import AuthenticatedClient
from sabot_client.api.customers import issue_customer_token
from sabot_client.api.disputes import (
    add_evidence,
    download_dossier,
    issue_dossier,
    open_dispute,
    read_dossier,
)
from sabot_client.api.rounds import deliver_rounds, list_rounds, read_round
from sabot_client.models import (
    AddEvidenceFilesBody,
    CustomerToken,
    DeliveryResult,
    DisputeDetails,
    DisputeReason,
    DisputeRequest,
    Dossier,
    DossierAudience,
    DossierRequest,
    Evidence,
    FeedBaccarat1Round,
    ListedRoundPage,
    Problem,
    RoundDetails,
    TokenRequest,
)
from sabot_client.types import File


class Signature(httpx.Auth):
    """The bearer token, and the signature of a delivery by RFC 9421."""

    requires_request_body = True

    def __init__(self, key: Ed25519PrivateKey, key_id: str) -> None:
        self._key, self._key_id = key, key_id

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, Any, None]:
        """Signs the body as it is sent."""
        if request.method == "POST" and request.url.path == "/api/v1/rounds":
            digest = base64.b64encode(hashlib.sha256(request.content).digest()).decode()
            request.headers["Content-Digest"] = f"sha-256=:{digest}:"
            covered = {
                "@method": request.method,
                "@path": request.url.path,
                "content-type": request.headers["Content-Type"],
                "content-digest": request.headers["Content-Digest"],
            }
            names = " ".join(f'"{name}"' for name in covered)
            given = f'({names});created={int(time.time())};keyid="{self._key_id}"'
            signed = {**covered, "@signature-params": given}
            text = "\n".join(f'"{name}": {value}' for name, value in signed.items())
            signature = base64.b64encode(self._key.sign(text.encode())).decode()
            request.headers["Signature-Input"] = f"sig={given}"
            request.headers["Signature"] = f"sig=:{signature}:"
        yield request


def once() -> str:
    """An Idempotency-Key."""
    return str(uuid4())


def deliver(client: AuthenticatedClient, document: str) -> dict[str, Any]:
    """Delivers a round, and another one under its id."""
    body = FeedBaccarat1Round.from_dict(json.loads(document))
    result = deliver_rounds.sync(client=client, body=body)
    assert isinstance(result, DeliveryResult), result
    body.cards = body.cards[:1]
    problem = deliver_rounds.sync(client=client, body=body)
    assert isinstance(problem, Problem), problem
    return {"verdict": result.verdict, "problem": problem.type_}


def dispute(client: AuthenticatedClient, reference: str) -> dict[str, Any]:
    """Reads a settled round as its customer, disputes a bet and requests the dossier."""
    page = list_rounds.sync(client=client, table="bac-1")
    assert isinstance(page, ListedRoundPage), page
    issued = issue_customer_token.sync(
        client=client, body=TokenRequest(customer="p-1"), idempotency_key=once()
    )
    assert isinstance(issued, CustomerToken), issued
    customer = AuthenticatedClient(base_url=client._base_url, token=issued.token)
    played = read_round.sync(reference, client=customer)
    assert isinstance(played, RoundDetails), played
    request = DisputeRequest(
        round_=reference, bet="b1", reason=DisputeReason.WRONG_PAYOUT, text="It won."
    )
    opened = open_dispute.sync(client=customer, body=request, idempotency_key=once())
    assert isinstance(opened, DisputeDetails), opened
    letter = File(payload=BytesIO(b"%PDF-1.7\n"), file_name="a.pdf", mime_type="application/pdf")
    evidence = add_evidence.sync(
        opened.id,
        client=customer,
        body=AddEvidenceFilesBody(file=letter),
        idempotency_key=once(),
    )
    assert isinstance(evidence, Evidence), evidence
    audience = DossierRequest(audience=DossierAudience.CUSTOMER)
    dossier = issue_dossier.sync(opened.id, client=client, body=audience, idempotency_key=once())
    assert isinstance(dossier, Dossier), dossier
    return {
        "rounds": [summary.round_ for summary in page.data],
        "bets": [[bet.id, bet.payout_cents] for bet in played.bets.data],
        "state": opened.state,
        "evidence": evidence.content_type,
        "dispute": opened.id,
        "dossier": dossier.id,
    }


def download(client: AuthenticatedClient, dispute: str, dossier: str) -> dict[str, Any]:
    """Reads and downloads the signed dossier."""
    read = read_dossier.sync(dispute, int(dossier), client=client)
    assert isinstance(read, Dossier), read
    archive = download_dossier.sync_detailed(dispute, int(dossier), client=client).content
    with zipfile.ZipFile(BytesIO(archive)) as files:
        digest = hashlib.sha256(files.read("dossier.json")).hexdigest()
    return {"status": read.status, "intact": digest == read.sha256}


if __name__ == "__main__":
    step, address, token, pem, key_id, *arguments = sys.argv[1:]
    key = load_pem_private_key(pem.encode(), password=None)
    assert isinstance(key, Ed25519PrivateKey)
    authenticated = AuthenticatedClient(
        base_url=address, token=token, httpx_args={"auth": Signature(key, key_id)}
    )
    steps = {"deliver": deliver, "dispute": dispute, "download": download}
    sys.stdout.write(json.dumps(steps[step](authenticated, *arguments)))
