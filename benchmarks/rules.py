"""How many rounds a second the rules judge on one core, with every check on."""

import json
from statistics import median
from typing import Final

from benchmarks.figures import Figure, time_once
from rounds.feed import parse_document
from rounds.replay import replay_lines
from rounds.rules.catalogue import rule_set
from rounds.rules.facts import Round
from rounds.rules.shoe import Shoe

_RUNS: Final = 5


def measure_rules(game: str, feed: list[bytes]) -> list[Figure]:
    """From parsed JSON to payouts, and from the line of the feed to the line of the result."""
    documents = [json.loads(line) for line in feed]
    rounds = sum(document["feed"] == "round/1" for document in documents)
    judged = median(time_once(lambda: _judge(documents)).cpu for _ in range(_RUNS))
    replayed = median(time_once(lambda: list(replay_lines(feed))).cpu for _ in range(_RUNS))
    return [
        Figure(f"rules.{game}.rounds_per_s", rounds / judged, "rounds a CPU second"),
        Figure(f"replay.{game}.rounds_per_s", rounds / replayed, "rounds a CPU second"),
    ]


def _judge(documents: list[object]) -> None:
    shoes: dict[str, Shoe] = {}
    for document in documents:
        said = parse_document(document)
        if not isinstance(said, Round):
            shoes[said.shoe] = Shoe.opened(said)
            continue
        before = shoes.get(said.shoe or "", Shoe())
        verdict = rule_set(said.rules).judge(said, before)
        shoes[said.shoe or ""] = before.after(said)
        assert verdict.status == "settled", (said.round, verdict.anomalies)  # noqa: S101  legal feed
