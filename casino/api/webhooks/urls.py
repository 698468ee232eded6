"""Addresses of webhooks in the API."""

from typing import Final

from django.urls import URLPattern, path

from casino.api.webhooks import dead_letters, views

_ONE: Final = "webhooks/<uuid:webhook_id>"
_LETTERS: Final = f"{_ONE}/dead-letters"

urlpatterns: Final[list[URLPattern]] = [
    path("webhooks", views.WebhooksView.as_view(), name="api_webhooks"),
    path(_ONE, views.WebhookView.as_view(), name="api_webhook"),
    path(f"{_ONE}/secrets", views.WebhookSecretsView.as_view(), name="api_webhook_secrets"),
    path(f"{_ONE}/resume", views.WebhookResumeView.as_view(), name="api_webhook_resume"),
    path(f"{_ONE}/ping", dead_letters.PingView.as_view(), name="api_webhook_ping"),
    path(_LETTERS, dead_letters.DeadLettersView.as_view(), name="api_dead_letters"),
    path(
        f"{_LETTERS}/resend",
        dead_letters.ResendAllView.as_view(),
        name="api_dead_letters_resend",
    ),
    path(
        f"{_LETTERS}/<int:number>/resend",
        dead_letters.ResendView.as_view(),
        name="api_dead_letter_resend",
    ),
]
