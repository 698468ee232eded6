"""Cases in the words of the pages: who may do what, and why not."""

from typing import Final

from django.contrib.auth.models import User
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from payouts.cases.standing import Stage
from payouts.models import CaseStep
from payouts.services.case_steps import CaseMoved, NotAtThisStage, NotNamed
from payouts.services.decide_case import CreditChanged, NothingFromTheRegulator
from payouts.services.open_case import NotEvidence, NothingSaid, ReasonNotInUse
from payouts.services.propose_case import (
    CannotBeDecided,
    EffectChanged,
    NotHeld,
    NotItsRemedy,
)
from payouts.services.two_persons import NoReason, NotByTwo
from payouts.templatetags.sabot import moment
from rounds.rules.anomalies import ANOMALIES

PROPOSE: Final = "payouts.propose_decision"
APPROVE: Final = "payouts.approve_decision"
LOOK: Final = "payouts.view_case"

_REFUSALS: Final[dict[type[Exception], str | Promise]] = {
    NotByTwo: gettext_lazy(
        "Whoever opened the case or proposed cannot decide about it: a second person has to."
    ),
    NoReason: gettext_lazy("Say why: it is kept with the decision."),
    NotNamed: gettext_lazy("Only a person with an account decides about money."),
    CreditChanged: gettext_lazy("Another amount was proposed meanwhile. Look again."),
    NotHeld: gettext_lazy(
        "The round is not held any more. Correct it, report a malfunction or give bets back."
    ),
    NotItsRemedy: gettext_lazy("A case of this kind cannot decide that."),
    NothingFromTheRegulator: gettext_lazy("Name the reference of the letter."),
    ReasonNotInUse: gettext_lazy("This reason is not in use any more. Choose another."),
    NothingSaid: gettext_lazy("Say what happened, and to which rounds."),
    EffectChanged: gettext_lazy(
        "The effect has changed since it was shown: somebody settled one of the rounds. Look at it"
        " again; nothing was decided."
    ),
}


def refusal_words(refusal: Exception) -> str:
    """Why nothing was done."""
    if isinstance(refusal, CaseMoved):
        return _(
            "%(who)s was faster, on %(when)s: “%(what)s”. Look at it and decide again; nothing was"
            " changed by you."
        ) % {
            "who": refusal.latest.actor,
            "when": moment(refusal.latest.at, "s"),
            "what": CaseStep.Action(refusal.latest.action).label,
        }
    if isinstance(refusal, NotAtThisStage):
        stage = refusal.stage.label
        return _("That cannot be done now. The case stands here: %(stage)s.") % {"stage": stage}
    if isinstance(refusal, NotEvidence):
        return _(
            "%(file)s is no evidence that everybody can open: a PDF, PNG or JPEG of up to 10 MB."
        ) % {"file": refusal.name}
    if isinstance(refusal, CannotBeDecided):
        return cannot_words(refusal)
    return str(_REFUSALS[type(refusal)])


def cannot_words(refusal: CannotBeDecided) -> str:
    """Which rounds stand in the way."""
    if not refusal.effect.obstacles:
        return _("No bet would be paid otherwise than it was: there is nothing to decide.")
    first = refusal.effect.obstacles[0]
    if first.waits:
        why = _("it still waits for a worker; try again in a moment")
    else:
        why = " ".join(_(ANOMALIES[code]) for code in first.anomalies) or _(
            "the code that runs has other rules than those it was played under"
        )
    return _("Round %(round)s cannot be settled so: %(why)s") % {
        "round": first.reference,
        "why": why,
    }


def why_not_approve(person: User, steps: list[CaseStep], stage: Stage) -> str:
    """Why this person may not approve or reject now; empty where they may."""
    if not person.has_perm(APPROVE):
        return _("Supervisor, payments and compliance decide about money.")
    if stage is Stage.TO_REFER or stage is Stage.AT_REGULATOR:
        return _("The regulator decides first.")
    involved = [step for step in steps if step.action in {"opened", "proposed"}]
    if any(step.actor_user_id == person.pk for step in involved):
        return _("You opened the case or proposed this: a second person has to decide.")
    return ""
