"""Anybody reads the keys with which signatures and proofs are verified (issue 21)."""

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import load_pem_public_key
from pytest_django import Settings

from compliance.exports.bundle.signing import make_signing_key
from compliance.trail.log.append_to_log import append_to_log
from compliance.trail.log.rotate_log_key import rotate_key
from compliance.trail.log.signed_heads import raw_key
from tests.casino.api.api_client import ADMINISTRATOR, Program, issued, json_of
from tests.casino_in_play import by_now
from tests.compliance.exports.exported_days import YEAR, key_in
from tests.compliance.trail.logs import KEY

pytestmark = pytest.mark.django_db


def keys() -> list[Any]:
    """What a program without a key is answered."""
    return list(json_of(Program("").get("/api/v1/keys"))["data"])


def test_has_the_operators_certificate(settings: Settings, tmp_path: Path) -> None:
    """The one that verifies: its id is the ``key_id`` of what it signed."""
    settings.EXPORT_KEY = str(tmp_path / "export.key")
    before = keys()
    signing = key_in(tmp_path)

    [key] = keys()

    assert before == []
    assert (key["kind"], key["key_id"]) == ("operator_certificate", signing.key_id)
    assert x509.load_pem_x509_certificate(key["pem"].encode()) == signing.certificate
    assert key["valid_from"] < key["valid_until"]


def test_has_earlier_certificates_of_the_operator(settings: Settings, tmp_path: Path) -> None:
    """Each until the next began; a certificate under another name is no such one."""
    settings.EXPORT_KEY = str(tmp_path / "export.key")
    first = key_in(tmp_path, "export-2025")
    second = make_signing_key(tmp_path / "export.key", name="Casino", at=YEAR + timedelta(days=9))
    key_in(tmp_path, "proxy")

    present, earlier = keys()

    assert (present["key_id"], earlier["key_id"]) == (second.key_id, first.key_id)
    assert earlier["valid_until"] == present["valid_from"] > earlier["valid_from"]
    assert datetime.fromisoformat(present["valid_until"]) == second.certificate.not_valid_after_utc


def test_has_every_key_of_the_log(settings: Settings, tmp_path: Path) -> None:
    """The present one first; the earlier one ended where it begins."""
    settings.EXPORT_KEY = str(tmp_path / "none.key")
    second = Ed25519PrivateKey.generate()
    issued()
    append_to_log(KEY, now=by_now())
    rotate_key(KEY, second, at=by_now(), actor=ADMINISTRATOR)
    append_to_log(second, now=by_now())

    present, earlier = keys()

    for key, private in ((present, second), (earlier, KEY)):
        public = load_pem_public_key(key["pem"].encode())
        assert isinstance(public, Ed25519PublicKey)
        assert raw_key(public) == raw_key(private.public_key())
        assert key["kind"] == "log_key"
    assert present["valid_until"] is None
    assert earlier["valid_until"] == present["valid_from"] is not None
