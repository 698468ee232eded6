"""One line of the feed by the fast and by the careful reader."""

from rounds.feed import FeedError, parse_line
from rounds.feed.fast_reader import read_fast
from rounds.feed.parse_document import parse_line_carefully
from rounds.rules.catalogue import RULE_SETS
from rounds.rules.facts import Round, ShoeOpening

Outcome = Round | ShoeOpening | tuple[str, str | None]


def assert_readers_agree(line: bytes) -> bool:
    """Asserts that the fast reader returns the careful one's facts or None; returns whether facts.

    Both as ``parse_line`` gives the facts, or the error with its round id, of the careful reader.
    """
    careful = _outcome_of(line, carefully=True)
    fast = read_fast(line, RULE_SETS)

    # The representation tells 1 from 1.0 and from True, which are equal.
    assert fast is None or (fast, repr(fast)) == (careful, repr(careful)), line
    assert repr(_outcome_of(line, carefully=False)) == repr(careful), line
    return fast is not None


def is_valid_round(line: bytes) -> bool:
    """Whether the careful reader accepts the line as a round."""
    return isinstance(_outcome_of(line, carefully=True), Round)


def _outcome_of(line: bytes, *, carefully: bool) -> Outcome:
    try:
        return parse_line_carefully(line, RULE_SETS) if carefully else parse_line(line)
    except FeedError as error:
        return str(error), error.round
