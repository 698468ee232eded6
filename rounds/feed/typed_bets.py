"""Typed bets to facts, by form: that is by kind, funding and flags.

Nearly all bets have one of a few forms. ``read_bet`` reads the first bet of a form; of further ones
only the values are checked. It also decides on every bet that fails these checks.
"""

from collections.abc import Iterable
from functools import cache
from typing import Any, Final, NamedTuple

from msgspec import UNSET, to_builtins

from rounds.feed.bets import read_bet, refuse_repeated_id
from rounds.feed.fields import cents_of, is_play
from rounds.feed.times import parse_time
from rounds.feed.typed_documents import BetDocument
from rounds.rules.facts import Bet
from rounds.rules.rule_set import RuleSet

_FormKey = tuple[object, object, object, object]
_new: Final[Any] = tuple.__new__  # Bet(...) without the call of its constructor


def read_typed_bets(bets: Iterable[BetDocument], rules: RuleSet) -> tuple[Bet, ...]:
    """The facts of all bets of a round.

    Raises ValueError if a bet is invalid or two have one id.
    """
    read = tuple(map(_forms_of(rules).read, bets))
    refuse_repeated_id(read)
    return read


class _Form(NamedTuple):
    """What bets of one form have in common."""

    kind: str
    golden: bool
    behind: bool
    follows: bool
    is_raisable: bool
    is_playable: bool


class _Forms:
    """The known forms of one rule set: at most as many as its valid bets can have."""

    def __init__(self, rules: RuleSet) -> None:
        self._rules = rules
        self._boxes = rules.boxes
        self._forms: dict[_FormKey, _Form] = {}

    def read(self, bet: BetDocument) -> Bet:
        """The facts of a bet. Raises ValueError for an invalid one."""
        key = (bet.kind, bet.funding, bet.behind, bet.follows)
        form = self._forms.get(key)
        box = None if bet.box is UNSET else bet.box
        stake_cents = cents_of(bet.stake)
        raised_cents = 0 if bet.raised is UNSET else cents_of(bet.raised)
        play = "" if bet.play is UNSET else bet.play
        if (
            form is None
            or not (bet.id and bet.player and bet.participation and stake_cents)
            or not (bet.id + bet.player + bet.participation).isprintable()
            or not (box is not None and 0 < box <= self._boxes if self._boxes else box is None)
            or (raised_cents and not form.is_raisable)
            or (play and not (form.is_playable and is_play(play)))
        ):
            return self._learn(key, bet)
        return _new(  # type: ignore[no-any-return]  # a Bet
            Bet,
            (
                bet.id,
                bet.player,
                bet.participation,
                box,
                form.kind,
                stake_cents,
                raised_cents,
                play,
                form.golden,
                form.behind,
                form.follows,
                parse_time(bet.placed_at),
                None if bet.reported is UNSET else cents_of(bet.reported),
            ),
        )

    def _learn(self, key: _FormKey, bet: BetDocument) -> Bet:
        """The facts by ``read_bet``; adds the form of a valid bet."""
        read = read_bet(to_builtins(bet), self._rules)
        is_raisable = read.kind in self._rules.raisable_kinds
        is_playable = is_raisable and not read.behind
        self._forms[key] = _Form(
            read.kind, read.golden, read.behind, read.follows, is_raisable, is_playable
        )
        return read


_forms_of: Final = cache(_Forms)
