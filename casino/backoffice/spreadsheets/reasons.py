"""The managed reasons as a list."""

from collections.abc import Iterable
from dataclasses import dataclass

from import_export.fields import Field

from casino.backoffice.spreadsheets.cells import TextCell, YesNoCell
from casino.backoffice.spreadsheets.resource import ListResource
from payouts.cases.manage_reasons import Wording, add_reason, change_reason
from payouts.cases.models import Reason
from payouts.cases.reasons_in_force import reason_in_force, reasons_in_force
from rounds.field_errors import InvalidField


@dataclass
class ReasonRow:
    """A reason, stored or new."""

    code: str = ""
    purpose: str = ""
    text_it: str = ""
    text_en: str = ""
    needs_regulator: bool | None = None
    is_active: bool | None = None
    stored_purpose: str = ""
    version: int = 0


class ReasonList(ListResource):
    """Reasons by code. Reasons that are not in the file are unchanged."""

    keys = ("code",)
    code = Field("code", "code", TextCell())
    purpose = Field("purpose", "purpose", TextCell())
    text_it = Field("text_it", "text_it", TextCell())
    text_en = Field("text_en", "text_en", TextCell())
    needs_regulator = Field("needs_regulator", "needs_regulator", YesNoCell())
    is_active = Field("is_active", "is_active", YesNoCell())

    def stored(self) -> Iterable[ReasonRow]:
        """Every reason."""
        return map(_line_of, reasons_in_force())

    def stored_line(self, key: tuple[str, ...]) -> ReasonRow | None:
        """The reason of that code."""
        reason = reason_in_force(key[0])
        return None if reason is None else _line_of(reason)

    def init_instance(self, row: object = None) -> ReasonRow:
        """A new reason."""
        return ReasonRow()

    def keep(self, line: ReasonRow, *, is_new: bool) -> None:
        """Add or change the reason; its purpose cannot change."""
        regulator, active = bool(line.needs_regulator), bool(line.is_active)
        wording = Wording(line.text_it, line.text_en, regulator, active)
        if is_new:
            add_reason(
                code=line.code, purpose=line.purpose, wording=wording, at=self.at, actor=self.actor
            )
            return
        if line.purpose != line.stored_purpose:
            raise InvalidField("purpose", line.purpose, line.stored_purpose)
        change_reason(
            code=line.code, wording=wording, seen=line.version, at=self.at, actor=self.actor
        )

    def subject_of(self, key: tuple[str, ...]) -> str:
        """The reason."""
        return f"reason:{key[0]}"


def _line_of(reason: Reason) -> ReasonRow:
    return ReasonRow(
        reason.code,
        reason.purpose,
        reason.text_it,
        reason.text_en,
        reason.needs_regulator,
        reason.is_active,
        reason.purpose,
        reason.version,
    )
