"""Impact analyses: the list, and the form that begins one."""

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.backoffice.exports.messages import error_message
from casino.backoffice.impact.change_text import ChangeText, change_texts, reading_text
from casino.backoffice.lists.columns import Column, Kind
from casino.backoffice.lists.filters import choice_filter, person_filter, time_filters
from casino.backoffice.lists.list_page import ListSpec, show_list
from casino.backoffice.site.actions import warn_broker_unavailable
from casino.backoffice.site.actor_labels import actor_label
from casino.backoffice.site.badges import badge_label
from casino.backoffice.site.form_data import actor_in
from casino.backoffice.site.form_fields import DaysForm
from compliance.exports.scope import DaysDetached
from compliance.impact.analyses import RuleChange, begin_analysis, require_days
from compliance.impact.changed_fields import BadChange, FieldChange, changeable_fields
from compliance.impact.models import ImpactAnalysis
from compliance.impact.other_readings import known_readings
from compliance.impact.tasks import wake_analysis_workers
from payouts.reconciliation.checks.days import Days
from rounds.rules.catalogue import RULE_SETS

LOOK: Final = "impact.view_impactanalysis"
"""Permission to view analyses."""
ANALYSE: Final = "impact.analyse_impact"
"""Permission to begin one."""

_REFRESH_SECONDS: Final = 2
_SEPARATOR: Final = " "
"""Between rule set and field in a choice; neither has one."""

_Choices = list[tuple[str, Any]]


def _reading_choices() -> _Choices:
    texts = [(key, index, reading_text(key, index)) for key, index in known_readings()]
    return [
        ("", _("None: another value of a rule")),
        *((f"{key}:{index}", f"{text.what}: {text.after}") for key, index, text in texts),
    ]


def _field_choices() -> _Choices:
    return [
        ("", ""),
        *(
            (
                name,
                [
                    (f"{name}{_SEPARATOR}{field}", f"{field} = {value}")
                    for field, value in changeable_fields(rules).items()
                ],
            )
            for name, rules in RULE_SETS.items()
        ),
    ]


class ImpactForm(DaysForm):
    """A reading, or a rule and its value; and the gaming days."""

    reading = forms.ChoiceField(
        label=gettext_lazy("Another reading"), choices=_reading_choices, required=False
    )
    field = forms.ChoiceField(
        label=gettext_lazy("Rule and its present value"), choices=_field_choices, required=False
    )
    value = forms.CharField(
        label=gettext_lazy("Other value"),
        required=False,
        max_length=100,
        help_text=gettext_lazy("Written as the present one: 9:1, 17, yes"),
    )
    field_order = ("reading", "field", "value", "first_day", "last_day")

    def clean(self) -> dict[str, Any]:
        """Adds the change, which has to be one that can be judged."""
        cleaned = super().clean()
        if self.errors:
            return cleaned
        if bool(cleaned["reading"]) == bool(cleaned["field"]):
            self.add_error("reading", _("Choose either another reading or a rule."))
            return cleaned
        change = _change_of(cleaned)
        try:
            change.changed_rules()
            require_days(Days(cleaned["first_day"], cleaned["last_day"]))
        except BadChange as error:
            text = _("Found %(found)s; needed: %(needed)s.")
            self.add_error("value", text % {"found": error.found, "needed": error.needed})
        except DaysDetached as error:
            self.add_error("first_day", error_message(error))
        return {**cleaned, "change": change}


def _change_of(cleaned: dict[str, Any]) -> RuleChange:
    if cleaned["reading"]:
        key, _colon, index = cleaned["reading"].partition(":")
        return RuleChange(reading=(key, int(index)))
    rules, _separator, field = cleaned["field"].partition(_SEPARATOR)
    return RuleChange(fields=[FieldChange(rules, field, cleaned["value"])])


def state_of(analysis: ImpactAnalysis) -> str:
    """The name of its badge."""
    if analysis.error:
        return "impact-failed"
    return "impact-running" if analysis.finished_at is None else "impact-done"


LIST: Final = ListSpec(
    name="impact-analyses",
    filters=(
        choice_filter(
            "status",
            gettext_lazy("Status"),
            lambda: [
                (name, badge_label(f"impact-{name}")) for name in ("running", "done", "failed")
            ],
            lambda rows, value: rows.filter(
                finished_at__isnull=value == "running",
                **(
                    {}
                    if value == "running"
                    else {"error__gt" if value == "failed" else "error": ""}
                ),
            ),
        ),
        person_filter(gettext_lazy("Started by")),
        *time_filters("started_at"),
    ),
    columns=(
        Column(
            "started",
            gettext_lazy("Started"),
            lambda row: row.analysis.started_at,
            Kind.MOMENT,
            "pk",
        ),
        Column("change", gettext_lazy("Change"), lambda row: "; ".join(map(str, row.changes))),
        Column(
            "days",
            gettext_lazy("Days"),
            lambda row: f"{row.analysis.first_day or ''} / {row.analysis.last_day or ''}",
        ),
        Column(
            "person", gettext_lazy("Who"), lambda row: actor_label(row.analysis.actor), sort="actor"
        ),
        Column("status", gettext_lazy("Status"), lambda row: badge_label(row.state)),
    ),
    sort="-started",
)


def show_analyses(request: HttpRequest) -> HttpResponse:
    """All analyses, newest first, with the form for users who may begin one.

    ``?reading=`` chooses a reading in it.
    """
    chosen = {"reading": request.GET.get("reading", "")}
    form = ImpactForm(request.POST if request.method == "POST" else None, initial=chosen)
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        analysis = begin_analysis(
            data["change"],
            days=Days(data["first_day"], data["last_day"]),
            at=timezone.now(),
            actor=actor_in(request),
        )
        if not wake_analysis_workers(analysis.parts.count()):
            warn_broker_unavailable(request)
        return redirect("impact_analysis", analysis.pk)
    rows = ImpactAnalysis.objects.all()
    context = {
        "title": _("Impact analyses"),
        "form": form,
        "may_analyse": request.user.has_perm(ANALYSE),
        "refresh_seconds": _REFRESH_SECONDS * rows.filter(finished_at=None).exists(),
    }
    template = "backoffice/impact/impact_analyses.html"
    return show_list(request, LIST, rows, template, context, lines_of=_lines)


class _Line(NamedTuple):
    analysis: ImpactAnalysis
    state: str
    changes: list[ChangeText]


def _lines(rows: Iterable[ImpactAnalysis]) -> list[_Line]:
    return [_Line(row, state_of(row), change_texts(row)) for row in rows]
