"""The export key's certificate expires and is renewed, and exports can be signed meanwhile."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from pytest_django import Settings

from benchmarks.soak.certificate import expire_certificate, renew_certificate
from casino.operations.expiries import export_certificate_end
from compliance.exports.bundle.signing import (
    certificate_path,
    known_certificates,
    make_signing_key,
    read_signing_key,
)

NOW = datetime(2026, 11, 28, 12, tzinfo=UTC)


@pytest.fixture
def key(tmp_path: Path, settings: Settings) -> Path:
    """A new export key, which this host uses."""
    path = tmp_path / "export.key"
    make_signing_key(path, name="Sabot", at=NOW)
    settings.EXPORT_KEY = str(path)
    return path


def test_a_certificate_that_expired_is_that_of_this_host(key: Path) -> None:
    """Since an hour; its key signs as before."""
    expire_certificate(key, at=NOW)

    assert export_certificate_end() == NOW - timedelta(hours=1)
    assert read_signing_key(key).sign(b"bundle")


def test_a_renewed_one_is_valid_and_the_earlier_ones_stay_known(key: Path) -> None:
    """Bundles that they signed can still be verified."""
    first = read_signing_key(key).certificate
    expire_certificate(key, at=NOW)
    expired = read_signing_key(key).certificate

    renew_certificate(key, at=NOW)

    assert export_certificate_end() == NOW + timedelta(days=365)
    renewed, *earlier = known_certificates(key)
    assert renewed == read_signing_key(key).certificate
    assert set(earlier) == {first, expired}
    assert not certificate_path(key).with_name("new.crt").exists()
