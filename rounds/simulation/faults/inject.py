"""Injection of faults into a share of a table's rounds."""

from collections.abc import Iterator, Mapping
from random import Random
from types import MappingProxyType
from typing import Final, NamedTuple

from rounds.feed import document_of
from rounds.rules.anomalies import (
    BONUS_GRID,
    BONUS_MISSING,
    BONUS_UNEARNED,
    EXTRA_CARD,
    ILLEGAL_PLAY,
    INSURANCE_AMOUNT,
    INSURANCE_NOT_OFFERED,
    MAIN_BET_MISSING,
    MISSING_CARD,
    MULTIPLIER_CARDS,
    PAYOUT_DIFFERS,
    RAISE_MISMATCH,
    SHOE_GAP,
    STAKE_LIMITS,
    TOO_MANY_COPIES,
)
from rounds.rules.facts import Round
from rounds.rules.rule_set import RuleSet
from rounds.rules.verdict import HELD, SETTLED, VOID
from rounds.simulation.chance import happens, shuffle
from rounds.simulation.faults import bets, bonus, cards
from rounds.simulation.faults.documents import BREAKS, REPEATS
from rounds.simulation.faults.fault import Fault, Scene, Spoil
from rounds.simulation.faults.payouts import report_wrongly

REJECTED: Final = "rejected"
MALFUNCTION: Final = "malfunction"
_BROKEN_DOCUMENT: Final = "broken-document"
_BROKEN_DOCUMENTS_A_BAG: Final = 2

_AT_EVERY_GAME: Final[Mapping[str, Spoil]] = MappingProxyType(
    {
        MISSING_CARD: cards.lose_card,
        EXTRA_CARD: cards.draw_card_too_many,
        TOO_MANY_COPIES: cards.repeat_card,
        PAYOUT_DIFFERS: report_wrongly,
        STAKE_LIMITS: bets.stake_over_limit,
        MALFUNCTION: bets.break_down,
    }
)
_FROM_A_SHOE: Final[Mapping[str, Spoil]] = MappingProxyType({SHOE_GAP: cards.lose_cards_unseen})
_IN_BOXES: Final[Mapping[str, Spoil]] = MappingProxyType(
    {
        ILLEGAL_PLAY: bets.decide_out_of_turn,
        RAISE_MISMATCH: bets.raise_wrongly,
        INSURANCE_NOT_OFFERED: bets.insure_without_ace,
        INSURANCE_AMOUNT: bets.insure_for_another_amount,
    }
)
_WITH_BONUS: Final[Mapping[str, Spoil]] = MappingProxyType(
    {
        BONUS_MISSING: bonus.leave_bonus_out,
        BONUS_UNEARNED: bonus.play_unearned_bonus,
        BONUS_GRID: bonus.end_bonus_wrongly,
    }
)
_WITH_MULTIPLIERS: Final[Mapping[str, Spoil]] = MappingProxyType(
    {MULTIPLIER_CARDS: bonus.mix_multipliers_up}
)
_WITH_SIDE_BETS: Final[Mapping[str, Spoil]] = MappingProxyType(
    {MAIN_BET_MISSING: bets.bet_without_main}
)


class FaultyRound(NamedTuple):
    """A round with a fault as delivered, with an invalid or conflicting document around it."""

    fault: Fault
    delivered: Round
    line_before: str | None = None
    """An invalid document; the round is the studio's second attempt."""
    line_after: str | None = None
    """A document that conflicts with the round."""


def spoils_of(rule_set: RuleSet) -> Mapping[str, Spoil]:
    """The faults that are possible at this rule set, by name."""
    spoils = dict(_AT_EVERY_GAME)
    if rule_set.uses_shoe:
        spoils |= _FROM_A_SHOE
    if rule_set.boxes:
        spoils |= _IN_BOXES
        if set(rule_set.bet_kinds) - {"main", "insurance"}:
            spoils |= _WITH_SIDE_BETS
    if rule_set.bonus_levels:
        spoils |= _WITH_BONUS
    if rule_set.multiplier_cards:
        spoils |= _WITH_MULTIPLIERS
    return spoils


class FaultInjector:
    """Injects faults into a share (0 to 1) of a table's rounds.

    All kinds are equally frequent: they are drawn without replacement from a bag that is refilled
    when empty. A kind waits for the next suitable round.
    """

    def __init__(self, *, rule_set: RuleSet, share: float, rng: Random) -> None:
        self._share = share
        self._rng = rng
        self._spoils = spoils_of(rule_set)
        self._kinds = _shuffled_for_ever(
            [*self._spoils, *[_BROKEN_DOCUMENT] * _BROKEN_DOCUMENTS_A_BAG], rng
        )
        self._breaks = _shuffled_for_ever([*BREAKS, *REPEATS], rng)
        self._pays_broken_rounds = bool(rule_set.bonus_levels)
        self._pending: list[str] = []

    def are_due(self) -> bool:
        """Whether a fault is pending; to be called once per round."""
        if happens(self._rng, self._share):
            further = (kind for kind in self._kinds if kind not in self._pending)
            if len(self._pending) <= len(self._spoils):
                self._pending.append(next(further))
        return bool(self._pending)

    def strike(self, dealt: Round, scene: Scene) -> FaultyRound | None:
        """Inject a pending fault, None if the round is suitable for none."""
        for index, kind in enumerate(self._pending):
            faulty = (
                self._break(dealt) if kind == _BROKEN_DOCUMENT else self._spoil(kind, dealt, scene)
            )
            if faulty is not None:
                del self._pending[index]
                return faulty
        return None

    def _spoil(self, kind: str, dealt: Round, scene: Scene) -> FaultyRound | None:
        spoilt = self._spoils[kind](dealt, scene)
        if spoilt is None:
            return None
        if kind != MALFUNCTION:
            return FaultyRound(Fault(kind, HELD), spoilt)
        # [MFB] Gestione degli errori: complete cards are paid although the round broke down.
        return FaultyRound(Fault(kind, SETTLED if self._pays_broken_rounds else VOID), spoilt)

    def _break(self, dealt: Round) -> FaultyRound | None:
        name = next(self._breaks)
        line = {**BREAKS, **REPEATS}[name](document_of(dealt), self._rng)
        if line is None:
            return None
        fault = Fault(name, REJECTED)
        if name in REPEATS:
            return FaultyRound(fault, dealt, line_after=line)
        return FaultyRound(fault, dealt, line_before=line)


def _shuffled_for_ever(kinds: list[str], rng: Random) -> Iterator[str]:
    while True:
        shuffle(rng, kinds)
        yield from kinds
