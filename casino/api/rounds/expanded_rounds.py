"""The rows of the list of rounds, with the parts that ``expand`` names."""

from typing import Final

from casino.api.client.shapes.rounds import ListedRound
from casino.api.expansion import Expansion
from casino.api.query_params import QueryParams
from casino.api.rounds.bets import first_bets_of
from casino.api.rounds.representation import round_summaries, settlement_details
from casino.integrations.scopes import Scope
from payouts.settlement.queries import settlements_by_round
from rounds.feed import document_of
from rounds.models import Customer, Round
from rounds.queries import facts_of

_SCOPES: Final = (Scope.ROUNDS_READ,)
ROUND_PARTS: Final = Expansion(dict.fromkeys(("bets", "cards", "settlements"), _SCOPES))


def listed_rounds(
    rows: list[Round],
    customer: Customer | None,
    parts: frozenset[str],
    params: QueryParams,
    *,
    is_own: bool,
) -> list[ListedRound]:
    """The summaries of rounds with the parts; at most four queries more for any number."""
    settlements = settlements_by_round(rows) if parts - {"cards"} else {}
    latest = {round_id: of_round[-1] for round_id, of_round in settlements.items()}
    bets = first_bets_of(rows, latest, customer, params) if "bets" in parts else {}
    return [
        ListedRound(
            **vars(summary),
            cards=document_of(facts_of(row))["cards"] if "cards" in parts else None,
            settlements=tuple(
                settlement_details(settlement, is_own=is_own)
                for settlement in settlements.get(row.id, ())
            )
            if "settlements" in parts
            else None,
            bets=bets.get(row.id),
        )
        for row, summary in zip(rows, round_summaries(rows, customer), strict=True)
    ]
