"""``/rounds/{round}/verification-file``: a page that judges a round and verifies its proofs."""

from typing import Final

from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiResponse
from rest_framework.request import Request

from casino.api.files import FileRenderer, file_response
from casino.api.openapi.operations import BINARY, operation, problem
from casino.api.problems import Problem, declare_problem
from casino.api.rendering import JsonRenderer
from casino.api.rounds.detail import ROUND, RoundSelectionView
from casino.api.rounds.proofs import not_in_log
from casino.api.rounds.query_params import CUSTOMER
from compliance.exports.replay_links.replay_links import NoBetOfCustomer
from compliance.exports.verification_file import (
    NotReducible,
    PageNotInstalled,
    verification_page,
)
from compliance.trail.log.stored_tree import NotInLog

HTML: Final = "text/html"
NO_PAGE: Final = declare_problem(
    "no-verification-page",
    404,
    _("Verification files are not installed"),
    _("The operator has not installed the page that they are made of."),
)
NOT_REDUCIBLE: Final = declare_problem(
    "not-reducible",
    409,
    _("The round cannot be judged from the bets of one customer"),
    _("Cards of others decide it. Read it without a customer, or ask the operator."),
)


class RoundVerificationFileView(RoundSelectionView):
    """The verification file of a round."""

    renderer_classes = (FileRenderer, JsonRenderer)  # type: ignore[assignment]  # more

    @operation(
        "download_verification_file",
        "Download the verification file of a round",
        {
            (200, HTML): OpenApiResponse(BINARY, "A page that needs no network"),
            **problem(
                409, "The round is not in the signed log yet (Retry-After), or it is archived"
            ),
        },
        [ROUND, CUSTOMER],
    )
    def get(self, _request: Request, round: str) -> HttpResponse:
        """One HTML file: the cards, the judge, the explanations and the proofs.

        With a customer, as with a customer's own token, it has no bets of others. Without one it
        has all of them, with their pseudonyms.
        """
        selection = self.select(round)
        try:
            page = verification_page(selection.row, selection.customer, at=timezone.now())
        except NotInLog:
            raise not_in_log() from None
        except PageNotInstalled:
            raise Problem(NO_PAGE) from None
        except (NoBetOfCustomer, NotReducible):
            raise Problem(NOT_REDUCIBLE) from None
        name = f"verification-{selection.row.reference}.html"
        return file_response(page.encode(), content_type=f"{HTML}; charset=utf-8", name=name)
