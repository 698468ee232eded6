"""A bundle carries the signatures of those who decided, and anybody can verify them."""

import json

from casino.operations.database_roles import DatabaseRole
from tests.attacks.forgeries import as_role
from tests.compliance.exports.decisions.signed_day import KEYS, PLANS, SIGNATURES, SignedDay
from tests.compliance.exports.exported_days import contents, exported


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

    def test_has_the_keys_with_their_approvals(self, signed: SignedDay) -> None:
        """The second one is signed with the first."""
        first, second = sorted(signed.lines(KEYS), key=lambda key: int(key["account"]))

        giulia = signed.persons.giulia
        assert (first["key"], first["person"]) == (giulia.row.id, "Giulia Marchetti")
        assert json.loads(first["decisions"][0]["record"])[3] == "SIGNING_KEY_ROOTED"
        assert second["decisions"][0]["key"] == giulia.row.id

    def test_is_built_with_the_rights_of_the_exporter(self, signed: SignedDay) -> None:
        """Which reads decisions, signatures and keys, and writes none."""
        with as_role(DatabaseRole.EXPORTER):
            again = exported(signed.folder / "again", signed.key)

        assert contents(again.path)[SIGNATURES] == signed.files[SIGNATURES]
