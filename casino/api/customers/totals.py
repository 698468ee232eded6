"""``/customers/{pseudonym}/history/{day}/totals``: that a day's totals count a customer."""

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from casino.api import problems
from casino.api.client.shapes.totals import DayTotals, TotalsGame, TotalsNode, TotalsShare
from casino.api.customers.history import PSEUDONYM, get_customer, parse_day
from casino.api.exports.views import FILE_LOST
from casino.api.openapi.components import component
from casino.api.openapi.operations import operation, problem
from casino.api.problems import FieldError, Problem
from casino.api.rounds.proofs import not_in_log, record_proof
from casino.api.views import ApiView
from casino.integrations.scopes import Scope
from compliance.exports.sum_trees.customer_proof import LeavesChanged, NotCounted, prove_totals
from compliance.trail.log.stored_tree import NotInLog


class DayTotalsView(ApiView):
    """A customer's proof of a day."""

    # Not that of histories, which the tokens of customers lack.
    required_scopes = {"GET": (Scope.ROUNDS_READ,)}

    @operation(
        "read_day_totals",
        "Prove that a day's totals count a customer",
        {
            200: component(DayTotals),
            **problem(409, "The export is not in the signed log yet, or its file has changed"),
        },
        [PSEUDONYM, OpenApiParameter("day", OpenApiTypes.DATE, OpenApiParameter.PATH)],
    )
    def get(self, _request: Request, pseudonym: str, day: str) -> Response:
        """The customer's shares in the sum trees that the regulator receives of a closed day.

        `verify_bundle.py` verifies the answer; the documentation says how to do it by hand.
        """
        customer = get_customer(pseudonym, self.caller)
        try:
            proof = prove_totals(customer.pseudonym, parse_day(day))
        except NotCounted:
            needed = _("a closed day that was exported, and whose totals count the customer")
            error = FieldError("path:day", day, needed)
            raise Problem(problems.NOT_FOUND, errors=[error]) from None
        except NotInLog:
            raise not_in_log() from None
        except LeavesChanged:
            raise Problem(FILE_LOST) from None
        games = tuple(map(_game, proof["games"]))
        record = record_proof(proof["record"])
        return Response(DayTotals(**{**proof, "games": games, "record": record}))


def _game(game: dict[str, Any]) -> TotalsGame:
    return TotalsGame(game=game["game"], shares=tuple(map(_share, game["shares"])))


def _share(share: dict[str, Any]) -> TotalsShare:
    return TotalsShare(**{**share, "path": tuple(TotalsNode(**node) for node in share["path"])})
