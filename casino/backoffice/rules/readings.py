"""Rule interpretations, and the rule sets that are based on them."""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from casino.backoffice.impact.analysis_list import ANALYSE
from casino.backoffice.signatures.signing import decided_at, signing_actor
from casino.backoffice.site.views import show
from compliance.impact.other_readings import known_readings
from compliance.trail.queries import records_of
from rounds.formatting import bet_kind_label
from rounds.models import Table
from rounds.released_rules.rule_set_seals import seals_in
from rounds.rules.ambiguities.ambiguity import Ambiguity
from rounds.rules.ambiguities.register import REGISTER
from rounds.rules.catalogue import RULE_SETS
from rounds.rules.citation import Citation
from rounds.rules.rule_set import RuleSet
from rounds.services.put_rules_in_force import IN_FORCE
from rounds.services.require_signed_rules import is_in_force
from rounds.services.sign_rules import (
    NothingToSign,
    sign_rules,
    signature_of,
    unsigned_rule_sets,
)

SIGN: Final = "signatures.sign_rules"
"""Permission to sign that a rule set is in force."""
_ALL: Final = "all"
_SHEETS: Final[Mapping[str, str]] = {rules.sheet: rules.game for rules in RULE_SETS.values()}


class RuleSetUse(NamedTuple):
    """A rule set based on an entry: as a whole, by some of its rules, or both."""

    rules: RuleSet
    whole: bool
    citations: tuple[tuple[str, Citation], ...]


class Entry(NamedTuple):
    """An entry of the register with the rule sets based on it."""

    point: Ambiguity
    uses: tuple[RuleSetUse, ...]

    @property
    def analysable(self) -> list[int]:
        """The indices of the readings whose impact can be analysed."""
        return [index for key, index in known_readings() if key == self.point.key]


class Group(NamedTuple):
    """The entries of one sheet, or of several sheets."""

    sheet: str
    """Empty for several sheets."""
    game: str
    entries: tuple[Entry, ...]


def show_readings(request: HttpRequest) -> HttpResponse:
    """The register's part of one sheet, by default of the first; ``?sheet=all`` is the whole."""
    sheet = request.GET.get("sheet", "")
    chosen = sheet if sheet in {*_SHEETS, _ALL} else next(iter(_SHEETS))
    points = [point for point in REGISTER.values() if chosen in {_ALL, *point.sheets}]
    groups = _groups(points)
    context = {
        "title": _("Rule interpretations"),
        "groups": groups,
        "number": len(points),
        "sheets": _SHEETS,
        "chosen": chosen,
        "may_analyse": request.user.has_perm(ANALYSE),
    }
    return show(request, "backoffice/rules/readings.html", context)


def show_rule_sets(request: HttpRequest) -> HttpResponse:
    """All rule sets that were ever in force."""
    context = {
        "title": _("Rule sets"),
        "rule_sets": RULE_SETS.values(),
        "unsigned": unsigned_rule_sets(),
    }
    return show(request, "backoffice/rules/rule_sets.html", context)


def show_rule_set(request: HttpRequest, name: str) -> HttpResponse:
    """A rule set: definition, rules by section, and interpretations."""
    rules = RULE_SETS.get(name)
    if rules is None:
        raise Http404
    context = {
        "title": rules.name,
        "rules": rules,
        "seal": seals_in().get(rules.name),
        "kinds": [(kind, bet_kind_label(kind)) for kind in rules.bet_kinds],
        "points": [REGISTER[key] for key in rules.ambiguities],
        "record": records_of(f"rules:{rules.name}").filter(action=IN_FORCE).last(),
        "tables": Table.objects.filter(rules=rules.name),
        "signature": signature_of(rules),
        "rounds_wait": not is_in_force(rules),
        "may_sign": request.user.has_perm(SIGN),
    }
    return show(request, "backoffice/rules/rule_set.html", context)


def sign(request: HttpRequest, name: str) -> HttpResponse:
    """Sign that the rule set is in force as this software has it."""
    if name not in RULE_SETS:
        raise Http404
    try:
        sign_rules(name=name, at=decided_at(request), actor=signing_actor(request))
    except NothingToSign:
        messages.warning(request, _("This rule set has been signed in the meantime."))
    else:
        messages.success(request, _("Rule set signed."))
    return redirect("rule_set", name)


def _groups(points: Iterable[Ambiguity]) -> list[Group]:
    entries_by_sheet: dict[str, list[Entry]] = {sheet: [] for sheet in ("", *_SHEETS)}
    for point in points:
        sheet = point.sheets[0] if len(point.sheets) == 1 else ""
        entries_by_sheet[sheet].append(Entry(point, tuple(_uses_of(point.key))))
    return [
        Group(sheet, _SHEETS.get(sheet, ""), tuple(entries))
        for sheet, entries in entries_by_sheet.items()
        if entries
    ]


def _uses_of(key: str) -> Iterable[RuleSetUse]:
    for rules in RULE_SETS.values():
        cited = tuple(
            (reason, rule) for reason, rule in rules.citations.items() if key in rule.rests_on
        )
        if cited or key in rules.ambiguities:
            yield RuleSetUse(rules, key in rules.ambiguities, cited)
