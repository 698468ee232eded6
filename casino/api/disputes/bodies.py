"""Request bodies of the dispute operations."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from casino.api.fields import Body, Choice, Day, Integer, Text
from payouts.disputes.models import Dispute, VerdictProposal
from payouts.disputes.remedies import Way

MOST_TEXT: Final = 4_000
_MOST_NUMBER: Final = 2**31 - 1
_MOST_CENTS: Final = 10**12
_LONGEST_NAME: Final = 200


class DisputeRequest(Body):
    """A new dispute."""

    round = Text(max_length=_LONGEST_NAME, help_text="Sabot's id of the round, or the studio's")
    bet_number = Integer(
        min_value=0,
        max_value=_MOST_NUMBER,
        required=False,
        allow_null=True,
        help_text="The index of the bet in the feed's list, from 0. Without this and `bet`, all"
        " bets of the customer in the round are disputed",
    )
    bet = Text(
        max_length=_LONGEST_NAME,
        required=False,
        allow_null=True,
        help_text="The studio's id of the bet, instead of `bet_number`",
    )
    customer = Text(
        max_length=_LONGEST_NAME,
        required=False,
        help_text="The customer's pseudonym; optional with a customer's own token",
    )
    reason = Choice(Dispute.Reason.values, help_text="The alleged error")
    claimed_cents = Integer(
        min_value=1,
        max_value=_MOST_CENTS,
        required=False,
        allow_null=True,
        help_text="The claimed amount, if any",
    )
    text = Text(max_length=MOST_TEXT, help_text="The customer's statement")
    language = Choice(
        Dispute.Language.values,
        default=Dispute.Language.ITALIAN.value,
        help_text="The language of the decision",
    )


class AnswerRequest(Body):
    """The customer's answer to the open question."""

    text = Text(max_length=MOST_TEXT)


class EscalationRequest(Body):
    """The letter with which the customer escalates to the external body."""

    reference = Text(max_length=100, help_text="Reference of the letter")
    on_day = Day(help_text="The day of the letter")
    text = Text(max_length=MOST_TEXT, required=False, allow_blank=True, default="")


class HeadingRequest(Body):
    """A heading of a rule sheet."""

    sheet = Text(max_length=20, help_text="Key of the sheet, such as BAC")
    heading = Text(max_length=_LONGEST_NAME)


class ProposalRequest(Body):
    """A proposed decision."""

    verdict = Choice(VerdictProposal.Verdict.values)
    text = Text(max_length=MOST_TEXT, help_text="The reasons, addressed to the customer")
    citations = HeadingRequest(
        many=True,
        error_messages={"not_a_list": _("a list")},
        help_text="The cited headings, at least one",
    )
    way = Choice(
        Way.values,
        required=False,
        allow_null=True,
        default=None,
        help_text="The remedy, unless it is rejected",
    )
    remedy_words = Text(
        max_length=MOST_TEXT,
        required=False,
        allow_blank=True,
        default="",
        help_text="A note on the remedy for the person who decides",
    )
    accepted_loss_cents = Integer(
        min_value=0,
        max_value=_MOST_CENTS,
        required=False,
        default=0,
        help_text="What the remedy costs the customer. A proposal with another amount is invalid,"
        " and the problem names the amount: for `refund` that of the disputed bets, for `resettle`"
        " that of the most expensive remedy",
    )
