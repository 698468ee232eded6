"""The audit actions that this package records, with their labels."""

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

ACTIONS: Final[dict[str, str | Promise]] = {
    "ROUND_RECEIVED": gettext_lazy("Received"),
    "ROUND_HELD": gettext_lazy("Held"),
    "ROUND_REFUSED": gettext_lazy("Not settled: rules differ or are not signed"),
    "ROUND_CONFLICTED": gettext_lazy("Conflicting document"),
    "SHOE_OPENED": gettext_lazy("Shoe opened"),
    "DOCUMENT_QUARANTINED": gettext_lazy("Document quarantined"),
    "TABLE_REGISTERED": gettext_lazy("Table registered"),
    "FEED_UPLOADED": gettext_lazy("Feed uploaded"),
    "FEED_INGESTED": gettext_lazy("Uploaded feed ingested"),
    "FEED_CANCELLED": gettext_lazy("Uploaded feed cancelled"),
    "TABLE_CHANGED": gettext_lazy("Table changed"),
    "TABLE_SUSPENDED": gettext_lazy("Table suspended"),
    "TABLE_RESUMED": gettext_lazy("Table resumed"),
    "LIMITS_DECIDED": gettext_lazy("Stake limits set"),
    "STUDIO_KEY_PROPOSED": gettext_lazy("Studio key proposed"),
    "STUDIO_KEY_APPROVED": gettext_lazy("Studio key approved"),
    "STUDIO_KEY_REVOKED": gettext_lazy("Studio key revoked or rejected"),
    "SIGNATURES_REQUIRED": gettext_lazy("Signatures required"),
    "UNSIGNED_ROUNDS_PROPOSED": gettext_lazy("Unsigned rounds proposed"),
    "UNSIGNED_ROUNDS_ALLOWED": gettext_lazy("Unsigned rounds allowed"),
    "ROUND_VIDEO_ADDED": gettext_lazy("Video reference added"),
    "RULES_PUT_IN_FORCE": gettext_lazy("Rule set put in force"),
    "RULES_SIGNED": gettext_lazy("Rule set signed"),
}

ANNOUNCED: Final[Mapping[str, str]] = {
    "ROUND_HELD": "round",
    "ROUND_CONFLICTED": "exception",
    "DOCUMENT_QUARANTINED": "exception",
    "FEED_UPLOADED": "feed",
    "FEED_INGESTED": "feed",
    "FEED_CANCELLED": "feed",
    "TABLE_SUSPENDED": "table",
    "TABLE_RESUMED": "table",
}
"""Records that open pages learn of: the kind of topic by the kind of subject or the action."""
