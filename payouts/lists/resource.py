"""What the lists share: lines by a key, each kept by a service, in one transaction."""

from abc import abstractmethod
from collections.abc import Iterable
from datetime import datetime
from typing import Any, ClassVar

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from import_export.instance_loaders import BaseInstanceLoader
from import_export.resources import Resource
from tablib import Dataset

from compliance.trail.actor import Actor
from payouts.lists.cells import found_in
from rounds.services.table_fields import NotTaken


class ListResource(Resource):  # type: ignore[misc]  # django-import-export ships no types
    """One list. Its lines are plain objects; what becomes of one is up to ``keep``."""

    keys: ClassVar[tuple[str, ...]]
    """The columns that name a line."""

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
        """Lines that the file leaves out, and that will not be there any more."""
        self._named: set[tuple[str, ...]] = set()

    @abstractmethod
    def stored(self) -> Iterable[Any]:
        """Every line there is, in order."""

    @abstractmethod
    def stored_line(self, key: tuple[str, ...]) -> Any | None:  # noqa: ANN401  a line of the list
        """The line of that key, None where there is none."""

    @abstractmethod
    def keep(self, line: Any, *, is_new: bool) -> None:  # noqa: ANN401  a line of the list
        """Adds or changes it. Raises NotTaken."""

    @abstractmethod
    def subject_of(self, key: tuple[str, ...]) -> str:
        """What the trail calls the thing that a line is about."""

    def columns(self) -> list[str]:
        """The names of the columns, in order."""
        return [field.column_name for field in self.get_import_fields()]

    def dataset(self) -> Dataset:
        """The whole list."""
        return self.export(queryset=list(self.stored()))

    def key_of(self, row: Any) -> tuple[str, ...]:  # noqa: ANN401  by column
        """What names the line of a row."""
        return tuple(found_in(row[column]).strip() for column in self.keys)

    def get_instance(self, instance_loader: object, row: Any) -> Any | None:  # noqa: ANN401  its signature
        """The stored line that the row is about."""
        return self.stored_line(self.key_of(row))

    def before_import_row(self, row: Any, **kwargs: Any) -> None:  # noqa: ANN401  its signature
        """Refuses a line that was there before: nobody could say which of them counts."""
        key = self.key_of(row)
        if key in self._named:
            raise ValidationError({self.keys[-1]: _("a line of its own, not one named before")})
        self._named.add(key)

    def do_instance_save(self, instance: Any, is_create: bool) -> None:  # noqa: ANN401, FBT001  its signature
        """Keeps the line; what the service refuses is told with its field."""
        try:
            self.keep(instance, is_new=is_create)
        except NotTaken as wrong:
            raise ValidationError({wrong.field: str(wrong.needed)}) from wrong
