"""Disputes in the words of the pages: who may do what, and why not."""

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from payouts.models import DisputeStep
from payouts.pages.cases.words import refusal_words as case_words
from payouts.services.case_steps import CaseRefusal
from payouts.services.decide_dispute import NothingCited, NotImpartial, StillWaiting
from payouts.services.dispute_remedies import NotARemedy, RemedyUnderWay
from payouts.services.dispute_steps import (
    DisputeMoved,
    DisputeRefusal,
    NotAPerson,
    NothingWritten,
    NotInThisState,
)
from payouts.services.end_dispute import NoLetter, ReopenedAlready
from payouts.services.open_dispute import (
    DisputedAlready,
    NoBetOfHis,
    NothingContested,
    NotHisBet,
)
from payouts.services.two_persons import NoReason, NotByTwo
from payouts.templatetags.sabot import moment

LOOK: Final = "payouts.view_dispute"
OPEN: Final = "payouts.open_dispute"
DECIDE: Final = "payouts.decide_dispute"

REFUSALS: Final = (DisputeRefusal, CaseRefusal, NotByTwo, NoReason)
"""Whatever the services of disputes refuse, and those of the cases that they open."""

_REFUSALS: Final[dict[type[Exception], str | Promise]] = {
    NotImpartial: gettext_lazy(
        "Whoever opened the dispute, or opened, proposed or approved a case about its round, does"
        " not decide it."
    ),
    StillWaiting: gettext_lazy("The customer was asked and has time left to answer."),
    NothingCited: gettext_lazy(
        "Mark at least one heading of the rules that the decision rests on."
    ),
    NothingWritten: gettext_lazy("Write what the customer reads."),
    NothingContested: gettext_lazy("Say what is contested, and claim an amount above nothing."),
    NotHisBet: gettext_lazy("The customer has no such bet in this round."),
    NoBetOfHis: gettext_lazy("The customer has no bet in this round."),
    NotAPerson: gettext_lazy("Only a person with an account decides disputes."),
    NotARemedy: gettext_lazy("The remedy lacks something: look at it again."),
    NoLetter: gettext_lazy("Name the reference of the letter."),
    ReopenedAlready: gettext_lazy("It was reopened before; that is done once."),
}


def refusal_words(refusal: Exception) -> str:
    """Why nothing was done."""
    if isinstance(refusal, DisputeMoved):
        return _(
            "%(who)s was faster, on %(when)s: “%(what)s”. Look at it and decide again; nothing was"
            " changed by you."
        ) % {
            "who": refusal.latest.actor,
            "when": moment(refusal.latest.at, "s"),
            "what": DisputeStep.Action(refusal.latest.action).label,
        }
    if isinstance(refusal, NotInThisState):
        state = refusal.state.label
        return _("That cannot be done now. The dispute stands here: %(state)s.") % {"state": state}
    if isinstance(refusal, DisputedAlready):
        return _("%(dispute)s is open about the same.") % {"dispute": refusal.dispute}
    if isinstance(refusal, RemedyUnderWay):
        return _("%(case)s of an earlier decision is open: withdraw it first, or name it.") % {
            "case": refusal.case
        }
    if type(refusal) in _REFUSALS:
        return str(_REFUSALS[type(refusal)])
    return case_words(refusal)
