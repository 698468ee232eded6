"""A bundle carries the signatures of those who decided, and anybody can verify them."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from compliance.exports.bundle.signing import SigningKey
from compliance.exports.scope import Scope
from compliance.storage.database_roles.role import DatabaseRole
from payouts.cases.decide_case import answer_case, refer_case
from payouts.cases.manage_reasons import change_reason, wording_of
from payouts.cases.reasons_in_force import reasons_in_force
from payouts.cases.remedies import Remedy
from tests.attacks.forgeries import as_role
from tests.casino_in_play import NOW
from tests.compliance.exports.decisions.signed_day import (
    KEYS,
    PLANS,
    SIGNATURES,
    SignedBundle,
    SignedDay,
)
from tests.compliance.exports.exported_days import DAY, contents, exported
from tests.compliance.exports.report_rows import extract
from tests.payouts.cases.case_scenarios import approve, execute, opened, propose
from tests.payouts.disputes.dispute_scenarios import LETTER, play
from tests.payouts.settlement.resettlement_scenarios import GIULIA, LORENZO


class TestABundle:
    def test_carries_both_decisions_of_its_case(self, signed: SignedDay) -> None:
        """In the order of time; each with its person's key."""
        decided = [
            (json.loads(line["record"])[3], line["key"]) for line in signed.lines(SIGNATURES)
        ]

        giulia, lorenzo = signed.persons
        assert sorted(decided) == [
            ("CASE_APPROVED", lorenzo.row.id),
            ("CASE_PROPOSED", giulia.row.id),
        ]

    def test_verifies_alone(self, signed: SignedDay) -> None:
        """It says whose word the keys are."""
        run = signed.verified({})

        assert run.status == 0, run.output
        assert (
            "Decisions signed with their persons' keys: 2 (Giulia Marchetti, Lorenzo Ferri)."
            in run.output
        )
        assert "Whose keys these are is the operator's own word" in run.output

    def test_has_the_plan_of_the_round(self, signed: SignedDay) -> None:
        """Every stake goes back: 10.00, 10.00 and 2.00."""
        [planned] = signed.lines(PLANS)

        assert (planned["round"], planned["after"]) == ("r-1", 1)
        assert planned["results"] == "void 1000 0,void 1000 0,void 200 0"

    @pytest.mark.slow
    def test_of_one_customer_verifies_too(self, signed_casino: SignedDay) -> None:
        """Its amounts are those of one customer, so they are not compared with the plan."""
        of = Scope(DAY, DAY, customer="p-1")
        files = contents(extract(signed_casino.folder, signed_casino.key, of).path)

        run = replace(signed_casino, files=files).verified({})

        assert (run.status, files[SIGNATURES]) == (0, signed_casino.files[SIGNATURES]), run.output

    @pytest.mark.slow
    def test_has_the_decisions_of_a_referral(
        self, fresh_casino: str, key: SigningKey, tmp_path: Path
    ) -> None:
        """The regulator's permission lies between proposal and approval."""
        play()
        reason = reasons_in_force().get(code="card-reader")
        wording = wording_of(reason)._replace(needs_regulator=True)
        change_reason(code=reason.code, wording=wording, seen=1, at=NOW, actor=LORENZO)
        case = opened("malfunction", "r-1")
        propose(case, Remedy.VOID)
        by: dict[str, Any] = {"letter": LETTER, "at": NOW, "actor": GIULIA}
        refer_case(case_id=case.pk, seen=2, **by)
        answer_case(case_id=case.pk, seen=3, is_allowed=True, **by)
        approve(case, seen=4)
        execute(case, at=NOW)
        bundle = SignedBundle(contents(exported(tmp_path / "out", key).path), key, tmp_path)

        assert len(bundle.lines(SIGNATURES)) == 4
        assert bundle.verified({}).status == 0

    def test_has_the_keys_with_their_approvals(self, signed: SignedDay) -> None:
        """The second one is signed with the first and the third."""
        first, second, third = sorted(signed.lines(KEYS), key=lambda key: int(key["account"]))

        giulia = signed.persons.giulia
        assert (first["key"], first["person"]) == (giulia.row.id, "Giulia Marchetti")
        assert json.loads(first["decisions"][0]["record"])[3] == "SIGNING_KEY_ROOTED"
        assert [line["key"] for line in second["decisions"]] == [giulia.row.id, third["key"]]

    @pytest.mark.slow
    def test_is_built_with_the_rights_of_the_exporter(self, signed_casino: SignedDay) -> None:
        """Which reads decisions, signatures and keys, and writes none."""
        with as_role(DatabaseRole.EXPORTER):
            again = exported(signed_casino.folder / "again", signed_casino.key)

        assert contents(again.path)[SIGNATURES] == signed_casino.files[SIGNATURES]
