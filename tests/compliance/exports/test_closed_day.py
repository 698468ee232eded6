"""Bundles of closed days: proof of the closing, and corrections in later days."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from compliance.exports import verify_bundle
from compliance.exports.bundle.signing import SigningKey
from compliance.exports.models import Bundle
from compliance.trail.log.signed_heads import key_id_of, raw_key
from compliance.trail.log.stored_tree import NotInLog
from payouts.gaming_days.models import DayClosing
from tests.compliance.exports.day_closings import HOUR, LOG_KEY, log, verifier_output, void_by_case
from tests.compliance.exports.exported_days import columns_of, contents, exported, known_in, table
from tests.compliance.exports.packed_bundles import packed, signed_anew
from tests.payouts.cases.case_scenarios import NO_EXTRA_CARD
from tests.payouts.gaming_days.day_scenarios import (
    AFTER,
    DAY,
    NEXT,
    NOON,
    arrive,
    close,
    dealt,
    settle_at,
)
from tests.payouts.settlement.resettlement_scenarios import resettle, void


class TestTheBundleOfAClosedDay:
    def test_proves_the_closing_by_the_trail(
        self, proved: DayClosing, key: SigningKey, tmp_path: Path
    ) -> None:
        """The registers give its totals."""
        bundle = exported(tmp_path, key, day=DAY)

        assert bundle.bundle.kind == Bundle.Kind.CLOSED_DAY
        output = verifier_output(bundle.path, tmp_path)
        assert f"The closing of {DAY} by {proved.actor} is record" in output
        record = json.loads(
            json.loads(contents(bundle.path)["proof.json"])["closings"][0]["record"]
        )
        assert record[-1]["digest"] == bytes(proved.digest).hex()

    def test_needs_the_known_key_of_the_log(
        self, proved: DayClosing, key: SigningKey, tmp_path: Path
    ) -> None:
        """Another key id is refused; without one the key is not checked."""
        path = str(exported(tmp_path, key, day=DAY).path)
        manifest, _digest = verify_bundle.verify(path, known_in(tmp_path), say=print)

        for known in ("", key_id_of(raw_key(LOG_KEY.public_key()))):
            verify_bundle.verify_log_key(manifest, path, known)
        with pytest.raises(verify_bundle.Wrong, match="not by 0000"):
            verify_bundle.verify_log_key(manifest, path, "0000")

    @pytest.mark.slow
    def test_of_one_game_has_the_totals_of_that_game(
        self, proved: DayClosing, key: SigningKey, tmp_path: Path
    ) -> None:
        """A game without rounds has none."""
        for game, stages in (("baccarat", 2), ("blackjack", 0)):
            bundle = exported(tmp_path, key, day=DAY, game=game)

            assert verifier_output(bundle.path, tmp_path)
            assert len(table(contents(bundle.path), "stages")) == stages

    @pytest.mark.slow
    def test_is_unchanged_by_later_events(
        self, proved: DayClosing, key: SigningKey, tmp_path: Path
    ) -> None:
        """Voids, late rounds and a longer log."""
        first = exported(tmp_path / "one", key, day=DAY)
        void("r-1", after=1, at=AFTER + HOUR)
        arrive(dealt("r-late", NOON - HOUR), at=AFTER + HOUR)
        settle_at(AFTER + HOUR)
        log()

        second = exported(tmp_path / "two", key, day=DAY)

        assert not second.is_new
        before, after = contents(first.path), contents(second.path)
        assert before.pop("manifest.json.p7s") != after.pop("manifest.json.p7s")
        assert before == after

    def test_waits_for_the_log(self, closed: DayClosing, key: SigningKey, tmp_path: Path) -> None:
        """The closing is not logged yet."""
        with pytest.raises(NotInLog):
            exported(tmp_path, key, day=DAY)


class TestTheDayAfter:
    @pytest.fixture
    def files(self, proved: DayClosing, key: SigningKey, tmp_path: Path) -> dict[str, bytes]:
        """Both rounds are voided, a late one arrives, and the day is closed."""
        void_by_case("r-1", "r-2", at=AFTER + HOUR)
        arrive(dealt("r-late", NOON - HOUR), at=AFTER + HOUR)
        settle_at(AFTER + HOUR)
        close(NEXT)
        log()
        path = exported(tmp_path, key, day=NEXT).path
        assert f"The closing of {NEXT} by" in verifier_output(path, tmp_path)
        return contents(path)

    @pytest.mark.slow
    def test_has_the_corrections_which_point_back(self, files: dict[str, bytes]) -> None:
        """To the round, its day and the former settlement."""
        content = ("round", "stage", "corrects_day", "corrects_settlement", "action", "in_stages")

        assert columns_of(table(files, "corrections"), *content) == [
            ("r-1", "1", "2026-11-10", "1", "cancel", "0"),
            ("r-2", "2", "2026-11-10", "", "cancel", "0"),
        ]

    @pytest.mark.slow
    def test_gives_a_late_round_the_next_number(self, files: dict[str, bytes]) -> None:
        """Despite its earlier opening."""
        content = columns_of(table(files, "stages"), "round", "stage", "play_day")

        assert content == [("r-late", "3", "2026-11-10")]

    @pytest.mark.slow
    def test_totals_are_its_stages_and_corrections(self, files: dict[str, bytes]) -> None:
        """-3.00 of the late round; 25.00 not won, 22.00 refunded twice, 22.00 no longer open.

        0 + 22.00 - 44.00 + 25.00 = 3.00
        """
        changes = [f"{name}_change_cents" for name in ("open", "refunded", "winnings")]

        [row] = table(files, "alignment")
        assert columns_of([row], "stages", "corrections", "difference_cents", *changes) == [
            ("1", "2", "-300", "-2200", "4400", "-2500")
        ]
        [base] = table(files, "tax_base")
        assert columns_of([base], "difference_change_cents", "base_cents") == [("300", "0")]


Forgery = Callable[[dict[str, Any]], object]


class TestARoundThatWasHeldOverItsDay:
    def test_is_completed_in_the_books_of_a_later_day(
        self, proved: DayClosing, key: SigningKey, tmp_path: Path
    ) -> None:
        """22.00 are no longer open, 25.00 are won: the tax base loses 3.00."""
        resettle("r-2", after=0, ruling=NO_EXTRA_CARD, at=AFTER + HOUR)

        files = contents(exported(tmp_path, key, day=NEXT).path)

        content = ("action", "open_before_cents", "winnings_after_cents", "difference_after_cents")
        assert columns_of(table(files, "corrections"), *content) == [
            ("complete", "2200", "2500", "-300")
        ]
        [base] = table(files, "tax_base")
        assert columns_of([base], "stages", "open_change_cents", "base_cents") == [
            ("0", "-2200", "-300")
        ]


class TestAForgedProof:
    @pytest.mark.parametrize(
        ("forge", "message"),
        [
            (lambda p: p.update(record=p["record"].replace("2026", "2027")), "not in the signed"),
            (lambda p: p.update(leaf_index=p["leaf_index"] - 1), "not in the signed|too short"),
            (lambda p: p.update(path=p["path"][:-1]), "too short"),
            (lambda p: p.update(path=[*p["path"], "00" * 32]), "too long"),
            (lambda p: p["head"].update(root="00" * 32), "tree head is invalid"),
            (lambda p: p["head"].update(size=p["head"]["size"] + 1), "tree head is invalid"),
            (lambda p: p.update(public_key="00" * 32), "key of the tree head differs"),
        ],
    )
    def test_is_found_though_the_bundle_is_signed(
        self, proved: DayClosing, key: SigningKey, tmp_path: Path, forge: Forgery, message: str
    ) -> None:
        """The forger has the key of the bundles, not that of the log."""
        files = contents(exported(tmp_path, key, day=DAY).path)
        proof = json.loads(files["proof.json"])
        forge(proof["closings"][0])

        path = signed_anew(tmp_path / "x.zip", files, {"proof.json": proof}, key)

        with pytest.raises(verify_bundle.Wrong, match=message):
            verifier_output(path, tmp_path)

    def test_of_another_day_is_found(
        self, proved: DayClosing, key: SigningKey, tmp_path: Path
    ) -> None:
        """A valid proof under another date."""
        files = contents(exported(tmp_path, key, day=DAY).path)
        manifest = json.loads(files["manifest.json"])
        manifest["of"] |= {"first_day": "2026-11-09", "last_day": "2026-11-09"}
        files["manifest.json"] = json.dumps(manifest).encode()
        files["manifest.json.p7s"] = key.sign(files["manifest.json"])

        with pytest.raises(verify_bundle.Wrong, match="not of 2026-11-09"):
            verifier_output(packed(tmp_path / "x.zip", files), tmp_path)
