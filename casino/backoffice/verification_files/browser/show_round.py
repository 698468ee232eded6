"""The context of the templates that show a round, from its facts alone."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from types import SimpleNamespace
from typing import Any, Final, NamedTuple

from django.utils.safestring import SafeString
from django.utils.translation import gettext

from casino.backoffice.rounds.why import Why, why_of
from casino.backoffice.verification_files.browser.checks import Judged
from rounds.formatting import bet_kind_label, play_label
from rounds.layouts.chips import Chips
from rounds.layouts.dealt_round import lay_out_round
from rounds.row_mapping import datetime_of
from rounds.rules.anomalies import ANOMALIES
from rounds.rules.catalogue import rule_set
from rounds.rules.facts import Bet
from rounds.rules.rule_set import RuleSet
from rounds.rules.verdict import SETTLED, Grade

_MAIN: Final = "main"


class BetRow(NamedTuple):
    """A bet as the templates of replays show it."""

    bet: Any
    kind: str
    play: str
    settled: Grade | None
    why: Why | None

    @property
    def payout_cents(self) -> int | None:
        """The payout in cents; None before settlement."""
        return None if self.settled is None else self.settled.payout_cents

    @property
    def badge(self) -> str:
        """The badge of the outcome; empty without one."""
        return "" if self.settled is None else f"bet-{self.settled.outcome}"


class BetGroup(NamedTuple):
    """The bets of one box."""

    box: int | None
    lines: tuple[BetRow, ...]


def round_context(judged: Judged) -> dict[str, Any]:
    """Cards, chips, bonus and bets."""
    dealt, verdict = judged.dealt, judged.verdict
    rules = rule_set(dealt.rules)
    shown = [bet for bet in dealt.bets if judged.customer in {None, bet.player}]
    bonus = None if verdict.bonus is None else verdict.bonus._asdict()
    return {
        **lay_out_round(
            rules,
            dealt.cards,
            _chips_of(shown, judged.paid),
            multipliers=dealt.multipliers,
            bonus=dealt.bonus,
            bonus_points=bonus["points"] if bonus else None,
            is_settled=verdict.status == SETTLED,
        ),
        "dealt": dealt,
        "game": rules.game,
        "opened_at": datetime_of(dealt.opened_at),
        "ended_at": datetime_of(dealt.ended_at),
        "anomalies": [gettext(ANOMALIES[code]) for code in verdict.anomalies],
        "status": {"settlement": {"bonus": bonus}},
        "bets": {"groups": list(_groups(_rows(shown, judged, rules)))},
    }


def _rows(bets: Iterable[Bet], judged: Judged, rules: RuleSet) -> Iterator[BetRow]:
    graded = [(bet, judged.paid[bet.id]) for bet in bets if bet.id in judged.paid]
    explained = dict(
        zip(
            [bet.id for bet, _grade in graded],
            rules.explain(judged.dealt, graded) if graded else (),
            strict=True,
        )
    )
    readings = dict.fromkeys(rules.reasons, SafeString(""))
    for bet in bets:
        why = why_of(explained[bet.id], rules, readings) if bet.id in explained else None
        shown = SimpleNamespace(**{**bet._asdict(), "reference": bet.id})
        paid = judged.paid.get(bet.id)
        yield BetRow(shown, bet_kind_label(bet.kind), play_label(bet.play), paid, why)


def _groups(rows: Iterable[BetRow]) -> Iterator[BetGroup]:
    ordered = sorted(rows, key=lambda row: row.bet.box or 0)
    for box, lines in groupby(ordered, key=lambda row: row.bet.box):
        yield BetGroup(box, tuple(lines))


def _chips_of(bets: Iterable[Bet], paid: Mapping[str, Grade]) -> dict[int | None, list[Chips]]:
    """The bets played alike, by box, as ``payouts.settlement.chips_on_table`` reads them."""
    alike: dict[tuple[Any, ...], list[Bet]] = {}
    for bet in bets:
        if bet.kind == _MAIN or bet.box is None:
            key = (bet.box or 0, bet.behind, bet.kind, bet.play, bet.golden)
            alike.setdefault(key, []).append(bet)
    chips: dict[int | None, list[Chips]] = {}
    for (box, behind, kind, play, golden), same in sorted(alike.items()):
        reasons = {paid[bet.id].reasons for bet in same if bet.id in paid}
        chips.setdefault(box or None, []).append(
            Chips(
                "" if box else bet_kind_label(kind),
                play_label(play),
                behind,
                golden,
                len(same),
                sum(bet.stake_cents for bet in same),
                sum(bet.raised_cents for bet in same),
                reasons.pop() if len(reasons) == 1 else (),
            )
        )
    return chips
