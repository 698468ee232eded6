"""Addresses of the pages of keys."""

from typing import Final

from django.urls import URLPattern, path
from django.views.decorators.http import require_POST

from payouts.api.pages import keys
from payouts.pages.own_pages import page

urlpatterns: Final[list[URLPattern]] = [
    path("keys/", page(keys.show_keys, permission=keys.LOOK), name="api_keys"),
    path("keys/new/", page(keys.issue, permission=keys.MANAGE), name="issue_key"),
    path("keys/<int:pk>/", page(keys.show_key, permission=keys.LOOK), name="api_key"),
    path(
        "keys/<int:pk>/rotate/",
        require_POST(page(keys.rotate, permission=keys.MANAGE)),
        name="rotate_key",
    ),
    path(
        "keys/<int:pk>/revoke/",
        require_POST(page(keys.revoke, permission=keys.MANAGE)),
        name="revoke_key",
    ),
]
