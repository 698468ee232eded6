"""The content of a verification file: a round, its proofs, and what it was settled by.

``casino.backoffice.verification_files`` makes a page of it, which judges the round and verifies the
proofs.
"""

import json
from datetime import datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.db import transaction

from compliance.exports.dossier.contents import CUSTOMER_ROUND_ACTIONS
from compliance.exports.dossier.models import Dossier
from compliance.exports.replay_links.replay_links import CustomerRequired, NoBetOfCustomer
from compliance.trail.actor import Actor
from compliance.trail.log.proofs import receipt_of
from compliance.trail.record import Entry, record_entries
from compliance.trail.steps import require_person
from payouts.settlement.bet_results import paid_grades
from payouts.settlement.queries import settlement_statuses
from rounds.feed import document_of
from rounds.models import Customer, Round
from rounds.queries import StoredRound, stored_rounds
from rounds.reduced_round import reduce_round, renumbered
from rounds.rules.catalogue import RULE_SETS
from rounds.rules.facts import Round as DealtRound
from rounds.rules.ruling import Ruling, judge_as_ruled
from rounds.rules.verdict import Grade
from rounds.rules.void import BY_DECISION
from rounds.rulings import rulings_of

FORMAT: Final = "sabot verification/1"
NO_FILE: Final = "{}"
PLACE_OF_FILE: Final = f'<script type="application/json" id="file">{NO_FILE}</script>'
"""Where a page without a file has its place for one."""


class NotReducible(Exception):
    """The rules cannot judge the round from the bets of one customer, or not in this version."""


class Reader(NamedTuple):
    """Who gets a file, and why."""

    audience: Dossier.Audience
    name: str
    customer: Customer | None
    """Whose bets it has; None for all bets, for the regulator only."""
    purpose: str


class PageNotInstalled(Exception):
    """``VERIFICATION_PAGE`` names no page of this version."""


@transaction.atomic
def make_verification_file(row: Round, reader: Reader, *, at: datetime, actor: Actor) -> str:
    """The file for somebody outside, as a page; that a person made it is recorded.

    Raises PersonRequired, CustomerRequired, and what ``verification_page`` raises.
    """
    require_person(actor)
    if reader.customer is None and reader.audience is not Dossier.Audience.REGULATOR:
        raise CustomerRequired(f"found none for {reader.audience.value}; needed a customer")
    page = verification_page(row, reader.customer, at=at)
    details = {
        "for": reader.audience.value,
        "recipient": reader.name,
        "customer": None if reader.customer is None else reader.customer.pseudonym,
        "purpose": reader.purpose,
    }
    entry = Entry("VERIFICATION_FILE_MADE", f"round:{row}", details)
    record_entries([entry], at=at, actor=actor)
    return page


def verification_page(row: Round, customer: Customer | None, *, at: datetime) -> str:
    """The page with the file of this customer, or of all bets without one.

    Raises PageNotInstalled, NoBetOfCustomer, NotReducible; NotInLog for some seconds, until the
    latest record is in the signed log.
    """
    try:
        page = Path(settings.VERIFICATION_PAGE).read_text()
    except FileNotFoundError:
        raise PageNotInstalled(f"found no {settings.VERIFICATION_PAGE}") from None
    return page_with(page, verification_content(row, customer, at=at))


def page_with(page: str, content: dict[str, Any]) -> str:
    """The page with this file in it. Raises PageNotInstalled for a page without a place for it."""
    text = json.dumps(content, ensure_ascii=False).replace("<", "\\u003c")
    before, found, after = page.partition(PLACE_OF_FILE)
    if not found:
        raise PageNotInstalled("found no place for a file in the page; needed one of this version")
    return f"{before}{PLACE_OF_FILE.replace(NO_FILE, text)}{after}"


def is_page_installed() -> bool:
    """Whether this installation can make verification files."""
    return Path(settings.VERIFICATION_PAGE).is_file()


def verification_content(row: Round, customer: Customer | None, *, at: datetime) -> dict[str, Any]:
    """What the page reads. Raises NoBetOfCustomer, NotReducible, NotInLog."""
    if row.rules not in RULE_SETS:
        raise NotReducible(f"found the rules {row.rules}; needed some of this version")
    [stored] = stored_rounds([row.id])
    pseudonym = None if customer is None else customer.pseudonym
    if pseudonym is None:
        facts, actions = _whole(row, stored), None
    else:
        facts, actions = _part(row, stored, pseudonym), CUSTOMER_ROUND_ACTIONS
    return {
        "verification": FORMAT,
        "operator": settings.OPERATOR_NAME,
        "sandbox": settings.SANDBOX,
        "made_at": at.isoformat(),
        "customer": pseudonym,
        "receipt": receipt_of(row.reference, actions=actions),
        **facts,
    }


def _whole(row: Round, stored: StoredRound) -> dict[str, Any]:
    shoe = stored.shoe_before
    return {
        "document": document_of(stored.dealt),
        "arrival": {
            "number": row.arrival,
            "limit_set": row.limit_set_id,
            "limits": dict(stored.limits),
            "shoe": shoe and {"position": shoe.position, "seen": shoe.seen.hex()},
        },
        "numbers": None,
        "paid": {},
    }


def _part(row: Round, stored: StoredRound, customer: str) -> dict[str, Any]:
    """What concerns one customer, judged before it is given away."""
    dealt, numbers = reduce_round(stored.dealt, customer)
    own = {
        number: bet
        for number, bet in zip(numbers, dealt.bets, strict=True)
        if bet.player == customer
    }
    if not own:
        raise NoBetOfCustomer(f"found {customer}; needed a customer of {row}")
    latest = settlement_statuses([row.id])[row.id].settlement
    sequence = 0 if latest is None else latest.sequence
    paid = {
        bet.id: grade
        for number, grade in enumerate(paid_grades(row.id, sequence))
        if (bet := own.get(number)) is not None
    }
    if any(grade.reasons != (BY_DECISION,) for grade in paid.values()):
        ruling = rulings_of([row.id]).get(row.id, {}).get(sequence, Ruling())
        _check(dealt, renumbered(ruling, numbers), paid, row.rules)
    return {
        "document": document_of(dealt),
        "arrival": None,
        "numbers": numbers,
        "paid": paid,
    }


def _check(dealt: DealtRound, ruling: Ruling, paid: dict[str, Grade], rules: str) -> None:
    rule_set = RULE_SETS[rules]
    verdict = judge_as_ruled(rule_set, dealt, None, {}, ruling)
    judged = dict(zip([bet.id for bet in dealt.bets], verdict.grades, strict=False))
    for bet, grade in paid.items():
        if judged.get(bet) != grade:
            raise NotReducible(f"found {judged.get(bet)} for bet {bet}; needed {grade}")
