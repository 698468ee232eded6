"""Every address of the API with an example, for tests that cover all of them."""

from typing import Final

from django.urls import URLPattern, URLResolver, get_resolver

from casino.api.views import ApiView

NOWHERE: Final = r"^[\s\S]*$"
"""The address for all paths that no other matches."""

PLACES: Final = {
    "": "",
    "schema": "schema",
    "asyncapi": "asyncapi",
    "schemas/feed": "schemas/feed",
    "problems": "problems",
    "problems/<str:slug>": "problems/refused",
    "keys": "keys",
    "me": "me",
    "customer-tokens": "customer-tokens",
    "customer-tokens/<str:token>": "customer-tokens/{token}",
    "events": "events",
    "events/<uuid:event_id>": "events/{event}",
    "events/<uuid:event_id>/proof": "events/{event}/proof",
    "webhooks": "webhooks",
    "webhooks/<uuid:webhook_id>": "webhooks/{webhook}",
    "webhooks/<uuid:webhook_id>/secrets": "webhooks/{webhook}/secrets",
    "webhooks/<uuid:webhook_id>/resume": "webhooks/{webhook}/resume",
    "webhooks/<uuid:webhook_id>/ping": "webhooks/{webhook}/ping",
    "webhooks/<uuid:webhook_id>/dead-letters": "webhooks/{webhook}/dead-letters",
    "webhooks/<uuid:webhook_id>/dead-letters/resend": "webhooks/{webhook}/dead-letters/resend",
    "webhooks/<uuid:webhook_id>/dead-letters/<int:number>/resend": (
        "webhooks/{webhook}/dead-letters/1/resend"
    ),
    "disputes": "disputes",
    "disputes/<str:dispute>": "disputes/{dispute}",
    "disputes/<str:dispute>/steps": "disputes/{dispute}/steps",
    "disputes/<str:dispute>/proofs/<uuid:record>": "disputes/{dispute}/proofs/{record}",
    "disputes/<str:dispute>/answers": "disputes/{dispute}/answers",
    "disputes/<str:dispute>/escalations": "disputes/{dispute}/escalations",
    "disputes/<str:dispute>/headings": "disputes/{dispute}/headings",
    "disputes/<str:dispute>/proposals": "disputes/{dispute}/proposals",
    "disputes/<str:dispute>/proposals/<int:proposal>": "disputes/{dispute}/proposals/{proposal}",
    "disputes/<str:dispute>/evidence": "disputes/{dispute}/evidence",
    "disputes/<str:dispute>/evidence/<str:sha256>": "disputes/{dispute}/evidence/{evidence}",
    "disputes/<str:dispute>/dossiers": "disputes/{dispute}/dossiers",
    "disputes/<str:dispute>/dossiers/<int:dossier>": "disputes/{dispute}/dossiers/{dossier}",
    "disputes/<str:dispute>/dossiers/<int:dossier>/download": (
        "disputes/{dispute}/dossiers/{dossier}/download"
    ),
    "disputes/<str:dispute>/dossiers/<int:dossier>/<str:file>": (
        "disputes/{dispute}/dossiers/{dossier}/dossier.json"
    ),
    "exports": "exports",
    "exports/<int:export>": "exports/1",
    "exports/<int:export>/download": "exports/1/download",
    "exports/<int:export>/files/<path:file>": "exports/1/files/registers/bets.csv",
    "certificates": "certificates",
    "certificates/<int:certificate>": "certificates/{certificate}",
    "certificates/<int:certificate>/<str:file>": "certificates/{certificate}/certificate.json",
    "rounds": "rounds",
    "jobs": "jobs",
    "jobs/<uuid:job>": "jobs/{job}",
    "jobs/<uuid:job>/results": "jobs/{job}/results",
    "rounds/<str:round>": "rounds/{round}",
    "rounds/<str:round>/bets": "rounds/{round}/bets",
    "rounds/<str:round>/timeline": "rounds/{round}/timeline",
    "rounds/<str:round>/receipt": "rounds/{round}/receipt",
    "rounds/<str:round>/verification-file": "rounds/{round}/verification-file",
    "customers/<str:pseudonym>/history": "customers/{customer}/history",
    "customers/<str:pseudonym>/history/<str:day>": "customers/{customer}/history/2026-11-21",
    "customers/<str:pseudonym>/history/<str:day>/totals": (
        "customers/{customer}/history/2026-11-21/totals"
    ),
}
"""By the pattern of each address one that is filled in; names in braces are of what was made."""


def views() -> dict[str, type[ApiView]]:
    """Every view by the pattern of its address, whichever package it comes from."""
    parts = [
        pattern for pattern in get_resolver().url_patterns if str(pattern.pattern) == "api/v1/"
    ]
    inside = [
        pattern for part in parts if isinstance(part, URLResolver) for pattern in part.url_patterns
    ]
    views_by_pattern = {
        str(pattern.pattern): getattr(pattern.callback, "view_class", None)
        for pattern in inside
        if isinstance(pattern, URLPattern)
    }
    return {pattern: view for pattern, view in views_by_pattern.items() if view is not None}
