"""Shared by the lists: keyed lines, each saved by a service, in one transaction."""

from abc import abstractmethod
from collections.abc import Iterable
from datetime import datetime
from typing import Any, ClassVar

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from import_export.instance_loaders import BaseInstanceLoader
from import_export.resources import Resource
from tablib import Dataset

from casino.backoffice.spreadsheets.cells import cell_text
from compliance.trail.actor import Actor
from rounds.field_errors import InvalidField


class ListResource(Resource):  # type: ignore[misc]  # django-import-export ships no types
    """A list. Its lines are plain objects; ``keep`` saves one."""

    keys: ClassVar[tuple[str, ...]]
    """The columns of the key."""

    class Meta:
        using_db = "default"
        import_id_fields = ()  # stored_line looks a line up
        instance_loader_class = BaseInstanceLoader
        skip_unchanged = True
        report_skipped = True
        skip_html_diff = True
        store_instance = True
        store_row_values = True

    def __init__(self, *, at: datetime, actor: Actor) -> None:
        super().__init__()
        self.at, self.actor = at, actor
        self.removed: list[Any] = []
        """Lines that the import removes because they are not in the file."""
        self._named: set[tuple[str, ...]] = set()

    @abstractmethod
    def stored(self) -> Iterable[Any]:
        """All lines, in order."""

    @abstractmethod
    def stored_line(self, key: tuple[str, ...]) -> Any | None:
        """The line with the key; None without one."""

    @abstractmethod
    def keep(self, line: Any, *, is_new: bool) -> None:
        """Add or change the line. Raises InvalidField."""

    @abstractmethod
    def subject_of(self, key: tuple[str, ...]) -> str:
        """The audit subject of a line."""

    def columns(self) -> list[str]:
        """The names of the columns, in order."""
        return [field.column_name for field in self.get_import_fields()]

    def dataset(self) -> Dataset:
        """The whole list."""
        return self.export(queryset=list(self.stored()))

    def key_of(self, row: Any) -> tuple[str, ...]:
        """The key of a row."""
        return tuple(cell_text(row[column]).strip() for column in self.keys)

    def get_instance(self, instance_loader: object, row: Any) -> Any | None:
        """The stored line of the row."""
        return self.stored_line(self.key_of(row))

    def before_import_row(self, row: Any, **kwargs: Any) -> None:
        """Reject a line that repeats the key of an earlier one."""
        key = self.key_of(row)
        if key in self._named:
            raise ValidationError({self.keys[-1]: _("a line that does not repeat an earlier one")})
        self._named.add(key)

    def do_instance_save(self, instance: Any, is_create: bool) -> None:  # noqa: FBT001  its signature
        """Save the line; an error of the service names its field."""
        try:
            self.keep(instance, is_new=is_create)
        except InvalidField as wrong:
            raise ValidationError({wrong.field: str(wrong.needed)}) from wrong
