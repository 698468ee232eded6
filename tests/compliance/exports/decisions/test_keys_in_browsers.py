"""Bundles with decisions that a key in a browser signed: verified, and named as such."""

from pathlib import Path

import pytest
from pytest_django import Settings

from compliance.exports.bundle.signing import SigningKey
from compliance.signatures.software_key import SoftwareKey
from tests.browser_keys import BrowserKey, as_authenticator
from tests.compliance.exports.decisions.signed_day import (
    KEYS,
    SIGNATURES,
    Line,
    SignedDay,
    assertion_parts,
    signed_by,
    signed_day,
    wrong,
)
from tests.compliance.exports.decisions.test_printed_commands import command, unpacked
from tests.compliance.exports.exported_days import type_printed

_ELSEWHERE = "https://sab0t.example"


__all__ = ["command"]  # a fixture


@pytest.fixture
def signed(fresh_casino: str, key: SigningKey, tmp_path: Path, settings: Settings) -> SignedDay:
    """Giulia proposed with an authenticator, Lorenzo approved with a key in his browser."""
    settings.BROWSER_KEYS = True
    return signed_day(tmp_path, key, second=BrowserKey.generate())


def signed_otherwise(day: SignedDay, key: SoftwareKey, *, of: str = "lorenzo") -> dict[str, bytes]:
    """The decision of one of the two persons with another signature of the same text."""
    key_id = getattr(day.persons, of).row.id
    return day.with_lines(
        SIGNATURES, lambda line: signed_by(key, line) if line["key"] == key_id else line
    )


@pytest.mark.slow
def test_its_decision_is_verified_and_the_key_named(signed: SignedDay) -> None:
    """The regulator reads whose key it is and what it does not prove."""
    run = signed.verified({})

    assert (run.status, run.last_line[:7]) == (0, "SHA-256")
    assert (
        f"The key {signed.persons.lorenzo.row.short_id} of Lorenzo Ferri is in a browser: "
        "its signatures\nprove no PIN and no touch." in run.output
    )
    assert run.output.count("is in a browser") == 1


def test_its_decision_is_verified_by_openssl_alone(signed: SignedDay, command: str) -> None:
    """With the client data in the place of what an authenticator signs."""
    typed = type_printed(
        command.replace("sed -n 1p", "sed -n 2p").replace(
            "signature signed", "signature client_data"
        ),
        folder=unpacked(signed),
    )

    assert typed.startswith("Verified OK\n")
    assert signed.lines(SIGNATURES)[1]["key"] == signed.persons.lorenzo.row.id


class TestTheOperator:
    def renamed(self, day: SignedDay, **kind: bool) -> dict[str, bytes]:
        """Every key as one of another kind, where it is not so yet."""
        return day.with_lines(KEYS, lambda line: line | kind)

    def test_hides_the_kind_of_a_key(self, signed: SignedDay) -> None:
        """The approval that Giulia signed says it."""
        changes = self.renamed(signed, is_browser=False)
        changes |= signed_otherwise(signed, as_authenticator(signed.persons.lorenzo.key))

        error = wrong(signed, changes)

        assert "of Lorenzo Ferri was approved as a key of another kind" in error

    def test_invents_the_kind_of_a_key(self, signed: SignedDay) -> None:
        """Giulia's authenticator as a key in a browser, which needs no PIN."""
        error = wrong(signed, self.renamed(signed, is_browser=True))

        assert "of Giulia Marchetti was approved as a key of another kind" in error

    def test_has_the_browser_imitate_an_authenticator(self, signed: SignedDay) -> None:
        """With authenticator data that a page has built."""
        key = as_authenticator(signed.persons.lorenzo.key)

        error = wrong(signed, signed_otherwise(signed, key))

        assert "the signature is of webauthn.get, not of a decision by this key" in error

    def test_has_an_authenticator_imitate_a_browser(self, signed: SignedDay) -> None:
        """Client data alone, without a verified user."""
        key = BrowserKey.load(
            signed.persons.giulia.key.pem, site="localhost", origin="http://localhost"
        )

        error = wrong(signed, signed_otherwise(signed, key, of="giulia"))

        assert "the signature is of sabot.browser, not of a decision by this key" in error

    def test_adds_authenticator_data(self, signed: SignedDay) -> None:
        """Which the key has not signed."""
        lorenzo = signed.persons.lorenzo.row.id

        def seen(line: Line) -> Line:
            return line | {"authenticator_data": "AAAA"} if line["key"] == lorenzo else line

        error = wrong(signed, signed.with_lines(SIGNATURES, seen))

        assert "it has no signature of a key in a browser" in error

    def test_replays_a_signature(self, signed: SignedDay) -> None:
        """That of Lorenzo's key, of another text."""
        made = signed.persons.lorenzo.key.sign("something else")
        lorenzo = signed.persons.lorenzo.row.id

        def replayed(line: Line) -> Line:
            return line | assertion_parts(made) if line["key"] == lorenzo else line

        assert "the signature is of another text" in wrong(
            signed, signed.with_lines(SIGNATURES, replayed)
        )

    def test_has_it_sign_elsewhere(self, signed: SignedDay) -> None:
        """At another site."""
        key = BrowserKey.load(signed.persons.lorenzo.key.pem, site="localhost", origin=_ELSEWHERE)

        error = wrong(signed, signed_otherwise(signed, key))

        assert f"the signature was made at {_ELSEWHERE}, not at localhost" in error
