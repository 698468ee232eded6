"""``/me``: the key that calls."""

from django.conf import settings
from rest_framework.request import Request
from rest_framework.response import Response

from casino.api.client.shapes.about import CallingKey
from casino.api.openapi.components import component
from casino.api.openapi.operations import operation
from casino.api.views import ApiView
from casino.integrations.scopes import Open


class MeView(ApiView):
    """The key that calls."""

    required_scopes = {"GET": Open.TO_KEYS}

    @operation("read_me", "Read the key that calls", component(CallingKey), tag="about")
    def get(self, _request: Request) -> Response:
        """Its scopes and limits: what the calls of this token may do, and until when."""
        key = self.caller.key
        return Response(
            CallingKey(
                handle=key.handle,
                kind=key.kind,
                owner=key.owner,
                sandbox=settings.SANDBOX,
                scopes=tuple(key.scopes),
                tables=tuple(key.tables),
                customer=key.customer,
                calls_per_minute=key.calls_per_minute,
                issued_at=key.issued_at,
                expires_at=key.expires_at,
            )
        )
