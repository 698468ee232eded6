"""Parsing of bets."""

from collections.abc import Sequence
from typing import Final

from rounds.feed.exceptions import FeedError, shorten
from rounds.feed.fields import (
    Document,
    is_play,
    read_choice,
    read_flag,
    read_money,
    read_object,
    read_text,
    read_time,
)
from rounds.feed.typed_documents import BetDocument, optional_fields, required_fields
from rounds.rules.facts import Bet
from rounds.rules.rule_set import RuleSet

REQUIRED: Final = required_fields(BetDocument)
OPTIONAL: Final = optional_fields(BetDocument)


def read_bets(values: list[object], rules: RuleSet) -> tuple[Bet, ...]:
    """All bets of a round, with unique ids."""
    bets: list[Bet] = []
    try:
        for value in values:
            bets.append(read_bet(value, rules))  # noqa: PERF401 - the length is the index of an invalid bet
    except FeedError as error:
        raise error.within(f"bets[{len(bets)}]") from None
    refuse_repeated_id(bets)
    return tuple(bets)


def read_bet(value: object, rules: RuleSet) -> Bet:
    """One bet of this rule set (contract, "A bet", details 2, 4 and 7 to 10)."""
    bet = read_object(value, required=REQUIRED, optional=OPTIONAL)
    stake_cents = read_money(bet, "stake")
    if not stake_cents:
        raise FeedError("stake", shorten(bet["stake"]), "more than nothing")
    return Bet(
        read_text(bet, "id"),
        read_text(bet, "player"),
        read_text(bet, "participation"),
        _read_box(bet, rules),
        read_choice(bet, "kind", rules.bet_kinds),
        stake_cents,
        _read_raised(bet, rules) if "raised" in bet else 0,
        _read_play(bet, rules) if "play" in bet else "",
        "funding" in bet and _read_golden(bet, rules),
        "behind" in bet and _read_behind(bet, rules),
        _read_follows(bet, rules) if "follows" in bet else True,
        read_time(bet, "placed_at"),
        read_money(bet, "reported") if "reported" in bet else None,
    )


def refuse_repeated_id(bets: Sequence[Bet]) -> None:
    """Raises FeedError if two bets of a round have one id."""
    ids = [bet.id for bet in bets]
    if len(set(ids)) == len(ids):
        return
    first: dict[str, int] = {}
    number = next(n for n, name in enumerate(ids) if first.setdefault(name, n) != n)
    raise FeedError(f"bets[{number}].id", f"{shorten(ids[number])} again", "an id of its own")


def _read_box(bet: Document, rules: RuleSet) -> int | None:
    """A box of the table; None at baccarat (details 2 and 8)."""
    if not rules.boxes:
        if "box" in bet:
            raise FeedError("box", shorten(bet["box"]), "no box: the table has none")
        return None
    box = bet.get("box")
    if type(box) is int and 1 <= box <= rules.boxes:
        return box
    raise FeedError(
        "box",
        shorten(box) if "box" in bet else "nothing",
        f"an integer from 1 to {rules.boxes}, a box of the table",
    )


def _read_raised(bet: Document, rules: RuleSet) -> int:
    """The raise in cents, of bets with a hand only (detail 7)."""
    raised_cents = read_money(bet, "raised")
    if raised_cents and bet["kind"] not in rules.raisable_kinds:
        raise FeedError("raised", shorten(bet["raised"]), "nothing: only a main bet is raised")
    return raised_cents


def _read_play(bet: Document, rules: RuleSet) -> str:
    """The decisions, of main bets that are not bets behind only (details 7 and 10)."""
    play = bet["play"]
    if type(play) is not str or not is_play(play):
        raise FeedError("play", shorten(play), 'decisions of H, S, D, Z, P, such as "PH,D"')
    if play and (bet["kind"] not in rules.raisable_kinds or bet.get("behind")):
        raise FeedError("play", shorten(play), "nothing: only the owner of a hand plays it")
    return play


def _read_golden(bet: Document, rules: RuleSet) -> bool:
    golden = read_choice(bet, "funding", ("cash", "golden")) == "golden"
    if golden and bet["kind"] not in rules.golden_kinds:
        needed = f"'cash': {rules.name} takes no golden chips for {bet['kind']}"
        raise FeedError("funding", "'golden'", needed)
    return golden


def _read_behind(bet: Document, rules: RuleSet) -> bool:
    behind = read_flag(bet, "behind")
    if behind and not rules.bets_behind:
        raise FeedError("behind", "true", f"false: {rules.name} has no bets behind")
    return behind


def _read_follows(bet: Document, rules: RuleSet) -> bool:
    follows = read_flag(bet, "follows")
    if bet["kind"] not in rules.raisable_kinds or not bet.get("behind"):
        raise FeedError("follows", shorten(follows), "nothing: only a main bet behind follows")
    return follows
