"""The simulated studio's record of a played round: ids, numbered bets, facts."""

from rounds.rules.facts import Bet, Disconnect, Round
from rounds.rules.shoe import Shoe
from rounds.simulation.chance import between
from rounds.simulation.customers import Customer
from rounds.simulation.identifiers import participation_id, round_reference, session_id
from rounds.simulation.round_in_play import RoundInPlay
from rounds.simulation.staff import staff_at


class Recorder:
    """Records the rounds of one table with this code, number and rule set."""

    def __init__(self, *, code: str, table: int, rules: str) -> None:
        self._code = code
        self._table = table
        self._rules = rules

    def record(self, game: RoundInPlay, *, shoe: str | None, known: Shoe | None) -> Round:
        """The facts of a played round, whose last event is ``game.now``.

        Cards without a shoe are dealt by a machine, and by nobody.
        """
        staff = None if shoe is None else staff_at(table=self._table, opened_at=game.opened_at)
        return Round(
            round=round_reference(table=self._code, opened_at=game.opened_at),
            table=self._code,
            rules=self._rules,
            shoe=shoe,
            drawn=None if known is None else known.position,
            opened_at=game.opened_at,
            closed_at=game.closed_at,
            ended_at=game.now,
            session=session_id(table=self._table, opened_at=game.opened_at),
            cards=tuple(game.cards),
            bets=self._bets(game),
            multipliers=game.multipliers,
            bonus=game.bonus,
            disconnects=_disconnects(game),
            malfunction=False,
            **({} if staff is None else staff._asdict()),
        )

    def _bets(self, game: RoundInPlay) -> tuple[Bet, ...]:
        """The bets in order of placement."""
        placed = sorted(game.wagers, key=lambda wager: wager.placed_at)
        rights = {
            number: participation_id(table=self._table, opened_at=game.opened_at, customer=number)
            for number in {wager.customer.number for wager in placed}
        }
        return tuple(
            wager.as_bet(number=number, participation=rights[wager.customer.number])
            for number, wager in enumerate(placed, start=1)
        )


def _disconnects(game: RoundInPlay) -> tuple[Disconnect, ...]:
    """The disconnects of customers with bets, in the order of their first bets."""
    customers = {wager.customer.number: wager.customer for wager in game.wagers}
    return tuple(
        _disconnect(game, customer)
        for customer in customers.values()
        if customer.number in game.left_early or customer.number in game.cut_off
    )


def _disconnect(game: RoundInPlay, customer: Customer) -> Disconnect:
    if customer.number in game.ended_off_line:
        return game.ended_off_line[customer.number]
    at = game.left_early.get(customer.number)
    if at is not None:
        return Disconnect(customer.pseudonym, at, cards_seen=None, cards=())
    at = between(game.rng, game.last_staked(customer) + 1, game.now)
    seen = len(game.cards) * (at - game.closed_at) // (game.now - game.closed_at)
    return Disconnect(customer.pseudonym, at, cards_seen=seen, cards=())
