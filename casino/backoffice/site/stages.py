"""Stages of a case, a dispute or a bundle, as ``site/stages.html`` shows them."""

from collections.abc import Sequence


def stages_at(labels: Sequence[str], current: int) -> list[tuple[str, str]]:
    """Each label with ``done``, ``now`` or ``later``; all are done past the last index."""
    states = ("later", "now", "done")
    return [
        (label, states[(number <= current) + (number < current)])
        for number, label in enumerate(labels)
    ]
