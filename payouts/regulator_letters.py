"""Letters to and from the regulator or the external body that reviews disputes."""

from datetime import date
from typing import Any, NamedTuple

from compliance.trail.steps import StepError


class LetterReferenceMissing(StepError):
    """The letter has no reference."""


class Letter(NamedTuple):
    """A letter by its reference and date, with a note."""

    reference: str
    on_day: date
    note: str = ""

    def columns(self) -> dict[str, Any]:
        """The columns of a step that cites the letter. Raises LetterReferenceMissing."""
        if not self.reference.strip():
            raise LetterReferenceMissing("reference: found none; needed that of a letter")
        return {
            "reference": self.reference.strip(),
            "on_day": self.on_day,
            "note": self.note.strip(),
        }
