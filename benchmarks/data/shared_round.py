"""One Mega Fire Blaze round that a hundred thousand bets share."""

from typing import Final

from rounds.simulation.casino import Order, simulate

_BETS: Final = 100_000


def shared_round() -> bytes:
    """The line of this round; the same in every run."""
    order = Order(
        games=["mega-fire-blaze"],
        rounds=1,
        seed="1",
        start=1_790_000_000_000,
        bets_per_round=_BETS,
    )
    [line] = [written.text for written in simulate(order) if written.is_round]
    return line.encode()
