"""Messages, labels and permissions of exports."""

from django.utils.translation import gettext as _

from casino.backoffice.cases.messages import error_message as case_error_message
from compliance.exports.models import Bundle, BundleStep
from compliance.exports.scope import DaysDetached, Scope
from compliance.exports.services.bundle_steps import AlreadySigned, BundleSuperseded, MissingText
from compliance.exports.services.require_two_signatures import UnsignedBundle
from compliance.trail.steps import StaleState, StepError, WrongStatus
from payouts.evidence import InvalidEvidence
from payouts.virus_scan import ScanFailed
from rounds.formatting import short_day

LOOK = "exports.view_bundle"
"""Permission to view and download bundles and reports."""
ASK = "exports.ask_export"
"""Permission to request exports."""
SIGN = "exports.sign_bundle"
"""Permission to sign a bundle or set it aside."""
HAND_IN = "exports.hand_in_bundle"
"""Permission to record deliveries and the regulator's answers."""


def days_label(scope: Scope) -> str:
    """The day, or the first and the last day."""
    first, last = (short_day(day) for day in (scope.first_day, scope.last_day))
    return first if scope.first_day == scope.last_day else f"{first} \N{EN DASH} {last}"


def filter_label(scope: Scope) -> list[str]:
    """The filters of a scope; empty without filters."""
    return [value for value in (scope.game, scope.rules, scope.table, scope.customer) if value]


def error_message(error: Exception) -> str:
    """The message for an error of the services."""
    match error:
        case StaleState():
            message = _("%(who)s updated this bundle: %(what)s. Review it and decide again.") % {
                "who": error.latest.actor,
                "what": BundleStep.Action(error.latest.action).label,
            }
        case BundleSuperseded():
            message = _(
                "This bundle was superseded by bundle %(number)s. Sign and send that one."
            ) % {"number": f"{error.successor:06}"}
        case AlreadySigned():
            message = _("You have already signed. Another person must add the second signature.")
        case UnsignedBundle():
            message = _(
                "This bundle does not have valid signatures of two persons. It was not sent. "
                "Inform compliance."
            )
        case DaysDetached():
            message = _(
                "Rounds of these days are in the archive: %(months)s. Choose other days, or have"
                " the month restored."
            ) % {"months": error.months}
        case WrongStatus():
            message = _("The status of the bundle has changed. This action is no longer available.")
        case MissingText():
            message = _("Enter a reason and, for letters, a reference.")
        case InvalidEvidence() | ScanFailed():
            message = case_error_message(error)
        case StepError():
            message = _("This action failed: %(why)s.") % {"why": error}
        case _:
            message = str(error)
    return message


def bundle_label(bundle: Bundle) -> str:
    """The contents of a bundle and its filters."""
    return " · ".join([bundle.get_contents_display(), *filter_label(bundle.scope)])
