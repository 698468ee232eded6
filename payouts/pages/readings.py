"""How the sheets are read, and the rule sets that rest on it: for whoever answers for them."""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from compliance.trail.queries import records_of
from payouts.pages.own_pages import show
from rounds.models import Table
from rounds.rules.ambiguities.ambiguity import Ambiguity
from rounds.rules.ambiguities.register import REGISTER
from rounds.rules.catalogue import RULE_SETS
from rounds.rules.citation import Citation
from rounds.rules.rule_set import RuleSet
from rounds.sealing import seals_in
from rounds.services.put_rules_in_force import IN_FORCE
from rounds.wording import kind_words

_SHEETS: Final[Mapping[str, str]] = {rules.sheet: rules.game for rules in RULE_SETS.values()}


class Resting(NamedTuple):
    """A rule set that rests on an entry: as a whole, by some of its rules, or both."""

    rules: RuleSet
    whole: bool
    citations: tuple[tuple[str, Citation], ...]


class Entry(NamedTuple):
    """An entry of the register with everything that rests on it."""

    point: Ambiguity
    resting: tuple[Resting, ...]


class Group(NamedTuple):
    """The entries of one sheet, or those that several sheets share."""

    sheet: str
    """Empty for what several sheets share."""
    game: str
    entries: tuple[Entry, ...]


def show_readings(request: HttpRequest) -> HttpResponse:
    """The ambiguity register, by sheet; ``?sheet=QB`` shows what concerns one sheet."""
    sheet = request.GET.get("sheet", "")
    chosen = sheet if sheet in _SHEETS else ""
    groups = _groups([one for one in REGISTER.values() if not chosen or chosen in one.sheets])
    context = {
        "title": _("Register of readings"),
        "groups": groups,
        "number": sum(len(group.entries) for group in groups),
        "sheets": _SHEETS,
        "chosen": chosen,
    }
    return show(request, "pages/readings.html", context)


def show_rule_sets(request: HttpRequest) -> HttpResponse:
    """Every rule set that was ever in force."""
    context = {"title": _("Rule sets"), "rule_sets": RULE_SETS.values()}
    return show(request, "pages/rule_sets.html", context)


def show_rule_set(request: HttpRequest, name: str) -> HttpResponse:
    """One rule set: what it is, its rules by heading, and the readings that each rests on."""
    rules = RULE_SETS.get(name)
    if rules is None:
        raise Http404
    context = {
        "title": rules.name,
        "rules": rules,
        "seal": seals_in().get(rules.name),
        "kinds": [(kind, kind_words(kind)) for kind in rules.bet_kinds],
        "points": [REGISTER[key] for key in rules.ambiguities],
        "record": records_of(f"rules:{rules.name}").filter(action=IN_FORCE).last(),
        "tables": Table.objects.filter(rules=rules.name),
    }
    return show(request, "pages/rule_set.html", context)


def _groups(points: Iterable[Ambiguity]) -> list[Group]:
    found: dict[str, list[Entry]] = {sheet: [] for sheet in ("", *_SHEETS)}
    for point in points:
        sheet = point.sheets[0] if len(point.sheets) == 1 else ""
        found[sheet].append(Entry(point, tuple(_resting_on(point.key))))
    return [
        Group(sheet, _SHEETS.get(sheet, ""), tuple(entries))
        for sheet, entries in found.items()
        if entries
    ]


def _resting_on(key: str) -> Iterable[Resting]:
    for rules in RULE_SETS.values():
        cited = tuple(
            (reason, rule) for reason, rule in rules.citations.items() if key in rule.rests_on
        )
        if cited or key in rules.ambiguities:
            yield Resting(rules, key in rules.ambiguities, cited)
