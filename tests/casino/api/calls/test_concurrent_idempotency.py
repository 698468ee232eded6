"""Concurrent POSTs with one Idempotency-Key have one effect and equal answers (issue 8).

Separate programs send them with the client, through gunicorn with several processes.
"""

import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import pytest
from django.db import connection, transaction

from casino.integrations.models import ApiKey, GivenAnswer
from compliance.trail.models import AuditRecord
from payouts.disputes.models import Dispute
from rounds.models import Round
from tests.casino.api.api_client import issued
from tests.casino.api.senders import Call, Senders, Sent, sending
from tests.casino.api.web_server import answers_at, serving
from tests.crash.supervised_casino import children_of, kill
from tests.documents import baccarat_round
from tests.payouts.disputes.dispute_scenarios import play
from tests.processes import wait_until

pytestmark = pytest.mark.usefixtures("fresh_casino")


def delivery(number: int, once: str) -> Call:
    """The call that delivers a round."""
    return Call("rounds", "deliver", {"document": baccarat_round(f"r-{number}")}, once)


DELIVER: Final = delivery(1, "night-1")
ISSUE: Final = Call("customers", "issue_token", {"customer": "p-1"}, "ticket-4711")
CONTEST: Final = Call(
    "disputes",
    "open",
    {"round_id": "r-0", "customer": "p-1", "reason": "wrong_payout", "text": "Player won."},
    "ticket-4712",
)
CALLS: Final = [
    DELIVER,
    *[pytest.param(call, marks=pytest.mark.slow) for call in (ISSUE, CONTEST)],
]
EFFECTS: Final[dict[str, Callable[[], int]]] = {
    DELIVER.once: lambda: Round.objects.filter(reference="r-1").count(),
    ISSUE.once: lambda: ApiKey.objects.filter(customer="p-1").count(),
    CONTEST.once: Dispute.objects.count,
}
_KILLS: Final = 8
_BLOCKED: Final = "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = %s::regclass"


@pytest.fixture
def token() -> str:
    """The token of a key with every scope; the round r-1 has the customer p-1."""
    play(baccarat_round("r-0"))
    return issued(calls_per_minute=100_000).token


def replays() -> list[bool]:
    """Whether each successful call was answered from the stored answer."""
    rows = AuditRecord.objects.filter(action="API_CALLED").order_by("pk")
    calls = [row.details for row in rows]
    return [bool(call["replayed"]) for call in calls if call["problem"] is None]


def check_one_effect(answers: Sequence[Sent], effects: int, *, of: int) -> None:
    """Asserts one effect, and the same answer to every call."""
    assert len(answers) == of
    assert {answer.problem for answer in answers} == {None}
    assert all(answer.answer == answers[0].answer for answer in answers)
    assert effects == 1
    assert sorted(replays()) == [False] + [True] * (of - 1)


def is_held_up() -> bool:
    """Whether a call has taken effect and waits for its answer to be stored."""
    with connection.cursor() as cursor:
        cursor.execute(_BLOCKED, [GivenAnswer._meta.db_table])
        return bool(cursor.fetchone()[0])


def kill_before_commit(senders: Senders, web: int) -> list[Sent]:
    """Kills every web process while a call has taken effect and is not committed."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f'LOCK TABLE "{GivenAnswer._meta.db_table}" IN SHARE MODE')
        wait_until(is_held_up, what="a call keeps its answer")
        killed = [kill(pid) for pid in children_of(web)]
    assert killed == [True, True]
    return senders.answers()


@pytest.mark.slow
@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.method)
def test_fifty_by_five_programs_have_one_effect_and_one_answer(
    call: Call, token: str, tmp_path: Path
) -> None:
    """Five programs of ten threads, three web processes: 50 equal answers."""
    with (
        serving(tmp_path, processes=3) as (address, _web),
        sending(address, token, *[[call] * 10] * 5) as senders,
    ):
        answers = senders.answers()

    check_one_effect(answers, EFFECTS[call.once](), of=50)


@pytest.mark.slow
def test_of_different_calls_under_one_key_exactly_one_is_carried_out(
    token: str, tmp_path: Path
) -> None:
    """Of twenty rounds under one Idempotency-Key one is accepted, nineteen are refused."""
    rounds = [delivery(number, "night-1") for number in range(1, 21)]
    with (
        serving(tmp_path, processes=2) as (address, _web),
        sending(address, token, rounds[:10], rounds[10:]) as senders,
    ):
        answers = senders.answers()

    [accepted] = [answer for answer in answers if answer.problem is None]
    kinds = [answer.problem for answer in answers if answer.problem is not None]
    assert kinds == ["idempotency-key-reused"] * 19
    stored = Round.objects.exclude(reference="r-0").values_list("reference", flat=True)
    assert list(stored) == [accepted.answer["round"]]


@pytest.mark.slow
@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.method)
def test_a_killed_web_process_leaves_one_effect(call: Call, token: str, tmp_path: Path) -> None:
    """The client retries unanswered calls; uncommitted effects are rolled back."""
    with (
        serving(tmp_path, processes=2) as (address, web),
        sending(address, token, *[[call] * 3] * 2) as senders,
    ):
        answers = kill_before_commit(senders, web)

    check_one_effect(answers, EFFECTS[call.once](), of=6)


@pytest.mark.slow
def test_many_kills_leave_one_effect_per_key(token: str, tmp_path: Path) -> None:
    """Ten programs send the same twenty calls in random order while web processes are killed."""
    chance = random.Random(8)
    calls = [delivery(number, f"night-{number}") for number in range(1, 21)]
    programs = [chance.sample(calls, len(calls)) for _ in range(10)]
    kills = 0
    with (
        serving(tmp_path, processes=3) as (address, web),
        sending(address, token, *programs) as senders,
    ):
        while senders.are_sending() and kills < _KILLS:
            time.sleep(chance.uniform(0, 0.5))
            kills += kill(chance.choice(children_of(web)))
            wait_until(lambda: answers_at(address), what="a web process answers again")
        answers = senders.answers()

    by_round: dict[str, list[Any]] = {}
    for answer in answers:
        assert answer.problem is None
        by_round.setdefault(answer.answer["round"], []).append(answer.answer)
    assert kills >= _KILLS // 4  # how many fall while they send is the machine's pace
    assert len(by_round) == Round.objects.count() - 1 == len(calls)
    assert all(same == [same[0]] * 10 for same in by_round.values())
    assert {same[0]["verdict"] for same in by_round.values()} == {"accepted"}
