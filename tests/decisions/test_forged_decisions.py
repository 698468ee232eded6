"""Honest and forged decisions in any order, with each role of the database."""

import sys
from collections import Counter
from collections.abc import Iterator

import pytest

from compliance.signatures.verify_signatures import SignatureVerifier
from tests.casino_in_play import ingest, open_table, settle
from tests.compliance.trail.lost_logs import give_role
from tests.conftest import NewTemplate
from tests.decisions.forging import ANNA, Forging
from tests.documents import baccarat_round, lines
from tests.fresh_copies import fresh_copies
from tests.histories.drawn_histories import explore
from tests.payouts.settlement.resettlement_scenarios import GIULIA, LORENZO
from tests.repetitions import repeated
from tests.signers import FirstKey

_HISTORIES = repeated(200)
_TO_FIND = 200
_STEPS = 40


@pytest.fixture
def forging(
    new_template: NewTemplate, casino_template: str, empty_database: str, worker_id: str
) -> Iterator[type[Forging]]:
    """The machine, beginning with two settled rounds and three persons who have keys."""

    class World(Forging):
        happened = Counter()

    template = new_template("forging", _fill, template=casino_template)
    with fresh_copies(template, name=f"forging_{worker_id}") as prepare:
        World.prepare = staticmethod(prepare)
        yield World
    for what, times in sorted(World.happened.items()):
        sys.stdout.write(f"{times:>7,} {what}\n")


def _fill() -> None:
    open_table()
    ingest(lines(baccarat_round("r-1"), baccarat_round("r-2")))
    settle()
    for person, role in ((GIULIA, "supervisor"), (LORENZO, "supervisor"), (ANNA, "compliance")):
        assert isinstance(person.signer, FirstKey)
        person.signer.approve()
        give_role(person, role)


@pytest.mark.slow
class TestForgedDecisions:
    def test_move_no_money(self, forging: type[Forging]) -> None:
        """Nothing is paid that no honest person signed."""
        explore(forging, histories=_HISTORIES, steps=_STEPS)

    def test_would_move_money_without_the_verification(
        self, forging: type[Forging], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The histories find it if workers believe rows."""
        monkeypatch.setattr(SignatureVerifier, "verify_row", lambda _self, _row: True)
        with pytest.raises(AssertionError):
            explore(forging, histories=_TO_FIND, steps=_STEPS, shrinks=False)
