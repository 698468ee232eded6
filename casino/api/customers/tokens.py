"""``/customer-tokens``: short-lived tokens for logged-in customers."""

from datetime import datetime
from typing import Final, cast

from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework.request import Request
from rest_framework.response import Response

from casino.api import problems
from casino.api.client.shapes.customers import CustomerToken
from casino.api.fields import Body, Integer, Text
from casino.api.openapi.components import component
from casino.api.openapi.operations import operation
from casino.api.problems import FieldError, Problem
from casino.api.views import ApiView
from casino.integrations.issue_key import MOST_MINUTES, issue_customer_token
from casino.integrations.models import ApiKey
from casino.integrations.revoke_key import revoke_customer_token
from casino.integrations.scopes import OF_CUSTOMERS, Scope

_SCOPES: Final = (Scope.CUSTOMERS_READ, *OF_CUSTOMERS)


class TokenRequest(Body):
    """The customer and the lifetime of a token."""

    customer = Text(help_text="The customer's pseudonym", max_length=200)
    minutes = Integer(min_value=1, max_value=MOST_MINUTES, default=15, help_text="Lifetime")


class CustomerTokensView(ApiView):
    """Customers' own tokens."""

    required_scopes = {"POST": _SCOPES}

    @operation(
        "issue_customer_token",
        "Issue a customer's own token",
        {201: component(CustomerToken)},
        request=TokenRequest,
        tag="customers",
    )
    def post(self, request: Request) -> Response:
        """Issues a token with which a customer reads and disputes their own rounds.

        For the customer's own browser or phone: short-lived, shown only once.
        """
        form = TokenRequest(data=request.data)
        form.is_valid(raise_exception=True)
        issued = issue_customer_token(
            customer=form.validated_data["customer"],
            minutes=form.validated_data["minutes"],
            issuer=self.caller.key,
            at=timezone.now(),
            actor=self.caller.actor,
        )
        answer = CustomerToken(
            id=issued.key.handle,
            token=issued.token,
            customer=form.validated_data["customer"],
            scopes=tuple(issued.key.scopes),
            expires_at=cast("datetime", issued.key.expires_at),  # a constraint of the table
        )
        return Response(answer, status=201)


class CustomerTokenView(ApiView):
    """One customer's own token."""

    required_scopes = {"DELETE": _SCOPES}

    @operation(
        "revoke_customer_token",
        "Revoke a customer's own token",
        {204: OpenApiResponse(description="Revoked")},
        [OpenApiParameter("token", str, "path", description="Its `id`, not the token itself")],
        tag="customers",
    )
    def delete(self, _request: Request, token: str) -> Response:
        """Refuses the token from the next call on, for example when the customer logs out.

        Only the key that issued it may do so. Revoking it again changes nothing.
        """
        caller, at = self.caller, timezone.now()
        try:
            revoke_customer_token(handle=token, issuer=caller.key, at=at, actor=caller.actor)
        except ApiKey.DoesNotExist:
            error = FieldError("path:token", token, _("the id of a token that this key issued"))
            raise Problem(problems.NOT_FOUND, errors=[error]) from None
        return Response(status=204)
