"""``/customer-tokens``: short-lived tokens for logged-in customers."""

from datetime import datetime
from typing import cast

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from casino.api.client.shapes.customers import CustomerToken
from casino.api.fields import Body, Integer, Text
from casino.api.openapi.components import component
from casino.api.openapi.operations import operation
from casino.api.views import ApiView
from casino.integrations.issue_key import MOST_MINUTES, issue_customer_token
from casino.integrations.scopes import OF_CUSTOMERS, Scope


class TokenRequest(Body):
    """The customer and the lifetime of a token."""

    customer = Text(help_text="The customer's pseudonym", max_length=200)
    minutes = Integer(min_value=1, max_value=MOST_MINUTES, default=15, help_text="Lifetime")


class CustomerTokensView(ApiView):
    """Customers' own tokens."""

    required_scopes = {"POST": (Scope.CUSTOMERS_READ, *OF_CUSTOMERS)}

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
            token=issued.token,
            customer=form.validated_data["customer"],
            scopes=tuple(issued.key.scopes),
            expires_at=cast("datetime", issued.key.expires_at),  # a constraint of the table
        )
        return Response(answer, status=201)
