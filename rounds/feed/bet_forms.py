"""A fast path for bets: parsing by form, that is by fields, kind and funding.

Nearly all bets have one of a few forms. Each form is validated once; of further bets of the form
only the values are checked. A bet that ``read_bet`` rejects is never accepted here.
"""

from collections.abc import Callable
from operator import itemgetter
from typing import Any, Final, NamedTuple

from rounds.feed.fields import cents_of, is_play
from rounds.feed.times import parse_time
from rounds.rules.facts import Bet

_MOST_FORMS: Final = 1 << 10
"""Bounds the memory; only a feed with fields in random order has more forms."""
_IN_A_FORM: Final = ("kind", "funding", "behind", "follows")
"""The fields whose values are part of a form."""
_new = tuple.__new__  # Bet(...) without the call of its constructor
_of_each_bet = itemgetter("id", "player", "participation", "stake", "placed_at")


class _Form(NamedTuple):
    """What bets of one form have in common."""

    kind: str
    golden: bool
    behind: bool
    follows: bool
    is_raisable: bool
    is_playable: bool


class BetForms:
    """The forms of bets known so far for one rule set."""

    def __init__(
        self, read_bet: Callable[[object], Bet], *, boxes: int, raisable_kinds: frozenset[str]
    ) -> None:
        """``read_bet`` parses any single bet and raises FeedError for an invalid one."""
        self._read_bet = read_bet
        self._boxes = boxes
        self._raisable_kinds = raisable_kinds
        self._shapes: dict[tuple[str, ...], Callable[[Any], object]] = {}
        self._forms: dict[tuple[tuple[str, ...], object], _Form] = {}

    def read(self, value: Any) -> Bet | None:
        """The bet; None if ``read_bet`` has to decide.

        Malformed JSON raises AttributeError, KeyError, TypeError or ValueError.
        """
        shape = tuple(value)
        try:
            form = self._forms[shape, self._shapes[shape](value)]
        except KeyError:
            form = self._learn(shape, value)
        kind, golden, behind, follows, is_raisable, is_playable = form
        bet, player, participation, stake, placed_at = _of_each_bet(value)
        box = value.get("box")
        play = value.get("play", "")
        stake_cents = cents_of(stake)
        raised_cents = cents_of(value["raised"]) if "raised" in value else 0
        if (
            not (bet and player and participation and stake_cents)
            or not (bet + player + participation).isprintable()
            or (self._boxes and not (type(box) is int and 0 < box <= self._boxes))
            or (raised_cents and not is_raisable)
            or (play != "" and not (is_playable and is_play(play)))
            # Identity, not equality: 1 is not a flag.
            or value.get("behind", False) is not behind
            or value.get("follows", True) is not follows
        ):
            return None
        return _new(
            Bet,
            (
                bet,
                player,
                participation,
                box,
                kind,
                stake_cents,
                raised_cents,
                play,
                golden,
                behind,
                follows,
                parse_time(placed_at),
                cents_of(value["reported"]) if "reported" in value else None,
            ),
        )

    def _learn(self, shape: tuple[str, ...], value: Any) -> _Form:
        """Adds the form of a valid bet."""
        bet = self._read_bet(value)
        if len(self._forms) >= _MOST_FORMS:
            self._forms.clear()
            self._shapes.clear()
        of_form = itemgetter(*[name for name in _IN_A_FORM if name in shape])
        is_raisable = bet.kind in self._raisable_kinds
        is_playable = is_raisable and not bet.behind
        form = _Form(bet.kind, bet.golden, bet.behind, bet.follows, is_raisable, is_playable)
        self._shapes[shape] = of_form
        self._forms[shape, of_form(value)] = form
        return form
