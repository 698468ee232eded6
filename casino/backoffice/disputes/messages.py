"""Messages and permissions of disputes."""

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.backoffice.cases.messages import error_message as case_error_message
from casino.backoffice.site.actions import step_message
from compliance.trail.steps import PersonRequired, StaleState, StepError, WrongStatus
from payouts.disputes.close_dispute import AlreadyReopened
from payouts.disputes.decide_dispute import AwaitingCustomer, DeciderInvolved, InvalidCitations
from payouts.disputes.execute_remedy import InvalidDisputeRemedy, LossNotAccepted, RemedyInProgress
from payouts.disputes.open_dispute import (
    BetOfOtherCustomer,
    DisputeContentMissing,
    DuplicateDispute,
    NoBetInRound,
)
from payouts.disputes.steps import NoteRequired
from payouts.regulator_letters import LetterReferenceMissing
from rounds.formatting import euro

LOOK: Final = "payouts.view_dispute"
OPEN: Final = "payouts.open_dispute"
DECIDE: Final = "payouts.decide_dispute"

ERRORS: Final = (StepError,)
"""Errors of the dispute services and of the case services they call."""

_ERROR_MESSAGES: Final[dict[type[Exception], str | Promise]] = {
    DeciderInvolved: gettext_lazy(
        "You opened the dispute, or you opened, proposed or approved a case about its"
        " round. Another person must decide."
    ),
    AwaitingCustomer: gettext_lazy("The customer was asked a question and can still answer."),
    InvalidCitations: gettext_lazy(
        "Select at least one section of the rules that supports the decision."
    ),
    NoteRequired: gettext_lazy("Enter the text for the customer."),
    DisputeContentMissing: gettext_lazy(
        "Enter the reason for the dispute and an amount greater than zero."
    ),
    BetOfOtherCustomer: gettext_lazy("The customer does not have this bet in this round."),
    NoBetInRound: gettext_lazy("The customer has no bet in this round."),
    PersonRequired: gettext_lazy("Only a user account can decide disputes."),
    InvalidDisputeRemedy: gettext_lazy("The remedy is incomplete. Review it again."),
    LetterReferenceMissing: gettext_lazy("Enter the reference of the letter."),
    AlreadyReopened: gettext_lazy(
        "The dispute was already reopened once. It cannot be reopened again."
    ),
}


def error_message(error: Exception) -> str:
    """The message for an error of the services."""
    if isinstance(error, StaleState):
        text = _(
            "%(who)s changed this dispute on %(when)s: “%(what)s”. Review it and decide again."
            " Your change was not saved."
        )
        return step_message(error, text)
    if isinstance(error, WrongStatus):
        state = error.status.label
        return _("This action is not available now. Dispute status: %(state)s.") % {"state": state}
    if isinstance(error, DuplicateDispute):
        return _("%(dispute)s is already open for the same bet.") % {"dispute": error.dispute}
    if isinstance(error, RemedyInProgress):
        return _(
            "%(case)s from an earlier decision is still open. Withdraw it first, or select"
            " it as the remedy."
        ) % {"case": error.case}
    if type(error) in _ERROR_MESSAGES:
        return str(_ERROR_MESSAGES[type(error)])
    return _loss_message(error) if isinstance(error, LossNotAccepted) else case_error_message(error)


def _loss_message(error: LossNotAccepted) -> str:
    return _(
        "This remedy debits the customer who raised the dispute by %(amount)s. Review the"
        " effect and confirm the amount. No decision was recorded."
    ) % {"amount": euro(error.loss_cents)}
