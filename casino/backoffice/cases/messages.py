"""Messages and permissions of cases."""

from typing import Final

from django.contrib.auth.models import User
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.backoffice.site.actions import step_message
from compliance.trail.steps import PersonRequired, StaleState, WrongStatus
from payouts.cases.decide_case import ApproverUploadedRound, CreditChanged
from payouts.cases.halt_cases import ResumptionChanged
from payouts.cases.models import CaseStep
from payouts.cases.open_case import CaseContentMissing, ReasonNotInUse
from payouts.cases.propose_case import (
    EffectChanged,
    InvalidCaseRemedy,
    RoundNotHeld,
    RoundsNotDecidable,
)
from payouts.cases.release_upload import NoRoundsToRelease
from payouts.cases.status import Stage
from payouts.evidence import InfectedFile, InvalidEvidence
from payouts.regulator_letters import LetterReferenceMissing
from payouts.settlement.four_eyes import FourEyesRequired, ReasonRequired
from payouts.virus_scan import ScanFailed
from rounds.rules.anomalies import ANOMALIES

PROPOSE: Final = "payouts.propose_decision"
APPROVE: Final = "payouts.approve_decision"
LOOK: Final = "payouts.view_case"

_ERROR_MESSAGES: Final[dict[type[Exception], str | Promise]] = {
    FourEyesRequired: gettext_lazy(
        "The person who opened the case or proposed the remedy cannot decide. A second"
        " person must decide."
    ),
    ApproverUploadedRound: gettext_lazy(
        "You uploaded rounds of this case manually. Another person must approve."
    ),
    NoRoundsToRelease: gettext_lazy(
        "No rounds of this file can be released together. The remaining rounds are already"
        " part of a case, or are held for other reasons and need individual decisions."
    ),
    ReasonRequired: gettext_lazy("Enter a reason. It is stored with the decision."),
    ScanFailed: gettext_lazy(
        "The virus scanner does not answer. The file was not stored: try again later."
    ),
    PersonRequired: gettext_lazy("Only a user account can decide about money."),
    ResumptionChanged: gettext_lazy(
        "Somebody else has decided in the meantime. Review it again. Nothing was recorded."
    ),
    CreditChanged: gettext_lazy("The proposed amount has changed. Review it again."),
    RoundNotHeld: gettext_lazy(
        "The round is no longer held. Correct it, report a malfunction or refund bets."
    ),
    InvalidCaseRemedy: gettext_lazy("This remedy is not available for this type of case."),
    LetterReferenceMissing: gettext_lazy("Enter the reference of the letter."),
    ReasonNotInUse: gettext_lazy("This reason is no longer in use. Choose another one."),
    CaseContentMissing: gettext_lazy("Describe what happened and which rounds are affected."),
    EffectChanged: gettext_lazy(
        "The effect has changed since you viewed it, because one of the rounds was settled."
        " Review it again. No decision was recorded."
    ),
}


def error_message(error: Exception) -> str:
    """The message for an error of the services."""
    if isinstance(error, StaleState):
        text = _(
            "%(who)s changed this case on %(when)s: “%(what)s”. Review it and decide again."
            " Your change was not saved."
        )
        return step_message(error, text)
    if isinstance(error, WrongStatus):
        stage = error.status.label
        return _("This action is not available now. Case status: %(stage)s.") % {"stage": stage}
    if isinstance(error, InvalidEvidence):
        return evidence_message(error)
    if isinstance(error, RoundsNotDecidable):
        return undecidable_message(error)
    return str(_ERROR_MESSAGES[type(error)])


def evidence_message(error: InvalidEvidence) -> str:
    """Why a file was not stored."""
    if isinstance(error, InfectedFile):
        text = _("%(file)s was not stored: the virus scanner found %(virus)s.")
        return text % {"file": error.name, "virus": error.found}
    return _(
        "%(file)s is not accepted. Upload a PDF, PNG or JPEG file of up to 10 MB whose name ends"
        " accordingly."
    ) % {"file": error.name}


def undecidable_message(error: RoundsNotDecidable) -> str:
    """Which rounds prevent the decision."""
    if not error.effect.obstacles:
        return _("No payout would change, so there is nothing to decide.")
    first = error.effect.obstacles[0]
    if first.waits:
        why = _("It is still awaiting settlement. Try again in a moment.")
    else:
        why = " ".join(_(ANOMALIES[code]) for code in first.anomalies) or _(
            "It was played under rules that the running software version does not include."
        )
    return _("Round %(round)s cannot be settled this way: %(why)s") % {
        "round": first.reference,
        "why": why,
    }


def why_not_approve(
    person: User, steps: list[CaseStep], stage: Stage, *, has_uploaded: bool = False
) -> str:
    """Why the user may not approve or reject now; empty if they may."""
    if not person.has_perm(APPROVE):
        return _("Only supervisors, payments and compliance can decide about money.")
    if stage is Stage.TO_REFER or stage is Stage.AT_REGULATOR:
        return _("The regulator must decide first.")
    involved = [step for step in steps if step.action in {"opened", "proposed"}]
    if any(step.actor_user_id == person.pk for step in involved):
        return _("You opened this case or made the proposal. A second person must decide.")
    if has_uploaded:
        return str(_ERROR_MESSAGES[ApproverUploadedRound])
    return ""
