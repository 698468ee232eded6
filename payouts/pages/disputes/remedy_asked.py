"""The remedy that somebody looks at or names: what the address or the form says of it."""

from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any, Final, NamedTuple

from django.http import QueryDict

from payouts.cases.remedies import Remedy
from payouts.disputes.remedies import (
    RemedyAsked,
    Way,
    effect_of_remedy,
    kind_of_case,
    ways_of_resettling,
)
from payouts.models import Case, Dispute, Reason
from payouts.pages.cases.effect_lines import EffectShown, shown
from rounds.models import Customer, Round

_MOST_CENTS: Final = 10**12


class Option(NamedTuple):
    """A remedy that can be chosen, by what the address says of it."""

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
    """The remedy that is looked at, with what its form needs."""

    option: Option
    asked: RemedyAsked
    effect: EffectShown | None
    reasons: Sequence[Reason]
    with_others: bool


def options_for(dispute: Dispute, cases: Sequence[Case], *, has_bets: bool) -> list[Option]:
    """What can be chosen, those of the sheet and of the rules first."""
    ways = ways_of_resettling(Round.objects.get(pk=dispute.round_id))
    options = [
        Option(f"resettle-{remedy.value}", Way.RESETTLE, remedy, is_of_sheet, None)
        for remedy, is_of_sheet in ways.items()
    ]
    if has_bets:
        options.append(Option("refund", Way.REFUND, None, is_of_sheet=False, case=None))
    options.append(Option("goodwill", Way.GOODWILL, None, is_of_sheet=False, case=None))
    named = [Option(f"case-{one.pk}", Way.CASE, None, is_of_sheet=False, case=one) for one in cases]
    return options + named


def others_in(finding: Mapping[str, Any]) -> Others:
    """All siblings of the contested bets that the finding lists."""
    bets = [sibling for bet in finding["bets"] for sibling in bet["siblings"]["bets"]]
    return Others(sum(bet["siblings"]["count"] for bet in finding["bets"]), bets)


def chosen_among(
    options: Sequence[Option], dispute: Dispute, finding: Mapping[str, Any], said: QueryDict
) -> Chosen | None:
    """The remedy that is looked at, with its effect as of now; None where none is chosen."""
    option = next((one for one in options if one.key == said.get("remedy")), None)
    if option is None:
        return None
    with_others = said.get("others") == "on"
    asked = _asked(option, finding, with_others=with_others)
    effect = effect_of_remedy(dispute, asked)
    purpose = kind_of_case(dispute, asked).value
    reasons = Reason.objects.filter(purpose=purpose, is_active=True)
    return Chosen(
        option,
        asked,
        None if effect is None else shown(effect),
        [] if option.way is Way.CASE else list(reasons),
        with_others,
    )


def remedy_named(
    options: Sequence[Option], dispute: Dispute, finding: Mapping[str, Any], said: QueryDict
) -> RemedyAsked | None:
    """The remedy that a decision names; None where it names none that can be chosen."""
    option = next((one for one in options if one.key == said.get("remedy")), None)
    if option is None:
        return None
    asked = _asked(option, finding, with_others=said.get("others") == "on")
    reasons = Reason.objects.filter(code=said.get("reason", ""))
    pseudonyms = said.getlist("customer")
    others = Customer.objects.filter(pseudonym__in=pseudonyms).exclude(pk=dispute.customer_id)
    return asked._replace(
        reason=reasons.first(),
        effect_digest=_digest(said.get("digest", "")),
        cents=_cents(said.get("amount", "")) if option.way is Way.GOODWILL else 0,
        others=frozenset(others.values_list("pk", flat=True))
        if option.way is Way.GOODWILL
        else frozenset(),
    )


def _asked(option: Option, finding: Mapping[str, Any], *, with_others: bool) -> RemedyAsked:
    bets = {bet["number"] for bet in finding["bets"]}
    if with_others:
        bets |= {one["number"] for one in others_in(finding).bets}
    return RemedyAsked(
        option.way,
        remedy=option.remedy,
        bets=frozenset(bets) if option.way is Way.REFUND else frozenset(),
        case_id=None if option.case is None else option.case.pk,
    )


def _digest(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        return b""


def _cents(text: str) -> int:
    """Cents of an amount with a comma or a point; nothing for what is none."""
    try:
        cents = Decimal(text.strip().replace(",", ".")) * 100
    except InvalidOperation:
        return 0
    return int(cents) if cents.is_finite() and 0 < cents < _MOST_CENTS else 0
