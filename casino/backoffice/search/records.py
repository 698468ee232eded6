"""Searches for rows: rounds, customers, cases, disputes, bundles, shoes, tables, persons, days.

Each is a lookup by an index, or in a table of a few hundred rows.
"""

import re
from datetime import date
from typing import Final

from django.contrib.auth.models import User
from django.db.models import Q
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from casino.backoffice.search.days import day_in
from casino.backoffice.search.hits import MOST, Hit
from compliance.exports.models import Bundle
from payouts.cases.models import Case
from payouts.cases.models.case import LETTERS
from payouts.cases.status import stages_of
from payouts.disputes.models import Dispute
from payouts.settlement.queries import settlement_statuses
from rounds.amounts import parse_unambiguous_amount
from rounds.formatting import euro, long_day, moment
from rounds.models import Customer, Round, ShoeOpening, Table
from rounds.search import detached_rounds, matching_rounds

_LARGEST: Final = 2**31 - 1
_NUMBER: Final = re.compile(r"(?P<letter>[A-Z])?-?0*(?P<number>[0-9]{1,10})", re.IGNORECASE)


def find_rounds(text: str) -> list[Hit]:
    """Rounds by code, id, AAMS session or participation, customer, or an amount."""
    rounds = f"{reverse('admin:rounds_round_changelist')}?{urlencode({'q': text})}"
    cents = parse_unambiguous_amount(text)
    if cents is not None:
        return [Hit(euro(cents), _("rounds with this amount staked or paid"), rounds)]
    rows = list(
        matching_rounds(text, among=Round.objects.select_related("table")).order_by("-id")[
            : MOST + 1
        ]
    )
    statuses = settlement_statuses([row.id for row in rows])
    hits = [
        Hit(
            f"{row.game_code} {row.table.code}",
            f"{moment(row.opened_at, 's')} · {statuses[row.id].status.label}",
            reverse("admin:rounds_round_change", args=[row.id]),
        )
        for row in rows[:MOST]
    ]
    if len(rows) > MOST:
        hits.append(Hit(_("All matching rounds"), text, rounds))
    return hits or _detached_rounds(text)


def _detached_rounds(text: str) -> list[Hit]:
    """The round with this id whose month is no longer in the database."""
    return [
        Hit(
            text.strip(), _("not in the database"), reverse("admin:rounds_round_change", args=[id_])
        )
        for id_ in detached_rounds(text)
    ]


def find_customers(text: str) -> list[Hit]:
    """The customer with this pseudonym."""
    return [
        Hit(customer.pseudonym, "", reverse("admin:rounds_customer_change", args=[customer.pk]))
        for customer in Customer.objects.filter(pseudonym=text)
    ]


def find_cases(text: str) -> list[Hit]:
    """A case by its name (``C-0012``) or number."""
    letter, number = _name_in(text)
    kinds = [kind for kind, of_kind in LETTERS.items() if letter in {"", of_kind}]
    cases = list(Case.objects.filter(pk=number, kind__in=kinds))
    stages = stages_of(cases)
    return [
        Hit(
            str(case),
            f"{case.get_kind_display()} · {stages[case.pk].label}",
            reverse("case", args=[case.pk]),
        )
        for case in cases
    ]


def find_disputes(text: str) -> list[Hit]:
    """A dispute by its name (``D-0012``) or number."""
    letter, number = _name_in(text)
    disputes = Dispute.objects.filter(pk=number if letter in {"", "D"} else 0)
    return [
        Hit(str(row), moment(row.opened_at), reverse("dispute", args=[row.pk])) for row in disputes
    ]


def find_bundles(text: str) -> list[Hit]:
    """A bundle by its number."""
    letter, number = _name_in(text)
    bundles = Bundle.objects.filter(number=0 if letter else number)
    return [
        Hit(str(row), moment(row.built_at), reverse("bundle", args=[row.number])) for row in bundles
    ]


def find_shoes(text: str) -> list[Hit]:
    """The latest opening of a shoe."""
    openings = ShoeOpening.objects.filter(shoe=text).select_related("table").order_by("-arrival")
    address = f"{reverse('shoe')}?{urlencode({'id': text})}"
    return [
        Hit(row.shoe, f"{row.table.code} · {moment(row.opened_at)}", address)
        for row in openings[:1]
    ]


def find_tables(text: str) -> list[Hit]:
    """Tables whose code begins with the text, or whose name contains it."""
    return [
        Hit(table.code, table.name, reverse("admin:rounds_table_change", args=[table.pk]))
        for table in tables_like(text)
    ]


def tables_like(text: str) -> list[Table]:
    """Tables whose code begins with the text, or whose name contains it, by code."""
    matching = Table.objects.filter(Q(code__istartswith=text) | Q(name__icontains=text))
    return list(matching.order_by("code")[:MOST]) if text else []


def find_people(text: str) -> list[Hit]:
    """Accounts by name, account name or address."""
    words = text.split()
    people = User.objects.all()
    for word in words:
        people = people.filter(
            Q(first_name__icontains=word)
            | Q(last_name__icontains=word)
            | Q(username__icontains=word)
            | Q(email__icontains=word)
        )
    return [
        Hit(person.get_full_name() or person.username, person.username, address)
        for person in people.order_by("username")[:MOST]
        for address in [reverse("person", args=[person.pk])]
    ]


def find_days(text: str, *, today: date) -> list[Hit]:
    """The gaming day that the text names."""
    day = day_in(text, today=today)
    if day is None:
        return []
    return [Hit(long_day(day).capitalize(), "", reverse("day", args=[day.isoformat()]))]


def _name_in(text: str) -> tuple[str, int]:
    """The letter and the number of a name such as ``C-0012``; 0, which no row has, for others."""
    match = _NUMBER.fullmatch(text)
    if match is None or int(match["number"]) > _LARGEST:
        return "", 0
    return (match["letter"] or "").upper(), int(match["number"])
