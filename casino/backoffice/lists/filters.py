"""The filters of a list: form fields, and what they do to its rows."""

from collections.abc import Callable, Iterable, Sequence
from copy import deepcopy
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from django import forms
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from compliance.trail.people import name_of
from rounds.amounts import parse_amount
from rounds.models import Table

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

    _Text = str | _StrPromise

Choices = Iterable[tuple[Any, Any]] | Callable[[], Iterable[tuple[Any, Any]]]
Apply = Callable[[QuerySet[Any], Any], QuerySet[Any]]

_MOST_TEXT: Final = 200
_MOST_PEOPLE: Final = 500
_ALL: Final = _("All")
_PERSON: Final = _("Person")


class Filter(NamedTuple):
    """A filter: its name in addresses, its form field, and what a value does to the rows.

    ``apply`` is None where the list itself reads the value.
    """

    name: str
    field: forms.Field
    apply: Apply | None = None


class FilterForm(forms.Form):
    """The filters of a list with the values of a request."""

    filters: Sequence[Filter]

    def __init__(self, filters: Sequence[Filter], query: QueryDict) -> None:
        super().__init__(query)
        self.filters = filters
        for row_filter in filters:
            self.fields[row_filter.name] = deepcopy(row_filter.field)

    def clean(self) -> dict[str, Any]:
        """The values; the days have to be in order."""
        cleaned = super().clean() or {}
        first, last = cleaned.get("from"), cleaned.get("to")
        if first and last and last < first:
            self.add_error("to", _("The last day is before the first day."))
        return cleaned

    def applied_to(self, rows: QuerySet[Any]) -> QuerySet[Any]:
        """The rows that match; none if a value is invalid."""
        if not self.is_valid():
            return rows.none()
        for row_filter in self.filters:
            value = self.cleaned_data[row_filter.name]
            if row_filter.apply is not None and value not in (None, ""):
                rows = row_filter.apply(rows, value)
        return rows

    def value(self, name: str) -> Any:
        """A valid value; None for an empty or invalid one."""
        return self.cleaned_data.get(name) or None if self.is_bound and self.is_valid() else None

    @property
    def is_filtered(self) -> bool:
        """Whether any filter has a value."""
        return any(self.data.get(row_filter.name, "").strip() for row_filter in self.filters)

    @property
    def problems(self) -> list[tuple["_Text", str]]:
        """The label and the error of each invalid field."""
        return [
            (self.fields[name].label or name, str(message))
            for name, messages in self.errors.items()
            for message in messages
        ]


class AmountField(forms.CharField):
    """An amount in euros, as cents."""

    def clean(self, value: Any) -> Any:
        """The cents; None if empty."""
        text = super().clean(value)
        if not text:
            return None
        cents = parse_amount(text)
        if cents is None:
            raise ValidationError(
                _("Found “%(found)s”; expected: %(needed)s"),
                params={"found": text, "needed": _("an amount such as 210.00")},
            )
        return cents


def text_filter(
    name: str, label: "_Text", apply: Apply | None = None, *, placeholder: "_Text" = ""
) -> Filter:
    """A text."""
    widget = forms.TextInput({"type": "search", "placeholder": placeholder})
    field = forms.CharField(label=label, required=False, max_length=_MOST_TEXT, widget=widget)
    return Filter(name, field, apply)


def amount_filter(name: str, label: "_Text", apply: Apply | None = None) -> Filter:
    """An amount in euros."""
    attributes = {"inputmode": "decimal", "autocomplete": "off", "placeholder": _("210.00")}
    widget = forms.TextInput(attributes)
    return Filter(
        name, AmountField(label=label, required=False, max_length=40, widget=widget), apply
    )


def choice_filter(
    name: str,
    label: "_Text",
    choices: Choices,
    apply: Apply | None = None,
    *,
    empty: "_Text" = _ALL,
) -> Filter:
    """One of several values; ``empty`` is the label of none."""

    def offered() -> list[tuple[Any, Any]]:
        return [("", empty), *(choices() if callable(choices) else choices)]

    error = _("“%(value)s” is not one of the choices.")
    field = forms.ChoiceField(
        label=label, required=False, choices=offered, error_messages={"invalid_choice": error}
    )
    return Filter(name, field, apply)


def field_filter(name: str, label: "_Text", choices: Choices, *, field: str = "") -> Filter:
    """One of the values of a field."""
    column = field or name
    return choice_filter(name, label, choices, _by_lookup(column))


def day_filters(field: str) -> tuple[Filter, Filter]:
    """The first and the last of the days that a field of days has."""
    return (
        Filter("from", _day_field(_("From day")), _by_lookup(f"{field}__gte")),
        Filter("to", _day_field(_("To day")), _by_lookup(f"{field}__lte")),
    )


def time_filters(
    field: str, *, since: Apply | None = None, until: Apply | None = None
) -> tuple[Filter, Filter]:
    """The first and the last day in Rome of a time.

    ``since`` and ``until`` restrict the rows to a time and later, or to before a time, where the
    field itself has no index.
    """
    return (
        Filter(
            "from", _day_field(_("From day")), _at_midnight(since or _by_lookup(f"{field}__gte"))
        ),
        Filter(
            "to",
            _day_field(_("To day")),
            _at_midnight(until or _by_lookup(f"{field}__lt"), days_later=1),
        ),
    )


def _by_lookup(lookup: str) -> Apply:
    return lambda rows, value: rows.filter(**{lookup: value})


def _at_midnight(apply: Apply, *, days_later: int = 0) -> Apply:
    def applied(rows: QuerySet[Any], day: date) -> QuerySet[Any]:
        at = midnight_of(day, days_later=days_later)
        return rows if at is None else apply(rows, at)

    return applied


def person_filter(label: "_Text" = _PERSON, *, field: str = "actor_user_id") -> Filter:
    """A person, by the number of the account."""

    def people() -> list[tuple[str, str]]:
        users = User.objects.order_by("last_name", "first_name", "username")[:_MOST_PEOPLE]
        return [(str(user.pk), name_of(user) or "") for user in users]

    return choice_filter(
        "person",
        label,
        people,
        lambda rows, value: rows.filter(**{field: int(value)}),
        empty=_("Anyone"),
    )


def table_filter(*, field: str = "table") -> Filter:
    """A table, by its code."""

    def tables() -> list[tuple[str, str]]:
        return [(code, code) for code in Table.objects.values_list("code", flat=True)]

    def apply(rows: QuerySet[Any], code: str) -> QuerySet[Any]:
        # Queried first, so that the planner knows the number of rows per table.
        ids = list(Table.objects.filter(code=code).values_list("id", flat=True))
        return rows.filter(**{f"{field}__in": ids})

    return choice_filter("table", _("Table"), tables, apply, empty=_("All tables"))


def midnight_of(day: date | None, *, days_later: int = 0) -> datetime | None:
    """The start in Rome of a day, plus ``days_later``; None where Python has no such time."""
    if day is None:
        return None
    try:
        return timezone.make_aware(datetime.combine(day + timedelta(days=days_later), time()))
    except OverflowError:
        return None


def _day_field(label: "_Text") -> forms.DateField:
    widget = forms.DateInput({"type": "date"}, "%Y-%m-%d")
    return forms.DateField(label=label, required=False, widget=widget, input_formats=["%Y-%m-%d"])
