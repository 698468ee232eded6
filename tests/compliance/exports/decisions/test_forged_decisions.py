"""Bundles whose operator changed the decisions and signed the bundle again.

The verifier has the right certificate and names each forgery.
"""

import json
from collections.abc import Callable
from typing import Any

import pytest

from compliance.signatures.software_key import SoftwareKey
from rounds.identity import round_id
from tests.attacks.forgeries import PRESENT
from tests.compliance.exports.decisions.signed_day import (
    CORRECTIONS,
    KEYS,
    PLANS,
    SIGNATURES,
    Line,
    SignedDay,
    assertion_parts,
    signed_by,
    with_text,
    wrong,
)
from tests.compliance.exports.packed_bundles import MANIFEST


def approval(change: Callable[[Line], Line | None]) -> Callable[[Line], Line | None]:
    """Changes the approval of the case only."""
    return lambda line: change(line) if '"CASE_APPROVED"' in line["record"] else line


def early(line: Line) -> Line:
    """The decision as one from before signatures."""
    return {"record": line["record"], "from_before_signatures": True}


def reworded(line: Line, key: SoftwareKey, **details: Any) -> Line:
    """The decision with other details, signed by the key."""
    *who, said = json.loads(line["record"])
    text = json.dumps([*who, said | details], separators=(",", ":"), sort_keys=True)
    return signed_by(key, with_text(line, text))


class TestTheApproval:
    def change(self, day: SignedDay, change: Callable[[Line], Line | None]) -> str:
        """The error for a changed approval."""
        return wrong(day, day.with_lines(SIGNATURES, approval(change)))

    @pytest.mark.slow
    def test_is_missed_if_it_was_removed(self, signed: SignedDay) -> None:
        """The register names two persons."""
        assert self.change(signed, lambda _line: None) == (
            f"WRONG: case {signed.case} was executed without a signed proposal and approval"
        )

    def test_needs_its_signature(self, signed: SignedDay) -> None:
        """The text alone is the operator's word."""
        error = self.change(signed, lambda line: {"record": line["record"]})

        assert f"CASE_APPROVED of case:{signed.case} by Lorenzo Ferri: its person did not" in error

    def test_cannot_have_the_signature_of_another_text(self, signed: SignedDay) -> None:
        """That of the proposal, with her key."""
        other = signed.line_of("CASE_PROPOSED")

        error = self.change(signed, lambda line: other | {"record": line["record"]})

        assert "is signed with a key of Giulia Marchetti" in error

    def test_cannot_be_signed_as_another_text(self, signed: SignedDay) -> None:
        """By the right person."""
        key = signed.persons.lorenzo.key
        made = assertion_parts(key.sign("something else"))

        error = self.change(signed, lambda line: line | made)

        assert "the signature is of another text" in error

    def test_cannot_be_another_text_than_was_signed(self, signed: SignedDay) -> None:
        """The same note, but another day."""
        record = signed.line_of("CASE_APPROVED")["record"].replace("Agreed.", "Refused.")

        error = self.change(signed, lambda line: line | {"record": record})

        assert "the signed text is that of other decisions" in error

    def test_cannot_be_signed_by_another_key(self, signed: SignedDay) -> None:
        """A key that the operator made."""
        error = self.change(signed, lambda line: signed_by(SoftwareKey.generate(), line))

        assert "its signature is invalid (openssl" in error

    def test_is_withheld_from_no_regulator(self, signed: SignedDay) -> None:
        """Only a dossier withholds what was signed with decisions about others."""

        def withheld(line: Line) -> Line:
            shown = {name: part for name, part in line.items() if name != "signed_text"}
            return shown | {"text_withheld": True}

        assert "the bundle withholds signed texts" in self.change(signed, withheld)

    def test_needs_a_verified_user(self, signed: SignedDay) -> None:
        """Somebody touched the key without PIN or biometrics."""
        key = signed.persons.lorenzo.key

        error = self.change(signed, lambda line: signed_by(key, line, flags=PRESENT))

        assert "the key did not verify its user" in error

    def test_is_not_made_at_another_site(self, signed: SignedDay) -> None:
        """A page elsewhere made the key sign."""
        pem = signed.persons.lorenzo.key.pem
        elsewhere = SoftwareKey.load(pem, site="localhost", origin="https://casino.example")

        error = self.change(signed, lambda line: signed_by(elsewhere, line))

        assert "the signature was made at https://casino.example, not at localhost" in error

    def test_names_the_same_effect(self, signed: SignedDay) -> None:
        """What the second person saw is not what the first proposed."""
        key = signed.persons.lorenzo.key

        error = self.change(signed, lambda line: reworded(line, key, effect_digest="00" * 32))

        assert f"case {signed.case}: its two persons signed different effects" in error

    def test_is_by_another_person(self, signed: SignedDay) -> None:
        """Giulia signs both steps."""
        giulia = signed.persons.giulia

        def by_giulia(line: Line) -> Line:
            at, _actor, _account, *decided = json.loads(line["record"])
            record = [at, "Giulia Marchetti", 1, *decided]
            text = json.dumps(record, separators=(",", ":"))
            return signed_by(giulia.key, with_text(line, text)) | {"key": giulia.row.id}

        error = self.change(signed, by_giulia)

        assert f"case {signed.case} was proposed and approved by one person" in error

    def test_cannot_be_said_to_be_early(self, signed: SignedDay) -> None:
        """Who knows since when the operator signs is not deceived."""
        changes = signed.with_lines(SIGNATURES, approval(early))

        error = wrong(signed, changes, "--signed-since", "2026-11-01")

        assert "it is said to be from before signatures" in error
        unaware = signed.verified(changes)
        assert "Decisions from before signatures, by the operator's own word: 1." in unaware.output

    def test_cannot_be_early_after_others_were_signed(self, signed: SignedDay) -> None:
        """A reader of the bundle alone finds it: the proposal of the minute before is signed."""

        def later(line: Line) -> Line:
            at, *decided = json.loads(line["record"])
            return early({"record": json.dumps([at + 60_000_000, *decided])})

        assert "it is no earlier decision: others were signed before" in self.change(signed, later)


class TestTheRegister:
    def changed(self, day: SignedDay, before: str, after: str, **totals: int) -> str:
        """The error for a changed register of corrections, with its sums in the manifest."""
        rows = day.files[CORRECTIONS].decode()
        assert before in rows
        manifest = json.loads(day.files[MANIFEST])
        for entry in manifest["files"]:
            if entry["name"] == CORRECTIONS:
                entry["totals_cents"] |= totals
        changes = {CORRECTIONS: rows.replace(before, after, 1).encode()}
        return wrong(day, changes, files=manifest["files"])

    def test_names_those_who_signed(self, signed: SignedDay) -> None:
        """Not a third one."""
        error = self.changed(signed, ";Lorenzo Ferri;", ";Paolo Riva;")

        assert "names Giulia Marchetti and Paolo Riva" in error

    def test_hides_no_second_person(self, signed: SignedDay) -> None:
        """A correction without one was decided by nobody."""
        error = self.changed(signed, ";Lorenzo Ferri;", ";;")

        assert error.endswith(
            "settlement 2 of round r-1 replaces another one, but names no two persons"
        )

    def test_has_the_amounts_that_were_signed(self, signed: SignedDay) -> None:
        """22.00 go back, not 32.00."""
        error = self.changed(signed, ";2200;0;0;0", ";3200;0;0;0", refunded_after_cents=3200)

        assert "settlement 2 of round r-1 pays other amounts" in error

    def test_is_about_the_round_that_was_signed(self, signed: SignedDay) -> None:
        """The same case, but r-2."""
        error = self.changed(signed, ";r-1;", ";r-2;")

        assert f"round r-2 is not in the plan that the persons of case {signed.case}" in error

    def test_has_the_reason_that_was_signed(self, signed: SignedDay) -> None:
        """Other words."""
        assert "has another reason" in self.changed(signed, "Seen on the video.", "Seen.")

    def test_leaves_no_correction_out(self, signed: SignedDay) -> None:
        """Nor its signatures. The stage was settled again."""
        names = CORRECTIONS, "registers/malfunctions.csv"
        changes = {name: signed.files[name].splitlines(keepends=True)[0] for name in names}
        manifest = json.loads(signed.files[MANIFEST])
        for entry in manifest["files"]:
            if entry["name"] in names:
                totals = dict.fromkeys(entry["totals_cents"], 0)
                entry |= {"rows": 0, "totals_cents": totals, "first_at": None, "last_at": None}
        nobody = dict.fromkeys((SIGNATURES, KEYS, PLANS), b"")

        error = wrong(signed, changes | nobody, files=manifest["files"])

        assert error == "WRONG: settlement 2 of round r-1 has no correction"

    def test_has_a_case(self, signed: SignedDay) -> None:
        """A reason that names none."""
        error = self.changed(signed, f"{signed.case}: ", "By phone: ")

        assert "has no signed decision of its two persons" in error


class TestThePlan:
    def test_is_of_the_rounds_that_it_names(self, signed: SignedDay) -> None:
        """The digest is over ids: the operator gives the id of r-1 to r-2, also in the register."""
        plans = signed.with_lines(PLANS, lambda line: line | {"round": "r-2"})
        corrections = signed.files[CORRECTIONS].replace(b";r-1;", b";r-2;")

        error = wrong(signed, plans | {CORRECTIONS: corrections})

        assert f"the plan of case {signed.case} has another round than r-2" in error

    def test_is_the_effect_that_both_persons_signed(self, signed: SignedDay) -> None:
        """A further round, settled with the case."""
        [planned] = signed.lines(PLANS)
        other = round_id(reference="r-2", opened_at=0)
        more = [planned, planned | {"round": "r-2", "round_id": other.hex}]
        lines = b"".join(json.dumps(line).encode() + b"\n" for line in more)

        assert "is not the effect that its two persons signed" in wrong(signed, {PLANS: lines})
