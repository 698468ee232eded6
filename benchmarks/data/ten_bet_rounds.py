"""Rounds of ten bets of several customers, from the simulator's tables.

The tables draw at least ten bets. Further bets are removed if the round is still valid without them
(97 of 100); the other rounds keep them.
"""

from collections.abc import Iterator
from typing import Final

from benchmarks.data.ordinary_rounds import ONE_VISITOR
from rounds.rules.facts import Round
from rounds.rules.shoe import Shoe
from rounds.rules.verdict import SETTLED
from rounds.simulation.customers import REGULARS, customer
from rounds.simulation.dealing import Dealing
from rounds.simulation.games import GAMES
from rounds.simulation.table import Place, Table
from rounds.simulation.table_feed import FeedItem, table_feed

_BETS: Final = 10
_CROWD: Final = 10_000
"""So many people make up the crowd, so that customers come back as they do at a real house."""
_FIRST: Final = int(customer(0).pseudonym.removeprefix("p-"))


TABLES: Final = tuple(
    Place(f"{GAMES[name].code}-1", GAMES[name].first_number + 1, ONE_VISITOR[visited])
    for name, visited in (
        ("baccarat", "baccarat"),
        ("blackjack", "blackjack"),
        ("mega-fire-blaze", "mega_fire_blaze"),
        ("quantum", "quantum"),
    )
)
"""The first table of each live game, with one visitor (two at baccarat)."""


def ten_bet_rounds(place: Place, *, seed: str, start: int) -> Iterator[FeedItem]:
    """Shoes and rounds of a table without end."""
    table = Table(place=place, seed=seed, start=start, bets_per_round=_BETS)
    shoe: Shoe | None = None
    for handed_over in table_feed(table, seed=seed, faults=0):
        event = handed_over.payload
        if isinstance(event, Round):
            yield handed_over._replace(payload=_with_ten_bets(place.game, event, shoe))
            shoe = None if shoe is None else shoe.after(event)
        elif not isinstance(event, str):
            yield handed_over
            shoe = Shoe.opened(event)


def _with_ten_bets(game: Dealing, dealt: Round, shoe: Shoe | None) -> Round:
    known = dealt._replace(
        bets=tuple(bet._replace(player=_coming_back(bet.player)) for bet in dealt.bets),
        disconnects=tuple(
            disconnect._replace(player=_coming_back(disconnect.player))
            for disconnect in dealt.disconnects
        ),
    )
    shortened = known._replace(bets=known.bets[:_BETS])
    verdict = game.rule_set.judge(shortened, shoe)
    return shortened if verdict.status == SETTLED else known


def _coming_back(player: str) -> str:
    """Somebody of the crowd as one of 10,000; neighbours in a round stay apart."""
    number = int(player.removeprefix("p-")) - _FIRST
    return player if number < REGULARS else customer(REGULARS + number % _CROWD).pseudonym
