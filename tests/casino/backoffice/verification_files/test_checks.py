"""What a verification file proves, and that no value in it can be changed unnoticed."""

import copy
import json
import random
from collections.abc import Iterator
from typing import Any, Final

import pytest
from pytest_django import Settings

from casino.backoffice.verification_files.browser.proof_checks import State
from compliance.trail.log.stored_tree import NotInLog
from rounds.models import Round
from rounds.rules.ruling import Ruling
from tests.casino.backoffice.verification_files.files import (
    found,
    key_id,
    log_and_cosign,
    made_file,
    policy,
    settled_round,
    texts,
)
from tests.casino_in_play import ingest, settle
from tests.documents import held_baccarat_round, lines
from tests.payouts.settlement.resettlement_scenarios import resettle, stored, void
from tests.repetitions import repeated

pytestmark = pytest.mark.django_db
_UNSIGNED: Final = {"operator", "sandbox", "made_at", "complete", "customer", "limits", "dealer"}
"""Fields that no check concerns: they name the file, or the page says that it cannot prove them."""


@pytest.fixture(autouse=True)
def _policy(settings: Settings) -> None:
    """The policy that ``log_and_cosign`` sets ends with the test."""
    settings.LOG_POLICY = settings.LOG_POLICY


@pytest.fixture
def row() -> Round:
    """A settled round whose records are logged and cosigned."""
    made = settled_round()
    log_and_cosign()
    return made


class TestTheRegulatorsFile:
    def test_agrees_in_everything(self, row: Round) -> None:
        """Only the key of the log is to be compared by its reader."""
        checked = found(made_file(row), known=policy())

        assert texts(checked, State.DIFFERS) == []
        [unproved] = texts(checked, State.UNPROVED)
        assert f"The key of the log is {key_id()}" in unproved
        assert texts(checked, State.AGREES)[-1] == (
            "Settlement 1 paid €20.00: exactly what this page computed from the cards, bet by bet."
        )
        assert checked.judged is not None
        assert {bet: grade.payout_cents for bet, grade in checked.judged.paid.items()} == {
            "b-1": 2000,
            "b-2": 0,
        }

    def test_compares_the_key_that_is_entered(self, row: Round) -> None:
        """With spaces and capitals."""
        file = made_file(row)

        assert "That key is the one that you entered." in texts(
            found(file, known=f" {key_id().upper()}\n"), State.AGREES
        )
        assert texts(found(file, known="a" * 64), State.DIFFERS) == [
            f"The log is signed by the key {key_id()}, not by the one that you entered."
        ]

    def test_refuses_what_is_no_policy(self, row: Round) -> None:
        """This one's key is none."""
        other = "witness one other.example+12345678+AAAA\nquorum one\n"

        [text] = texts(found(made_file(row), known=other), State.DIFFERS)

        assert text.startswith("What you entered is no policy")

    @pytest.mark.parametrize("decide", [void, resettle])
    def test_judges_what_two_persons_decided(self, row: Round, decide: Any) -> None:
        """Each settlement by what it was based on."""
        void(after=1)
        if decide is resettle:
            resettle(after=2)
        log_and_cosign()

        checked = found(made_file(row), known=policy())

        assert texts(checked, State.DIFFERS) == []
        assert checked.judged is not None
        paid = sum(grade.payout_cents for grade in checked.judged.paid.values())
        assert paid == (2000 if decide is resettle else 1500)

    @pytest.mark.parametrize("customer", [None, "p-1", "p-2"])
    def test_judges_what_two_persons_corrected(self, row: Round, customer: str | None) -> None:
        """By the ruling in the signed record: the second bet is refunded."""
        resettle(after=1, ruling=Ruling(refunded=frozenset({1})))
        log_and_cosign()

        checked = found(made_file(row, customer), known=policy())

        assert texts(checked, State.DIFFERS) == []
        assert checked.judged is not None
        paid = {bet: grade.payout_cents for bet, grade in checked.judged.paid.items()}
        own = {"b-1": "p-1", "b-2": "p-2"}
        assert paid == {
            bet: cents
            for bet, cents in {"b-1": 2000, "b-2": 500}.items()
            if customer in {None, own[bet]}
        }

    def test_that_leaves_out_a_decision_differs(self, row: Round) -> None:
        """Proofs show that a record is there, not that no other is."""
        void(after=1)
        resettle(after=2)
        log_and_cosign()
        file = made_file(row)
        del file["receipt"]["records"][2]

        assert texts(found(file, known=policy()), State.DIFFERS) == [
            "The file leaves out a settlement of the round."
        ]

    def test_says_why_a_round_is_held(self) -> None:
        """The rules of the page hold it as well."""
        settled_round()
        ingest(lines(held_baccarat_round("r-2")))
        settle()
        log_and_cosign()

        checked = found(made_file(stored("r-2")), known=policy())

        assert texts(checked, State.DIFFERS) == []
        assert "The round has not been settled." in texts(checked, State.UNPROVED)
        assert checked.judged is not None
        assert checked.judged.verdict.anomalies

    def test_waits_until_the_records_are_logged(self) -> None:
        """There is no proof of them before."""
        row = settled_round()

        with pytest.raises(NotInLog):
            made_file(row)


class TestACustomersFile:
    def test_names_no_other_customer_and_no_employee(self, row: Round) -> None:
        """Neither ids nor stakes."""
        void(after=1)
        log_and_cosign()

        text = json.dumps(made_file(row, "p-1"))

        assert "p-1" in text
        for hidden in ("p-2", "b-2", "5.00"):
            assert hidden not in text.replace("15.00", "")

    def test_compares_the_bets_of_that_customer(self, row: Round) -> None:
        """Its own ones alone."""
        checked = found(made_file(row, "p-1"), known=policy())

        assert texts(checked, State.DIFFERS) == []
        assert "The bet was paid exactly what this page computed from the cards." in texts(
            checked, State.AGREES
        )
        assert checked.judged is not None
        assert set(checked.judged.paid) == {"b-1"}

    def test_differs_if_the_customer_was_paid_otherwise(self, row: Round) -> None:
        """By a cent."""
        file = made_file(row, "p-1")
        file["paid"]["b-1"][1] = 1999

        assert texts(found(file), State.DIFFERS) == [
            "The rules give these bets other payouts: b-1."
        ]


def _leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    items = enumerate(value) if isinstance(value, list) else value.items()
    for key, inner in items:
        if key in _UNSIGNED:
            continue
        if isinstance(inner, dict | list):
            yield from _leaves(inner, (*path, key))
        else:
            yield (*path, key)


def _changed(value: Any, chance: random.Random) -> Any:
    """Another value of the same type, by one character, digit or bit."""
    match value:
        case bool() | None:
            return not value
        case int():
            return value + chance.choice((-1, 1))
        case str() if value:
            at = chance.randrange(len(value))
            other = chance.choice(
                [it for it in "0123456789abcdefSHZ" if it.lower() != value[at].lower()]
            )
            return value[:at] + other + value[at + 1 :]
    return f"{value}0"


@pytest.mark.slow
def test_any_changed_value_is_a_difference(row: Round) -> None:
    """One value at a time, drawn from the regulator's file."""
    whole, chance, known = made_file(row), random.Random(20261129), policy()
    paths = list(_leaves(whole))
    unnoticed = []
    for _repetition in range(repeated(10_000)):
        file, path = copy.deepcopy(whole), chance.choice(paths)
        *parents, name = path
        holder = file
        for key in parents:
            holder = holder[key]
        holder[name] = _changed(holder[name], chance)
        try:
            checked = found(file, known=known)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
            continue  # the page says that the file cannot be read
        if not texts(checked, State.DIFFERS):
            unnoticed.append((path, holder[name]))

    assert not unnoticed, sorted({str((path, value)) for path, value in unnoticed})
