"""Facts: rounds, bets and shoes as immutable values, the input of all rules.

Times are integers, milliseconds since 1970 in UTC; money is integer cents.
"""

from typing import NamedTuple


class Bet(NamedTuple):
    """One bet as placed and played (feed contract, "A bet")."""

    id: str
    player: str
    participation: str
    box: int | None
    """1 to 7 in the blackjack family, None at baccarat."""
    kind: str
    stake_cents: int
    raised_cents: int
    play: str
    golden: bool
    behind: bool
    follows: bool
    placed_at: int
    reported_cents: int | None


class Bonus(NamedTuple):
    """A bonus grid as played (Mega Fire Blaze)."""

    level: str
    spins: tuple[tuple[tuple[int, str], ...], ...]
    specials: tuple[tuple[str, str, str], ...]
    """(section, "boost" or "star", value), in the order of the feed."""
    multiplier: str


class Disconnect(NamedTuple):
    """A player who lost the connection, with the cards dealt off line, if any."""

    player: str
    at: int
    cards_seen: int | None
    cards: tuple[tuple[str, str], ...]


class Video(NamedTuple):
    """Where the recording of a round is, and the SHA-256 of it in hexadecimal."""

    ref: str
    sha256: str


class Round(NamedTuple):
    """One finished round. No rule reads ``dealer`` and what follows it."""

    round: str
    table: str
    rules: str
    shoe: str | None
    drawn: int | None
    opened_at: int
    closed_at: int
    ended_at: int
    session: str
    cards: tuple[tuple[str, str], ...]
    """(place, card) in dealing order."""
    bets: tuple[Bet, ...]
    multipliers: tuple[tuple[str, str], ...] | None
    bonus: Bonus | None
    disconnects: tuple[Disconnect, ...]
    malfunction: bool
    dealer: str | None = None
    """The dealer's pseudonym."""
    shift: str | None = None
    location: str | None = None
    """The studio's place."""
    video: Video | None = None


class ShoeOpening(NamedTuple):
    """A shoe as announced, with the cards burnt before its first round."""

    shoe: str
    table: str
    opened_at: int
    burnt: tuple[str, ...]
    burnt_face_down: int
