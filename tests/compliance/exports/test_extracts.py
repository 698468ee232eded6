"""Extracts: several days, one table, one rule set or one customer."""

import json
from pathlib import Path

import pytest

from compliance.exports import verify_bundle
from compliance.exports.bundle.signing import SigningKey
from compliance.exports.models import Bundle
from compliance.exports.scope import Scope
from compliance.exports.services.build_bundle import Exported
from compliance.trail.models import AuditRecord
from payouts.gaming_days.models import DayClosing
from tests.compliance.exports.day_closings import HOUR, log, verifier_output, void_by_case
from tests.compliance.exports.exported_days import DAY, FORMULA, columns_of, contents, table
from tests.compliance.exports.packed_bundles import signed_anew
from tests.compliance.exports.report_rows import extract
from tests.payouts.gaming_days import day_scenarios
from tests.payouts.gaming_days.day_scenarios import AFTER, NEXT, NOON, arrive, close, settle_at


class TestTwoClosedDays:
    @pytest.fixture
    def bundle(self, closed: DayClosing, key: SigningKey, tmp_path: Path) -> Exported:
        """The second day has two voids and a late round."""
        void_by_case("r-1", "r-2", at=AFTER + HOUR)
        arrive(day_scenarios.dealt("r-late", NOON - HOUR), at=AFTER + HOUR)
        settle_at(AFTER + HOUR)
        close(NEXT)
        log()
        return extract(tmp_path, key, Scope(day_scenarios.DAY, NEXT))

    @pytest.mark.slow
    def test_are_listed_with_their_final_status(self, bundle: Exported) -> None:
        """Corrections within the days are part of the stages."""
        files = contents(bundle.path)

        assert columns_of(table(files, "stages"), "round", "status", "stage") == [
            ("r-1", "void", "1"),
            ("r-2", "void", "2"),
            ("r-late", "settled", "3"),
        ]
        content = columns_of(table(files, "corrections"), "round", "action", "in_stages")
        assert content == [("r-1", "cancel", "1"), ("r-2", "cancel", "1")]
        [row] = table(files, "alignment")
        assert columns_of([row], "stages", "corrections", "difference_cents") == [
            ("3", "0", "-300")
        ]

    @pytest.mark.slow
    def test_are_proved_by_both_closings(self, bundle: Exported, tmp_path: Path) -> None:
        """Their sums equal the registers."""
        output = verifier_output(bundle.path, tmp_path)

        assert f"The closing of {day_scenarios.DAY} by" in output
        assert f"The closing of {NEXT} by" in output
        assert "The registers agree with the rounds and the gross win of the closings." in output
        assert bundle.bundle.kind == Bundle.Kind.CLOSED_DAY
        assert bundle.path.name == "sabot-000001-2026-11-10-to-2026-11-11.zip"

    @pytest.mark.slow
    def test_need_the_proofs_of_both(
        self, bundle: Exported, key: SigningKey, tmp_path: Path
    ) -> None:
        """One is missing although the bundle is signed."""
        files = contents(bundle.path)
        closings = json.loads(files["proof.json"])["closings"]
        proof = {"proof.json": {"closings": closings[:1]}}
        path = signed_anew(tmp_path / "x.zip", files, proof, key)

        with pytest.raises(verify_bundle.Wrong, match=r"not of 2026-11-10 to 2026-11-11"):
            verifier_output(path, tmp_path)

    @pytest.mark.slow
    def test_owe_no_tax_together(self, bundle: Exported) -> None:
        """Tax is computed by day."""
        assert "registers/tax_base.csv" not in contents(bundle.path)


class TestOneCustomer:
    @pytest.mark.usefixtures("day")
    def test_has_only_their_bets(self, key: SigningKey, tmp_path: Path) -> None:
        """p-2 staked 10.00 on Banker in three of four rounds."""
        bundle = extract(tmp_path, key, Scope(DAY, DAY, customer="p-2"))

        files = contents(bundle.path)
        assert columns_of(table(files, "stages"), "round", "status", "bets", "staked_cents") == [
            ("r-1", "settled", "1", "1000"),
            ("r-2", "held", "1", "1000"),
            ("r-4", "void", "1", "1000"),
        ]
        assert {row["customer"] for row in table(files, "bets")} == {"p-2"}
        assert {row["customer"] for row in table(files, "participations")} == {"p-2"}
        events = columns_of(table(files, "malfunctions"), "round", "event", "refunded_cents")
        assert events == [("r-2", "held", "0"), ("r-4", "void", "1000")]
        [correction] = table(files, "corrections")
        assert (correction["refunded_after_cents"], correction["staked_cents"]) == ("1000", "1000")
        assert verifier_output(bundle.path, tmp_path)

    @pytest.mark.usefixtures("day")
    def test_may_have_any_pseudonym(self, key: SigningKey, tmp_path: Path) -> None:
        """It is escaped in files and not part of file names."""
        named = extract(tmp_path, key, Scope(DAY, DAY, customer=FORMULA))
        assert len(table(contents(named.path), "bets")) == 2
        assert verifier_output(named.path, tmp_path)
        assert named.path.name == "sabot-000001-2026-11-21-extract.zip"

        unknown = extract(tmp_path, key, Scope(DAY, DAY, customer="nobody"))
        assert table(contents(unknown.path), "bets") == []
        assert verifier_output(unknown.path, tmp_path)


class TestOneTableOrRuleSet:
    @pytest.mark.slow
    @pytest.mark.usefixtures("day")
    def test_has_its_rounds(self, key: SigningKey, tmp_path: Path) -> None:
        """Other rounds are left out."""
        [row] = table(contents(extract(tmp_path, key, Scope(DAY, DAY)).path), "alignment")
        for some, stages in (
            ({"table": row["table"]}, 4),
            ({"rules": row["rules"]}, 4),
            ({"table": "none"}, 0),
            ({"rules": "baccarat/2"}, 0),
        ):
            bundle = extract(tmp_path, key, Scope(DAY, DAY, **some))

            assert len(table(contents(bundle.path), "stages")) == stages, some
            assert verifier_output(bundle.path, tmp_path)

    def test_of_a_closed_day_is_held_to_its_part_of_the_closing(
        self, proved: DayClosing, key: SigningKey, tmp_path: Path
    ) -> None:
        """Its line of the control totals."""
        [line] = proved.totals["games"]
        of = Scope(day_scenarios.DAY, day_scenarios.DAY, table=line["table"])

        output = verifier_output(extract(tmp_path, key, of).path, tmp_path)

        assert "The registers agree with the rounds and the gross win of the closings." in output


class TestTheRecord:
    @pytest.mark.usefixtures("day")
    def test_records_its_scope(self, key: SigningKey, tmp_path: Path) -> None:
        """The same scope gives the same bundle."""
        of = Scope(DAY, DAY, customer="p-2")
        first = extract(tmp_path, key, of)

        record = AuditRecord.objects.get(action="EXTRACT_EXPORTED")
        assert record.details["of"] == of.to_json()
        assert first.bundle.scope == of
        assert not extract(tmp_path, key, of).is_new
        assert extract(tmp_path, key, Scope(DAY, DAY)).is_new
