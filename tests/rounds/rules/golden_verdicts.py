"""The recorded verdicts of the public feed."""

from collections.abc import Iterator
from pathlib import Path

from rounds.feed import FeedError, parse_line
from rounds.rules.catalogue import rule_set
from rounds.rules.facts import Round
from rounds.rules.verdict import Verdict

GOLDEN = Path(__file__).parents[2] / "golden"
FEEDS = {
    "blackjack/1": "blackjack",
    "mega-fire-blaze-blackjack/1": "mega-fire-blaze",
    "quantum-blackjack/1": "quantum",
    "baccarat/1": "baccarat",
    "zappit-blackjack/1": "zappit",
}


def golden_verdicts(rules: str) -> Iterator[tuple[Round, Verdict]]:
    """The accepted public rounds of a game, and their verdicts without a shoe."""
    for line in (GOLDEN / f"{FEEDS[rules]}.ndjson").read_bytes().splitlines():
        try:
            output = parse_line(line)
        except FeedError:
            continue
        if isinstance(output, Round):
            yield output, rule_set(rules).judge(output, None)
