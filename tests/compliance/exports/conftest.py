"""Fixtures for tests of exports."""

import subprocess
from pathlib import Path

import pytest

from compliance.exports.bundle.signing import SigningKey
from payouts.gaming_days.models import DayClosing
from tests.casino_in_play import open_table
from tests.compliance.exports.certificate_authorities import authority, named, write_pem
from tests.compliance.exports.day_closings import HOUR, log
from tests.compliance.exports.exported_days import exported, key_in, play_the_day
from tests.compliance.exports.verifier_runs import Operator
from tests.payouts.gaming_days.day_scenarios import NOON, arrive, close, dealt, settle_at


@pytest.fixture
def day(fresh_casino: str) -> None:
    """A casino in which the day was played, in a database that commits."""
    play_the_day()


@pytest.fixture
def key(tmp_path: Path) -> SigningKey:
    """A signing key with its certificate."""
    return key_in(tmp_path)


@pytest.fixture
def closed(fresh_casino: str) -> DayClosing:
    """The closed day: r-1 was settled, r-2 is held."""
    open_table()
    arrive(dealt("r-1", NOON), dealt("r-2", NOON + HOUR, held=True))
    settle_at()
    return close()


@pytest.fixture
def proved(closed: DayClosing) -> DayClosing:
    """The closed day with its closing in the log."""
    log()
    return closed


@pytest.fixture
def operator(day: None, tmp_path: Path) -> Operator:
    """An operator whose certificate the regulator has."""
    issuer = authority(named("Prestatore di servizi fiduciari"))
    key = issuer.certify("Casino di prova")
    certificate = write_pem(tmp_path / "operator.crt", key.certificate)
    return Operator(issuer, key, exported(tmp_path / "out", key).path, certificate)


@pytest.fixture
def stranger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SigningKey:
    """The key of a stranger whose authority is in the default store of the regulator's machine."""
    trusted = authority(named("Another authority"))
    folder = tmp_path / "store"
    folder.mkdir()
    store = write_pem(folder / "trusted.pem", trusted.certificate)
    subprocess.run(["openssl", "rehash", str(folder)], check=True)  # noqa: S607  the machine's
    monkeypatch.setenv("SSL_CERT_FILE", str(store))
    monkeypatch.setenv("SSL_CERT_DIR", str(folder))
    return trusted.certify("Stranger")
