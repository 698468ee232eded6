"""Bundles whose operator changed the keys of persons, or left out what they signed.

The verifier has the right certificate of the operator, and names each forgery.
"""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.compliance.exports.decisions.signed_day import (
    KEYS,
    PLANS,
    SIGNATURES,
    Line,
    SignedDay,
    signed_by,
    with_text,
    wrong,
)


class TestAKey:
    def changed(
        self, day: SignedDay, change: Callable[[Line], Line], *arguments: str, of: str = "lorenzo"
    ) -> str:
        """The error for a changed key."""
        key_id = getattr(day.persons, of).row.id
        changes = day.with_lines(KEYS, lambda line: change(line) if line["key"] == key_id else line)
        return wrong(day, changes, *arguments)

    def test_is_the_one_with_its_id(self, signed: SignedDay) -> None:
        """Swapped for Giulia's."""
        [giulia] = [line for line in signed.lines(KEYS) if line["account"] == 1]
        swapped = {name: giulia[name] for name in ("public_key", "der")}

        error = self.changed(signed, lambda line: line | swapped)

        assert "of Lorenzo Ferri is not the public key with this id" in error

    def test_is_the_same_for_openssl(self, signed: SignedDay) -> None:
        """The printed command would verify with another key."""
        [giulia] = [line for line in signed.lines(KEYS) if line["account"] == 1]

        error = self.changed(signed, lambda line: line | {"der": giulia["der"]})

        assert "has another public key for openssl" in error

    def test_is_of_no_stranger(self, signed: SignedDay) -> None:
        """Nobody approved it."""
        error = self.changed(signed, lambda line: line | {"decisions": []})

        assert "of Lorenzo Ferri was approved by nobody" in error

    def test_is_approved_by_a_signature(self, signed: SignedDay) -> None:
        """The record alone is the operator's word."""

        def unsigned(line: Line) -> Line:
            first, second = line["decisions"]
            return line | {"decisions": [{"record": first["record"]}, second]}

        assert "SIGNING_KEY_APPROVED" in (error := self.changed(signed, unsigned))
        assert "by Giulia Marchetti: its person did not sign it" in error

    def test_is_not_approved_by_its_holder(self, signed: SignedDay) -> None:
        """In a circle."""
        lorenzo = signed.persons.lorenzo

        def by_holder(line: Line) -> Line:
            before, second = line["decisions"]
            at, _actor, _account, *decided = json.loads(before["record"])
            text = json.dumps([at, "Lorenzo Ferri", 3, *decided], separators=(",", ":"))
            made = signed_by(lorenzo.key, with_text(before, text)) | {"key": lorenzo.row.id}
            return line | {"decisions": [made, second]}

        assert "was approved by itself" in self.changed(signed, by_holder)

    def test_is_approved_by_two_persons(self, signed: SignedDay) -> None:
        """Not by one, and not by one twice."""

        def by_one(line: Line) -> Line:
            return line | {"decisions": line["decisions"][:1]}

        def twice(line: Line) -> Line:
            return line | {"decisions": line["decisions"][:1] * 2}

        assert "was not approved by two persons" in self.changed(signed, by_one)
        assert "was approved twice by Giulia Marchetti" in self.changed(signed, twice)

    def test_signs_nothing_after_its_revocation(self, signed: SignedDay) -> None:
        """Revoked the day before, by signature."""
        lorenzo = signed.persons.lorenzo

        def revoked(line: Line) -> Line:
            first, second = line["decisions"]
            at, _actor, _account, _action, subject, said = json.loads(first["record"])
            record = [at + 10**12, "Lorenzo Ferri", 3, "SIGNING_KEY_REVOKED", subject, said]
            text = json.dumps(record, separators=(",", ":"))
            made = signed_by(lorenzo.key, with_text(first, text)) | {"key": lorenzo.row.id}
            return line | {"decisions": [first, second, made]}

        assert "was not in force then" in self.changed(signed, revoked)

    def test_of_an_invented_person_is_not_one_from_outside(
        self, signed: SignedDay, tmp_path: Path
    ) -> None:
        """The operator's host approved it, but the regulator has another one."""
        known = tmp_path / "persons.txt"
        known.write_text(f"{'0' * 64} Giulia Marchetti\n")

        error = wrong(signed, {}, "--keys", str(known))

        assert "was approved on the operator's host and is not in --keys" in error

    def test_is_of_the_person_that_the_file_names(self, signed: SignedDay, tmp_path: Path) -> None:
        """With the right key and names, the verifier says so."""
        known, giulia = tmp_path / "persons.txt", signed.persons.giulia.row.id
        [another] = [line["key"] for line in signed.lines(KEYS) if line["account"] == 9_001]
        known.write_text(f"{giulia} Elena Conti\n{another}\n")
        assert "is that of Elena Conti in the file of --keys" in wrong(
            signed, {}, "--keys", str(known)
        )

        known.write_text(f"{giulia.upper()}  Giulia Marchetti\n\n{another} Zita Another\n")
        run = signed.verified({}, "--keys", str(known))

        assert (run.status, "The keys are those given with --keys" in run.output) == (0, True)


class TestAnOldFormat:
    def test_is_not_claimed_by_a_bundle_with_signatures(self, signed: SignedDay) -> None:
        """So that nobody looks at them."""
        assert "has no signatures, but this bundle has" in wrong(
            signed, {}, format="sabot-bundle/1"
        )

    @pytest.mark.slow
    def test_is_not_claimed_for_a_day_with_signatures(self, signed: SignedDay) -> None:
        """All three files are gone. Without --signed-since, the verifier says so."""
        gone = dict.fromkeys((SIGNATURES, KEYS, PLANS), None)
        unaware = signed.verified(gone, format="sabot-bundle/1")

        run = signed.verified(gone, "--signed-since", "2026-11-21", format="sabot-bundle/1")

        assert "carries no signatures of decisions" in unaware.output
        assert (unaware.status, run.status) == (0, 1)
        assert run.last_line == "WRONG: the bundle of 2026-11-21 carries no signatures of decisions"

    def test_does_not_excuse_a_missing_file(self, signed: SignedDay) -> None:
        """The new one needs all three."""
        run = signed.verified({SIGNATURES: None})

        assert (run.status, run.last_line) == (1, "WRONG: the bundle has no signatures.jsonl")


def test_a_demo_is_called_a_demo(signed: SignedDay) -> None:
    """Its keys are files."""
    run = signed.verified(signed.with_lines(KEYS, lambda line: line | {"is_software": True}))

    assert (run.status, "Some keys are those of a demo" in run.output) == (0, True)


@pytest.mark.parametrize("content", ["", "nothing\n", "00 short\n"])
def test_a_file_of_keys_has_ids(signed: SignedDay, tmp_path: Path, content: str) -> None:
    """Or the argument is refused."""
    path = tmp_path / "persons.txt"
    path.write_text(content)

    assert "is not a list of keys" in wrong(signed, {}, "--keys", str(path))
