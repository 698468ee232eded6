"""Bundles are listed newest first, filtered and paginated (issue 8)."""

from datetime import date, timedelta
from typing import Any

import pytest

from compliance.exports.bundle_status import Stage
from compliance.exports.services.bundle_steps import (
    answer_bundle,
    send_bundle,
    set_bundle_aside,
    sign_bundle,
)
from payouts.regulator_letters import Letter
from tests.casino.api.api_client import Program, json_of, slug_of
from tests.casino.api.exports.export_programs import EXPORTS, ONE, READ, approve, made, program
from tests.casino_in_play import NOW, open_table
from tests.payouts.settlement.resettlement_scenarios import GIULIA, LORENZO


def listed(by: Program, query: str = "") -> Any:
    """The body of the list."""
    answer = by.get(EXPORTS + query)
    assert answer.status_code == 200, answer.content
    return json_of(answer)


def numbers(by: Program, query: str = "") -> list[int]:
    """The numbers of the bundles on the first page."""
    return [export["id"] for export in listed(by, query)["data"]]


@pytest.mark.django_db
class TestTheList:
    def test_has_days_status_and_digests(self) -> None:
        """Each bundle has its period, its status and the chain of digests."""
        made(1)
        made(
            2, 22, first_day=date(2026, 11, 20), table="bac-1", supersedes_id=1, rules="baccarat/1"
        )
        approve(2)

        second, first = listed(program(READ))["data"]

        assert (first["id"], first["status"], first["superseded_by"]) == (1, "built", 2)
        assert (first["first_day"], first["last_day"]) == ("2026-11-21", "2026-11-21")
        assert [first[name] for name in ("table", "game", "rules", "customer")] == [None] * 4
        assert first["previous_sha256"] is None
        assert (second["status"], second["supersedes"], second["table"]) == ("approved", 1, "bac-1")
        assert second["rules"] == "baccarat/1"
        assert (second["first_day"], second["last_day"]) == ("2026-11-20", "2026-11-22")
        assert second["previous_sha256"] == first["manifest_sha256"] == "01" * 32
        assert second["links"]["self"] == f"{EXPORTS}/2"

    def test_comes_page_by_page(self) -> None:
        """Newest first; a bundle built meanwhile changes nothing."""
        for number in (1, 2, 3):
            made(number)
        reader = program(READ)

        first = listed(reader, "?limit=2")
        made(4)
        second = listed(reader, f"?limit=2&cursor={first['next']}")

        assert [export["id"] for export in first["data"] + second["data"]] == [3, 2, 1]
        assert second["next"] is None

    @pytest.mark.parametrize(
        ("query", "expected"),
        [
            ("?from=2026-11-22", [3, 2]),
            ("?to=2026-11-20", [3]),
            ("?from=2026-11-21&to=2026-11-21", [3, 1]),
            ("?contents=reports", [2]),
            ("?from=2026-11-23", []),
        ],
    )
    def test_is_filtered_by_days_and_contents(self, query: str, expected: list[int]) -> None:
        """Bundle 1 is of the 21st, 2 of the 22nd, 3 of the 20th to the 22nd."""
        made(1)
        made(2, 22, contents="reports")
        made(3, 22, first_day=date(2026, 11, 20))

        assert numbers(program(READ), query) == expected

    def test_is_filtered_by_status(self) -> None:
        """Each bundle is listed under its status only."""
        letter = Letter("PEC 12/2026", date(2026, 11, 22), "No day 21 in it.")
        for number in range(1, 8):
            made(number)
        sign_bundle(number=2, seen=0, at=NOW, actor=GIULIA)
        for number in (3, 4, 5, 6):
            approve(number)
        for number in (4, 5, 6):
            send_bundle(number=number, seen=2, letter=letter, at=NOW, actor=GIULIA)
        for number, is_received in ((5, True), (6, False)):
            answer_bundle(
                number=number,
                seen=3,
                is_received=is_received,
                letter=letter,
                at=NOW,
                actor=GIULIA,
            )
        set_bundle_aside(number=7, seen=0, note="Made twice.", at=NOW, actor=GIULIA)
        reader = program(READ)

        numbers_by_stage = {stage: numbers(reader, f"?status={stage}") for stage in Stage}

        assert numbers_by_stage == {stage: [number] for number, stage in enumerate(Stage, start=1)}

    @pytest.mark.parametrize(
        ("query", "expected"),
        [
            ("?sort=number", [1, 2, 3]),
            ("?sort=-number", [3, 2, 1]),
            ("?sort=built", [1, 2, 3]),
            ("?built_since=2026-11-22T22:00:00Z", [3, 2]),
            ("?built_before=2026-11-22T22:00:00Z", [1]),
            ("?sort=changed", [2, 3, 1]),
            ("?changed_since=2026-11-23T22:00:00Z", [3, 1]),
            ("?changed_since=2026-11-23T22:00:00Z&status=approved", [1]),
        ],
    )
    def test_is_ordered_and_filtered_by_time(self, query: str, expected: list[int]) -> None:
        """Built one day after the other; the first was signed last."""
        for number in (1, 2, 3):
            made(number, built_at=NOW + timedelta(days=number - 1))
        for seen, person in enumerate((GIULIA, LORENZO)):
            sign_bundle(number=1, seen=seen, at=NOW + timedelta(days=3), actor=person)

        assert numbers(program(READ), query) == expected

    @pytest.mark.parametrize(
        "query", ["?from=tomorrow", "?contents=all", "?status=lost", "?state=sent"]
    )
    def test_refuses_unknown_filters(self, query: str) -> None:
        """A mistyped filter is answered 422."""
        answer = program(READ).get(EXPORTS + query)

        assert (answer.status_code, slug_of(answer)) == (422, "refused")

    def test_has_only_extracts_for_a_key_with_tables(self) -> None:
        """A day's registers are of all tables."""
        open_table("bac-1")
        open_table("bac-2")
        made(1)
        made(2, table="bac-1")
        made(3, table="bac-2")
        bound = program(READ, tables=["bac-1"])

        assert numbers(bound) == [2]
        assert [bound.get(f"{EXPORTS}/{number}").status_code for number in (1, 2, 3)] == [
            404,
            200,
            404,
        ]
        assert bound.get(f"{ONE}/download").status_code == 404
