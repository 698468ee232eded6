"""What an analysis changes, in words."""

from typing import NamedTuple

from django.utils.translation import gettext as _

from compliance.impact.models import ImpactAnalysis
from rounds.rules.ambiguities.register import REGISTER


class ChangeText(NamedTuple):
    """What is changed, from what to what."""

    what: str
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.what}: {self.before} → {self.after}"


def change_texts(analysis: ImpactAnalysis) -> list[ChangeText]:
    """Each change; of a reading the adopted one and the other."""
    if analysis.reading:
        return [reading_text(analysis.reading, analysis.reading_index or 0)]
    return [
        ChangeText(f"{rules} · {field}", before, after)
        for rules, field, before, after in analysis.fields
    ]


def reading_text(key: str, index: int) -> ChangeText:
    """The ambiguity, its adopted reading, and another one."""
    point = REGISTER[key]
    return ChangeText(_(point.title), _(point.settled_by.says), _(point.readings[index].says))
