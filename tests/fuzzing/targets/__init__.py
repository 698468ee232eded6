"""The targets, a module each, with the packages whose branches guide the fuzzer there."""

from typing import Final

TARGETS: Final[dict[str, tuple[str, ...]]] = {
    "api_bodies": ("casino.api", "casino.integrations.webhook_addresses", "rest_framework"),
    "api_requests": ("casino.api", "casino.backoffice.search", "rounds.amounts"),
    "bundles": ("compliance.exports.verify_bundle",),
    "evidence": ("casino.api", "django.http", "payouts.evidence"),
    "feed": ("rounds.feed", "rounds.rules"),
    "keys": ("compliance.signatures", "fido2", "rounds.signatures"),
    "lists": ("casino.backoffice.spreadsheets", "openpyxl", "tablib"),
    "proofs": ("compliance.exports.verify_bundle",),
    "rules": ("rounds.feed", "rounds.replay", "rounds.rules"),
    "settlement": ("payouts.settlement", "rounds.feed", "rounds.replay", "rounds.rules"),
    "signed_bundles": ("compliance.exports.verify_bundle",),
    "uploads": ("casino.api.rounds", "rounds.documents", "rounds.uploads"),
}
