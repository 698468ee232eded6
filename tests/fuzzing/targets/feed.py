"""One line of the feed: parsed or refused, by the contract alone, and written again unchanged."""

import json
from typing import Any

from rounds.feed import FeedError, content_digest, document_of, document_of_shoe, parse_line
from rounds.rules.facts import Round, ShoeOpening
from tests.fuzzing.json_mutation import JsonMutation
from tests.fuzzing.target import Target, golden_lines
from tests.rounds.both_readers import assert_readers_agree


def check(data: bytes) -> None:
    """A refusal is a FeedError that names field, found and needed; facts survive writing.

    The fast reader agrees with the careful one.
    """
    try:
        parsed = parse_line(data)
    except FeedError as error:
        assert error.found
        assert error.needed
        str(error).encode()
        assert error.round is None or len(error.round) <= 64
        parsed = None
    assert_readers_agree(data)
    if parsed is None:
        return
    again = parse_line(json.dumps(written(parsed)))
    assert written(again) == written(parsed)
    assert content_digest(again) == content_digest(parsed)
    assert parsed == again


def written(facts: Round | ShoeOpening) -> dict[str, Any]:
    """The document of these facts."""
    return document_of(facts) if isinstance(facts, Round) else document_of_shoe(facts)


def seeds() -> list[bytes]:
    """The public cases."""
    return list(golden_lines())


TARGET = Target(check, seeds, JsonMutation(seeds()))
