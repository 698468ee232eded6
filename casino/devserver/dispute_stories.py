"""The disputes of the demo: one in each state, about bets of its past days."""

from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta
from typing import Final, NamedTuple

from django.db.models import Exists, OuterRef

from casino.devserver.demo import demo_person
from compliance.trail.actor import Actor
from payouts.cases.reasons_in_force import reasons_in_use
from payouts.disputes.close_dispute import close_dispute, escalate_dispute
from payouts.disputes.decide_dispute import citable_headings, reject_dispute, uphold_dispute
from payouts.disputes.models import Dispute
from payouts.disputes.open_dispute import Contested, open_dispute
from payouts.disputes.remedies import RequestedRemedy, Way
from payouts.disputes.review_dispute import ask_customer, take_dispute
from payouts.disputes.status import State, steps_of
from payouts.regulator_letters import Letter
from payouts.settlement.models import BetSettlement
from rounds.gaming_day import ROME
from rounds.models import Bet, ClosedDay

_Reason: Final = Dispute.Reason
_Language: Final = Dispute.Language
_MAIN: Final = ("main", "player", "banker")


class Story(NamedTuple):
    """What a customer says, and how far the dispute went."""

    state: State
    reason: Dispute.Reason
    language: Dispute.Language
    text: str
    answer: str = ""
    """What the customer is asked or told."""


STORIES: Final[Sequence[Story]] = (
    Story(
        State.OPENED,
        _Reason.WRONG_PAYOUT,
        _Language.ITALIAN,
        "La mia mano era più alta di quella del banco, ma la puntata risulta persa.",
    ),
    Story(
        State.IN_REVIEW,
        _Reason.WRONG_CARDS,
        _Language.ENGLISH,
        "The video shows another card than the one in my history.",
    ),
    Story(
        State.WAITING,
        _Reason.MALFUNCTION,
        _Language.ITALIAN,
        "Lo schermo si è bloccato prima della mia decisione.",
        "A che ora si è bloccato lo schermo, e con quale dispositivo giocava?",
    ),
    Story(
        State.UPHELD,
        _Reason.OFF_LINE,
        _Language.ENGLISH,
        "I lost the connection and could not decide about my hand.",
        "The connection was lost on our side. We credit you the stake.",
    ),
    Story(
        State.PARTLY_UPHELD,
        _Reason.LATE_BET,
        _Language.ITALIAN,
        "La puntata è stata accettata, poi mi è stato detto che era in ritardo.",
        "La puntata era in ritardo; per l'avviso poco chiaro accreditiamo una parte della posta.",
    ),
    Story(
        State.REJECTED,
        _Reason.WRONG_PAYOUT,
        _Language.ITALIAN,
        "Il pareggio doveva restituire la posta.",
        "Il turno è stato liquidato secondo le regole: l'esito non era un pareggio.",
    ),
    Story(
        State.CLOSED,
        _Reason.BET_NOT_RECOGNISED,
        _Language.ENGLISH,
        "I did not place this bet.",
        "The bet came from your session, from the device that you used all evening.",
    ),
    Story(
        State.ESCALATED,
        _Reason.OTHER,
        _Language.ITALIAN,
        "Non sono d'accordo con la decisione e mi rivolgo all'organismo di risoluzione.",
        "Il turno è stato liquidato secondo le regole pubblicate.",
    ),
)


def open_disputes(*, now: Callable[[], datetime]) -> int:
    """Opens a dispute for each story, on a closed day of its own; returns how many.

    Payments opens them, the supervisor takes them, compliance decides. None if there are any.
    """
    if Dispute.objects.exists():
        return 0
    days = ClosedDay.objects.order_by("-day").values_list("day", flat=True)[: 3 * len(STORIES)]
    opened = 0
    for story, day in zip(STORIES, days[::3], strict=False):
        bet = _contested_bet(day)
        if bet is not None:
            _play(story, bet, at=now())
            opened += 1
    return opened


def _contested_bet(day: date) -> Bet | None:
    """The middle one of the bets that were lost on the day, by their stakes."""
    lost = BetSettlement.objects.filter(
        round_id=OuterRef("round_id"), bet_number=OuterRef("number"), outcome="lose"
    )
    bets = Bet.objects.filter(Exists(lost), round__booked_on=day, golden=False, kind__in=_MAIN)
    by_stake = list(bets.order_by("stake_cents", "round_id", "number"))
    return by_stake[len(by_stake) // 2] if by_stake else None


def _play(story: Story, bet: Bet, *, at: datetime) -> None:
    supervisor = demo_person("supervisor")
    contested = Contested(
        round_id=bet.round_id,
        customer_id=bet.customer_id,
        reason=story.reason,
        text=story.text,
        language=story.language,
        bet_number=bet.number,
        claimed_cents=bet.stake_cents,
    )
    opened_by = Dispute.OpenedBy.PERSON
    dispute = open_dispute(
        contested=contested, opened_by=opened_by, at=at, actor=demo_person("payments")
    )
    if story.state is State.OPENED:
        return
    take_dispute(dispute_id=dispute.pk, seen=1, at=at, actor=supervisor)
    if story.state is State.WAITING:
        ask_customer(dispute_id=dispute.pk, seen=2, note=story.answer, at=at, actor=supervisor)
    elif story.state is not State.IN_REVIEW:
        _decide(story, dispute, bet, at=at, actor=demo_person("compliance"))


def _decide(story: Story, dispute: Dispute, bet: Bet, *, at: datetime, actor: Actor) -> None:
    seen, citations = len(steps_of(dispute)), citable_headings(dispute)[:1]
    if story.state in (State.UPHELD, State.PARTLY_UPHELD):
        is_whole = story.state is State.UPHELD
        remedy = RequestedRemedy(
            way=Way.GOODWILL,
            reason=reasons_in_use("goodwill")[0],
            cents=bet.stake_cents if is_whole else max(bet.stake_cents // 2, 1),
        )
        uphold_dispute(
            dispute_id=dispute.pk,
            seen=seen,
            is_whole=is_whole,
            note=story.answer,
            citations=citations,
            remedy=remedy,
            at=at,
            actor=actor,
        )
        return
    reject_dispute(
        dispute_id=dispute.pk,
        seen=seen,
        note=story.answer,
        citations=citations,
        at=at,
        actor=actor,
    )
    if story.state is State.CLOSED:
        close_dispute(dispute_id=dispute.pk, seen=seen + 1, at=at, actor=actor)
    elif story.state is State.ESCALATED:
        letter = Letter("ADR-2026-117", at.astimezone(ROME).date() - timedelta(days=1))
        escalate_dispute(dispute_id=dispute.pk, seen=seen + 1, letter=letter, at=at, actor=actor)
