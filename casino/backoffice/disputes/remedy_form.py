"""The remedy that is previewed or submitted."""

from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any, Final, NamedTuple

from django.http import QueryDict

from casino.backoffice.cases.effect_table import EffectTable, effect_table
from casino.backoffice.site.form_data import digest_of
from payouts.cases.models import Case, Reason
from payouts.cases.reasons_in_force import reason_in_force, reasons_in_use
from payouts.cases.remedies import Remedy
from payouts.disputes.models import Dispute
from payouts.disputes.remedies import (
    RequestedRemedy,
    Way,
    complainant_loss,
    effect_of_remedy,
    kind_of_case,
    other_customers_losses,
    resettlement_remedies,
)
from rounds.models import Customer, Round

_MOST_CENTS: Final = 10**12
_LONGEST: Final = 18


class Option(NamedTuple):
    """A remedy that can be chosen; ``key`` is its value in the form."""

    key: str
    way: Way
    remedy: Remedy | None
    is_of_sheet: bool
    case: Case | None


class Others(NamedTuple):
    """Bets and customers in the same situation."""

    number: int
    bets: Sequence[Mapping[str, Any]]


class Chosen(NamedTuple):
    """The previewed remedy, with the context of its form."""

    option: Option
    request: RequestedRemedy
    effect: EffectTable | None
    reasons: Sequence[Reason]
    with_others: bool
    loss_cents: int
    """Debit of the complaining customer, in cents."""
    others_who_lose: Sequence[int]
    """Debits of other customers, in cents."""

    @property
    def others_loss_cents(self) -> int:
        """Sum of the debits of other customers."""
        return sum(self.others_who_lose)


def options_for(dispute: Dispute, cases: Sequence[Case], *, has_bets: bool) -> list[Option]:
    """The available remedies; those of the sheet and of the rules first."""
    ways = resettlement_remedies(Round.objects.get(pk=dispute.round_id))
    options = [
        Option(f"resettle-{remedy.value}", Way.RESETTLE, remedy, is_of_sheet, None)
        for remedy, is_of_sheet in ways.items()
    ]
    if has_bets:
        options.append(Option("refund", Way.REFUND, None, is_of_sheet=False, case=None))
    options.append(Option("goodwill", Way.GOODWILL, None, is_of_sheet=False, case=None))
    existing = [
        Option(f"case-{case.pk}", Way.CASE, None, is_of_sheet=False, case=case) for case in cases
    ]
    return options + existing


def others_in(finding: Mapping[str, Any]) -> Others:
    """The siblings of the disputed bets in the finding."""
    bets = [sibling for bet in finding["bets"] for sibling in bet["siblings"]["bets"]]
    return Others(sum(bet["siblings"]["count"] for bet in finding["bets"]), bets)


def chosen_among(
    options: Sequence[Option], dispute: Dispute, finding: Mapping[str, Any], query: QueryDict
) -> Chosen | None:
    """The previewed remedy with its current effect; None if none is chosen."""
    option = next(
        (candidate for candidate in options if candidate.key == query.get("remedy")), None
    )
    if option is None:
        return None
    with_others = query.get("others") == "on"
    choice = _remedy_choice(option, finding, with_others=with_others)
    effect = effect_of_remedy(dispute, choice)
    purpose = kind_of_case(dispute, choice).value
    reasons = reasons_in_use(purpose)
    return Chosen(
        option,
        choice,
        None if effect is None else effect_table(effect),
        [] if option.way is Way.CASE else list(reasons),
        with_others,
        complainant_loss(dispute, choice),
        other_customers_losses(dispute, effect),
    )


def submitted_remedy(
    options: Sequence[Option], dispute: Dispute, finding: Mapping[str, Any], data: QueryDict
) -> RequestedRemedy | None:
    """The submitted remedy; None if it is not available."""
    option = next((candidate for candidate in options if candidate.key == data.get("remedy")), None)
    if option is None:
        return None
    choice = _remedy_choice(option, finding, with_others=data.get("others") == "on")
    pseudonyms = data.getlist("customer")
    others = Customer.objects.filter(pseudonym__in=pseudonyms).exclude(pk=dispute.customer_id)
    return choice._replace(
        reason=reason_in_force(data.get("reason", "")),
        effect_digest=digest_of(data.get("digest", "")),
        accepted_loss_cents=_whole(data.get("accepted_loss", "")),
        cents=_cents(data.get("amount", "")) if option.way is Way.GOODWILL else 0,
        others=frozenset(others.values_list("pk", flat=True))
        if option.way is Way.GOODWILL
        else frozenset(),
    )


def _remedy_choice(
    option: Option, finding: Mapping[str, Any], *, with_others: bool
) -> RequestedRemedy:
    bets = {bet["number"] for bet in finding["bets"]}
    if with_others:
        bets |= {bet["number"] for bet in others_in(finding).bets}
    return RequestedRemedy(
        option.way,
        remedy=option.remedy,
        bets=frozenset(bets) if option.way is Way.REFUND else frozenset(),
        case_id=None if option.case is None else option.case.pk,
    )


def _whole(text: str) -> int:
    """A number of cents; 0 if invalid."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < _LONGEST else 0


def _cents(text: str) -> int:
    """Cents of an amount with a decimal comma or point; 0 if invalid."""
    try:
        cents = Decimal(text.strip().replace(",", ".")) * 100
    except InvalidOperation:
        return 0
    return int(cents) if cents.is_finite() and 0 < cents < _MOST_CENTS else 0
