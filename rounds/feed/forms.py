"""Bets read by their form: the fields they have, their kind, and how they are funded.

Nearly all bets have one of a few forms. What a form allows is found out once; of further bets only
the values are looked at. Nothing is taken here that reading a bet by itself would refuse.
"""

from collections.abc import Callable
from operator import itemgetter
from typing import Any, Final, NamedTuple

from rounds.feed.fields import cents_of, is_play
from rounds.feed.times import parse_time
from rounds.rules.facts import Bet

_MOST_FORMS: Final = 1 << 10
"""More than there are unless fields come in any order; they shall not fill the memory."""
_IN_A_FORM: Final = ("kind", "funding", "behind", "follows")
"""The fields whose values are part of a form."""
_new = tuple.__new__  # what Bet(...) does, without the call in between
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
    """The forms of bets that were seen so far at one rule set."""

    def __init__(
        self, read_bet: Callable[[object], Bet], *, boxes: int, raisable_kinds: frozenset[str]
    ) -> None:
        """``read_bet`` reads any bet by itself, and refuses one that is not sound."""
        self._read_bet = read_bet
        self._boxes = boxes
        self._raisable_kinds = raisable_kinds
        self._shapes: dict[tuple[str, ...], Callable[[Any], object]] = {}
        self._forms: dict[tuple[tuple[str, ...], object], _Form] = {}

    def read(self, value: Any) -> Bet | None:  # noqa: ANN401 - any JSON
        """The bet, None where it has to be looked at more closely.

        Of what is no sound bet it raises whatever reading odd JSON raises.
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
            # Identical, not only equal: 1 is no flag.
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

    def _learn(self, shape: tuple[str, ...], value: Any) -> _Form:  # noqa: ANN401 - any JSON
        """What a bet of a new form has in common with others like it, if it is sound."""
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
