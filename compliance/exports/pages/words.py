"""Scopes, and why something cannot be done about a bundle, in words."""

from django.utils import formats
from django.utils.translation import gettext as _

from compliance.exports.models import BundleStep
from compliance.exports.scope import Scope
from compliance.exports.services.bundle_steps import (
    BundleElsewhere,
    BundleMoved,
    BundleRefusal,
    BundleSuperseded,
    NothingSaid,
    SignedAlready,
)
from payouts.services.open_case import NotEvidence

LOOK = "exports.view_bundle"
"""The permission to see bundles and reports, and to download them."""
ASK = "exports.ask_export"
"""The permission to ask for exports."""
SIGN = "exports.sign_bundle"
"""The permission to sign a bundle, or to set it aside."""
HAND_IN = "exports.hand_in_bundle"
"""The permission to say what was sent and what the regulator answered."""


def days_words(of: Scope) -> str:
    """Its day, or its first and its last."""
    first, last = (formats.date_format(day, "j M Y") for day in (of.first_day, of.last_day))
    return first if of.first_day == of.last_day else f"{first} \N{EN DASH} {last}"


def filter_words(of: Scope) -> list[str]:
    """What of the days; nothing where it is everything."""
    return [one for one in (of.game, of.rules, of.table, of.customer) if one]


def refusal_words(refusal: Exception) -> str:
    """Why nothing was done."""
    match refusal:
        case BundleMoved():
            told = _("Meanwhile %(who)s acted on it: %(what)s. Look again, then decide.") % {
                "who": refusal.latest.actor,
                "what": BundleStep.Action(refusal.latest.action).label,
            }
        case BundleSuperseded():
            told = _("Bundle %(number)s took its place: that one is to be signed and sent.") % {
                "number": f"{refusal.successor:06}"
            }
        case SignedAlready():
            told = _("You have signed it already. The second signature is another person's.")
        case BundleElsewhere():
            told = _("The bundle stands elsewhere by now; this cannot be done any more.")
        case NothingSaid():
            told = _("Say why, and where a letter is meant, its reference.")
        case NotEvidence():
            told = _("%(file)s is no PDF, PNG or JPEG up to 10 MB.") % {"file": refusal.name}
        case BundleRefusal():
            told = _("This cannot be done: %(why)s.") % {"why": refusal}
        case _:
            told = str(refusal)
    return told
