"""A customer's own token, which customer service hands to whoever has logged in with it."""

from typing import Any, Final

from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from payouts.api.fields import Body, Moment, Text, Whole
from payouts.api.scopes import OF_CUSTOMERS, Scope
from payouts.api.services.issue_key import MOST_MINUTES, issue_customer_token
from payouts.api.tokens import EXAMPLE
from payouts.api.views import ApiView

_CUSTOMER: Final = "p-8731"


class AskedToken(Body):
    """Whose token, and for how long."""

    customer = Text(help_text="The customer's pseudonym", max_length=200)
    minutes = Whole(min_value=1, max_value=MOST_MINUTES, default=15, help_text="How long it works")


class CustomerToken(serializers.Serializer[Any]):
    """A token, told this once."""

    token = serializers.CharField()
    customer = serializers.CharField()
    scopes = serializers.ListField(child=serializers.ChoiceField(Scope.values))
    expires_at = Moment()


class CustomerTokensView(ApiView):
    """Customers' own tokens."""

    needs = {"POST": (Scope.CUSTOMERS_READ, *OF_CUSTOMERS)}

    @extend_schema(
        operation_id="issue_customer_token",
        tags=["customers"],
        summary="A customer's own token",
        request=AskedToken,
        responses={201: CustomerToken},
        examples=[
            OpenApiExample(
                "asked", value={"customer": _CUSTOMER, "minutes": 15}, request_only=True
            ),
            OpenApiExample(
                "issued",
                value={
                    "token": EXAMPLE,
                    "customer": _CUSTOMER,
                    "scopes": [one.value for one in OF_CUSTOMERS],
                    "expires_at": "2026-11-21T22:15:00Z",
                },
                response_only=True,
            ),
        ],
    )
    def post(self, request: Request) -> Response:
        """Issues a token with which a customer reads his own rounds and disputes them.

        For the customer's own browser or telephone: short-lived, told this once.
        """
        form = AskedToken(data=request.data)
        form.is_valid(raise_exception=True)
        issued = issue_customer_token(
            customer=form.validated_data["customer"],
            minutes=form.validated_data["minutes"],
            issuer=self.caller.key,
            at=timezone.now(),
            actor=self.caller.actor,
        )
        told = {
            "token": issued.token,
            "customer": issued.key.customer,
            "scopes": issued.key.scopes,
            "expires_at": issued.key.expires_at,
        }
        return Response(CustomerToken(told).data, status=201)
