"""One line of the feed: parsed or refused, by the contract alone, and written again unchanged."""

import json
from functools import partial
from typing import Any

from rounds.feed import FeedError, content_digest, document_of, document_of_shoe, parse_line
from rounds.feed.bet_forms import BetForms
from rounds.feed.bets import read_bet
from rounds.rules.catalogue import RULE_SETS
from rounds.rules.facts import Round, ShoeOpening
from rounds.rules.rule_set import RuleSet
from tests.fuzzing.json_mutation import JsonMutation
from tests.fuzzing.target import Target, golden_lines


def check(data: bytes) -> None:
    """A refusal is a FeedError that names field, found and needed; facts survive writing."""
    try:
        parsed = parse_line(data)
    except FeedError as error:
        assert error.found
        assert error.needed
        str(error).encode()
        assert error.round is None or len(error.round) <= 64
        parsed = None
    _check_fast_bets(data, parsed)
    if parsed is None:
        return
    again = parse_line(json.dumps(written(parsed)))
    assert written(again) == written(parsed)
    assert content_digest(again) == content_digest(parsed)
    assert parsed == again


def written(facts: Round | ShoeOpening) -> dict[str, Any]:
    """The document of these facts."""
    return document_of(facts) if isinstance(facts, Round) else document_of_shoe(facts)


def _check_fast_bets(data: bytes, parsed: Round | ShoeOpening | None) -> None:
    """The fast path for bets takes what the careful reader takes, and nothing else."""
    try:
        document = json.loads(data)
        rules, bets = RULE_SETS[document["rules"]], list(document["bets"])
    except (ValueError, LookupError, TypeError, RecursionError):
        return
    fast = BetForms(
        partial(read_bet, rules=rules), boxes=rules.boxes, raisable_kinds=rules.raisable_kinds
    )
    careful = [_careful(bet, rules) for bet in bets]
    for bet, wanted in [*zip(bets, careful, strict=True)] * 2:  # once to learn forms, once by them
        try:
            found = fast.read(bet)
        except (AttributeError, KeyError, TypeError, ValueError):
            found = None
        assert found in (None, wanted)
    if isinstance(parsed, Round):
        assert list(parsed.bets) == careful


def _careful(bet: object, rules: RuleSet) -> Any:
    try:
        return read_bet(bet, rules)
    except FeedError:
        return "refused"


def seeds() -> list[bytes]:
    """The public cases."""
    return list(golden_lines())


TARGET = Target(check, seeds, JsonMutation(seeds()))
