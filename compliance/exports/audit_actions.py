"""The audit actions that this package records, with their labels."""

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

ACTIONS: Final[dict[str, str | Promise]] = {
    "DAY_EXPORTED": gettext_lazy("Day exported"),
    "EXTRACT_EXPORTED": gettext_lazy("Extract exported"),
    "EXPORT_ASKED": gettext_lazy("Export requested"),
    "BUNDLE_SIGNED": gettext_lazy("Bundle signed"),
    "BUNDLE_SET_ASIDE": gettext_lazy("Bundle set aside"),
    "BUNDLE_SENT": gettext_lazy("Bundle sent to the regulator"),
    "BUNDLE_RECEIVED": gettext_lazy("Bundle acknowledged by the regulator"),
    "BUNDLE_REFUSED": gettext_lazy("Bundle refused by the regulator"),
    "BUNDLE_DOWNLOADED": gettext_lazy("Bundle downloaded"),
    "DOSSIER_ISSUED": gettext_lazy("Dossier issued"),
    "DOSSIER_SIGNED": gettext_lazy("Dossier signed"),
    "DOSSIER_DOWNLOADED": gettext_lazy("Dossier downloaded"),
    "CERTIFICATE_ASKED": gettext_lazy("Certificate requested"),
    "CERTIFICATE_ISSUED": gettext_lazy("Certificate issued"),
    "REPLAY_LINK_MADE": gettext_lazy("Replay link made"),
    "VERIFICATION_FILE_MADE": gettext_lazy("Verification file made"),
    "REPLAY_LINK_REVOKED": gettext_lazy("Replay link revoked"),
    "TAX_RATE_SET": gettext_lazy("Tax rate set"),
}

ANNOUNCED: Final[Mapping[str, str]] = {
    "bundle": "bundle",
    "export": "bundle",
    "DAY_EXPORTED": "bundle",
}
"""Records that open pages learn of: the kind of topic by the kind of subject or the action."""
