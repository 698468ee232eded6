"""Findings of every game: about the shoe, stakes and reported payouts."""

from collections.abc import Iterable
from typing import Final

from rounds.rules.anomalies import PAYOUT_DIFFERS, SHOE_GAP, STAKE_LIMITS, TOO_MANY_COPIES
from rounds.rules.cards import INDEX
from rounds.rules.citation import gettext_noop
from rounds.rules.explained.explanation import Cards, Money
from rounds.rules.facts import Bet, Round
from rounds.rules.findings.held_round_fault import Findings, make_finding
from rounds.rules.limits import Limits
from rounds.rules.shoe import Shoe
from rounds.rules.verdict import Verdict

GAP: Final = gettext_noop(
    "According to the studio, %(found)s cards had left the shoe before this round; according to the"
    " earlier rounds, %(needed)s."
)
TOO_MANY: Final = gettext_noop(
    "%(card)s was seen %(found)s times in this shoe; its decks contain it %(needed)s times."
)
OUT_OF_LIMITS: Final = gettext_noop(
    "Staked %(found)s; the table accepts %(least)s to %(needed)s on this bet."
)
BELOW_LIMIT: Final = gettext_noop(
    "Staked %(found)s; the table accepts %(needed)s to %(most)s on this bet."
)
REPORTED: Final = gettext_noop(
    "The studio reported a payout of %(found)s; under the rules it is %(needed)s."
)


def shoe_findings(dealt: Round, shoe: Shoe, *, decks: int) -> Findings:
    """A gap in the shoe, and cards that its decks cannot hold."""
    if shoe.position is not None and dealt.drawn != shoe.position:
        yield make_finding(SHOE_GAP, GAP, found=dealt.drawn or 0, needed=shoe.position)
    counts = bytearray(shoe.seen)
    for number, (_place, card) in enumerate(dealt.cards):
        if counts[INDEX[card]] >= decks:
            seen = counts[INDEX[card]] + 1
            named = Cards((card,))
            yield make_finding(
                TOO_MANY_COPIES, TOO_MANY, found=seen, needed=decks, cards=(number,), card=named
            )
        counts[INDEX[card]] = min(counts[INDEX[card]] + 1, 254)


def limit_findings(bets: Iterable[tuple[int, Bet]], limits: Limits) -> Findings:
    """Stakes outside their limits. ``bets`` are those that count."""
    for number, bet in bets:
        least, most = limits.get(bet.kind, (bet.stake_cents, bet.stake_cents))
        found, floor, ceiling = Money(bet.stake_cents), Money(least), Money(most)
        if bet.stake_cents < least:
            yield make_finding(
                STAKE_LIMITS, BELOW_LIMIT, found=found, needed=floor, bets=(number,), most=ceiling
            )
        elif bet.stake_cents > most:
            yield make_finding(
                STAKE_LIMITS,
                OUT_OF_LIMITS,
                found=found,
                needed=ceiling,
                bets=(number,),
                least=floor,
            )


def reported_findings(dealt: Round, verdict: Verdict) -> Findings:
    """Bets with another payout reported by the studio; none if the round has other anomalies."""
    if verdict.anomalies != (PAYOUT_DIFFERS,):
        return
    for number, (bet, grade) in enumerate(zip(dealt.bets, verdict.grades, strict=True)):
        if bet.reported_cents is not None and bet.reported_cents != grade.payout_cents:
            found, needed = Money(bet.reported_cents), Money(grade.payout_cents)
            yield make_finding(PAYOUT_DIFFERS, REPORTED, found=found, needed=needed, bets=(number,))
