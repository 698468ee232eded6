"""URLs of API keys and webhooks."""

from typing import Final

from django.urls import URLPattern, path
from django.views.decorators.http import require_POST

from casino.backoffice.integrations import keys, webhooks
from casino.backoffice.security.step_up import step_up
from casino.backoffice.site.views import page

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
    path("webhooks/", page(webhooks.show_webhooks, permission=keys.LOOK), name="webhooks"),
    path(
        "webhooks/<uuid:webhook_id>/",
        page(webhooks.show_webhook, permission=keys.LOOK),
        name="webhook",
    ),
    path(
        "webhooks/<uuid:webhook_id>/dead-letters/<int:number>/resend/",
        require_POST(page(step_up(webhooks.resend), permission=keys.MANAGE)),
        name="resend_dead_letter",
    ),
    path(
        "webhooks/<uuid:webhook_id>/ping/",
        require_POST(page(step_up(webhooks.ping), permission=keys.MANAGE)),
        name="ping_webhook",
    ),
    path(
        "webhooks/<uuid:webhook_id>/resume/",
        require_POST(page(step_up(webhooks.resume), permission=keys.MANAGE)),
        name="resume_webhook",
    ),
]
