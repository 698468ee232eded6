"""Rounds whose month is archived: who may know of them gets the archive's name, others 404."""

from pathlib import Path
from typing import Final

import psycopg
import pytest
from pytest_django import Settings

from casino.integrations.scopes import Scope
from compliance.archive.read_round import READING
from payouts.disputes.models import Dispute
from rounds.models import Customer, Round, Table
from tests.casino.api.api_client import Program, customer_token, issued, json_of, slug_of
from tests.casino.api.studio import ROUNDS
from tests.compliance.archive.archived_months import MONTH, Archived
from tests.compliance.archive.conftest import archived, month, month_template
from tests.compliance.archive.detached_months import detach

__all__ = ["archived", "month", "month_template"]

_PARTS: Final = ("", "/bets", "/timeline", "/receipt", "/verification-file")


@pytest.fixture
def live_round(archived: Archived, settings: Settings, tmp_path: Path) -> Round:
    """A round of the month, which the host has an archive of."""
    settings.ARCHIVE_FOLDER = str(archived.folder.parent)
    settings.EXPORT_KEY = str(tmp_path / "export.key")
    return Round.objects.filter(bet_count__gt=2).select_related("table").order_by("id")[0]


@pytest.fixture
def players(live_round: Round) -> set[str]:
    """The customers with a bet in the round."""
    return set(live_round.bets.values_list("customer__pseudonym", flat=True))


@pytest.fixture
def a_round(live_round: Round, players: set[str]) -> Round:
    """The round, now that it is in the archive and not in the database."""
    detach(MONTH)
    return live_round


def dispute(row: Round, **more: str) -> dict[str, str]:
    """A request for a dispute about the round."""
    contested = {"round": row.reference, "reason": "wrong_payout", "text": "It paid too little."}
    return {**contested, "language": "en", **more}


class TestAProgram:
    @pytest.mark.parametrize("part", _PARTS)
    def test_learns_of_an_archived_round(self, a_round: Round, part: str) -> None:
        """By both its names; the error says which month is needed, and from where."""
        program = Program(issued().token)

        answers = [
            program.get(f"{ROUNDS}/{name}{part}") for name in (a_round.pk, a_round.reference)
        ]

        for answer in answers:
            assert (answer.status_code, slug_of(answer)) == (409, "round-archived")
            [error] = json_of(answer)["errors"]
            assert error["field"] == "path:round"
            assert error["needed"].endswith("attached again, or restored from 2026-11.1")

    def test_opens_no_dispute_about_it(self, a_round: Round, players: set[str]) -> None:
        """Nor does it read that there is no such round."""
        program = Program(issued(scopes=[Scope.DISPUTES_WRITE]).token)
        body = dispute(a_round, customer=min(players))

        answer = program.post("/api/v1/disputes", body)

        assert (answer.status_code, slug_of(answer)) == (409, "round-archived")
        assert json_of(answer)["errors"][0]["field"] == "/round"
        assert not Dispute.objects.exists()

    def test_reads_the_tables_of_its_key_alone(self, a_round: Round) -> None:
        """A round of another table is not found, as a live one."""
        another = Table.objects.exclude(pk=a_round.table_id)[0].code
        own = Program(issued(tables=[a_round.table.code]).token)
        other = Program(issued(tables=[another]).token)

        assert slug_of(own.get(f"{ROUNDS}/{a_round.reference}")) == "round-archived"
        assert slug_of(other.get(f"{ROUNDS}/{a_round.reference}")) == "not-found"

    def test_finds_no_round_that_is_in_no_archive(self, a_round: Round) -> None:
        """A key of the archived month, and names that nobody has."""
        program = Program(issued().token)
        unknown = type(a_round.pk)(int=a_round.pk.int + 1)

        slugs = [slug_of(program.get(f"{ROUNDS}/{name}")) for name in (unknown, "no-such", "%00")]

        assert slugs == ["not-found"] * 3

    def test_needs_no_files_for_a_round_that_it_names(
        self, a_round: Round, settings: Settings
    ) -> None:
        """A host without the archive knows the studio's names of rounds, and no more."""
        settings.ARCHIVE_FOLDER = "/nowhere"
        program = Program(issued().token)

        slugs = [
            slug_of(program.get(f"{ROUNDS}/{name}")) for name in (a_round.reference, a_round.pk)
        ]

        assert slugs == ["round-archived", "not-found"]

    def test_waits_while_another_round_is_read(self, a_round: Round, month: str) -> None:
        """Reading is not possible without limit."""
        program = Program(issued().token)
        with psycopg.connect(month) as other:
            other.execute("SELECT pg_advisory_lock(hashtextextended(%s, 0))", [READING])
            answer = program.get(f"{ROUNDS}/{a_round.pk}")

        assert (answer.status_code, slug_of(answer)) == (503, "archive-busy")
        assert answer["Retry-After"] == "2"


class TestACustomer:
    @pytest.mark.slow
    def test_learns_of_rounds_with_own_bets_alone(self, a_round: Round, players: set[str]) -> None:
        """Everybody else's are not found, by page, part and dispute."""
        own = min(players)
        stranger = Customer.objects.exclude(pseudonym__in=players)[0].pseudonym

        answers = {
            name: self._answers(Program(customer_token(name)), a_round) for name in (own, stranger)
        }

        assert answers[own] == {(409, "round-archived")}
        assert answers[stranger] == {(404, "not-found"), (422, "refused")}
        assert not Dispute.objects.exists()

    @pytest.mark.slow
    def test_learns_nothing_if_a_file_was_changed(
        self, a_round: Round, players: set[str], archived: Archived
    ) -> None:
        """A bet that somebody wrote into a file opens no round to anybody."""
        file = archived.folder / archived.archive.table("rounds_bet").files[0].name
        file.write_bytes(file.read_bytes()[:-1] + b"x")

        answers = self._answers(Program(customer_token(min(players))), a_round)

        assert answers == {(404, "not-found"), (422, "refused")}

    def _answers(self, program: Program, row: Round) -> set[tuple[int, str]]:
        addresses = [
            f"{ROUNDS}/{name}{part}" for name in (row.pk, row.reference) for part in _PARTS
        ]
        answers = [program.get(address) for address in addresses]
        answers.append(program.post("/api/v1/disputes", dispute(row)))
        return {(answer.status_code, slug_of(answer)) for answer in answers}
