"""What programs send about disputes."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from payouts.api.fields import Body, Choice, Day, Text, Whole
from payouts.disputes.remedies import Way
from payouts.models import Dispute, VerdictProposal

MOST_TEXT: Final = 4_000
_MOST_NUMBER: Final = 2**31 - 1
_MOST_CENTS: Final = 10**12
_LONGEST_NAME: Final = 200


class AskedDispute(Body):
    """What a customer contests."""

    round = Text(max_length=_LONGEST_NAME, help_text="Sabot's id of the round, or the studio's")
    bet_number = Whole(
        min_value=0,
        max_value=_MOST_NUMBER,
        required=False,
        allow_null=True,
        help_text="The bet's place in the feed's list, from 0; neither this nor `bet`: all of"
        " the customer's bets in the round",
    )
    bet = Text(
        max_length=_LONGEST_NAME,
        required=False,
        allow_null=True,
        help_text="The same by the studio's id of the bet",
    )
    customer = Text(
        max_length=_LONGEST_NAME,
        required=False,
        help_text="The customer's pseudonym. A customer's own token may leave it out",
    )
    reason = Choice(Dispute.Reason.values, help_text="What is said to be wrong")
    claimed_cents = Whole(
        min_value=1,
        max_value=_MOST_CENTS,
        required=False,
        allow_null=True,
        help_text="What the customer wants, where he names an amount",
    )
    text = Text(max_length=MOST_TEXT, help_text="What the customer says")
    language = Choice(
        Dispute.Language.values,
        default=Dispute.Language.ITALIAN.value,
        help_text="In which the customer is answered",
    )


class AskedAnswer(Body):
    """What the customer answers to what he was asked."""

    text = Text(max_length=MOST_TEXT)


class AskedEscalation(Body):
    """The letter by which the customer goes to the outside body."""

    reference = Text(max_length=100, help_text="Of the letter")
    on_day = Day(help_text="The day of the letter")
    text = Text(max_length=MOST_TEXT, required=False, allow_blank=True, default="")


class AskedHeading(Body):
    """A heading of a rule sheet."""

    sheet = Text(max_length=20, help_text="Key of the sheet, such as BAC")
    heading = Text(max_length=_LONGEST_NAME)


class AskedProposal(Body):
    """A decision that a program proposes."""

    verdict = Choice(VerdictProposal.Verdict.values)
    text = Text(max_length=MOST_TEXT, help_text="The reasons, as the customer would read them")
    citations = AskedHeading(
        many=True,
        error_messages={"not_a_list": _("a list")},
        help_text="The headings that it rests on, one at least",
    )
    way = Choice(
        Way.values,
        required=False,
        allow_null=True,
        default=None,
        help_text="How it would be made good, where it is not rejected",
    )
    remedy_words = Text(
        max_length=MOST_TEXT,
        required=False,
        allow_blank=True,
        default="",
        help_text="What is to be said of that, for the person who decides",
    )
