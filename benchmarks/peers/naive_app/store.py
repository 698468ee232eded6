"""Filling the naive tables with rounds that are to be settled; not part of what is timed."""

from collections.abc import Sequence
from uuid import UUID

from benchmarks.data.graded_rounds import Graded
from benchmarks.peers.naive_app.rounds import Bet, Customer, Round
from rounds.identity import round_id
from rounds.row_mapping import datetime_of
from rounds.rules.facts import Round as Dealt

_AT_ONCE = 5_000


def store_rounds(rounds: Sequence[Graded]) -> list[tuple[UUID, Graded]]:
    """Stores the rounds with their bets and customers; gives each with its id."""
    stored = [(_id_of(graded.dealt), graded) for graded in rounds]
    Round.objects.bulk_create(
        [
            Round(
                id=identity,
                reference=dealt.round,
                rules=dealt.rules,
                opened_at=datetime_of(dealt.opened_at),
                bet_count=len(dealt.bets),
                staked_cents=sum(bet.stake_cents + bet.raised_cents for bet in dealt.bets),
            )
            for identity, (dealt, _) in stored
        ],
        batch_size=_AT_ONCE,
    )
    customers = _store_customers({bet.player for graded in rounds for bet in graded.dealt.bets})
    bets = [bet for identity, (dealt, _) in stored for bet in _bets(identity, dealt, customers)]
    Bet.objects.bulk_create(bets, batch_size=_AT_ONCE)
    return stored


def _id_of(dealt: Dealt) -> UUID:
    return round_id(reference=dealt.round, opened_at=dealt.opened_at)


def _store_customers(pseudonyms: set[str]) -> dict[str, int]:
    customers = [Customer(pseudonym=pseudonym) for pseudonym in sorted(pseudonyms)]
    Customer.objects.bulk_create(customers, batch_size=_AT_ONCE)
    return dict(Customer.objects.values_list("pseudonym", "id"))


def _bets(identity: UUID, dealt: Dealt, customers: dict[str, int]) -> list[Bet]:
    return [
        Bet(
            round_id=identity,
            number=number,
            reference=bet.id,
            customer_id=customers[bet.player],
            participation=bet.participation,
            box=bet.box,
            kind=bet.kind,
            stake_cents=bet.stake_cents,
            raised_cents=bet.raised_cents,
            play=bet.play,
            golden=bet.golden,
            behind=bet.behind,
            follows=bet.follows,
            placed_at=datetime_of(bet.placed_at),
            reported_cents=bet.reported_cents,
        )
        for number, bet in enumerate(dealt.bets)
    ]
