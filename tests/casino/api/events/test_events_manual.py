"""The snippet and the table of docs/events.md are correct."""

import re
from datetime import timedelta
from typing import Any, Final

import pytest

from casino.embedded.server_paths import CLONE
from casino.integrations.deliver_events import MOST_DEAD, PAUSES
from tests.casino.api.events.event_scenarios import deliver, settled_rounds, webhook_to
from tests.casino.api.events.receiver import receiving
from tests.casino_in_play import open_table

_MANUAL: Final = (CLONE / "docs" / "events.md").read_text()
_UNITS: Final = {"s": "seconds", "min": "minutes", "h": "hours"}


@pytest.mark.django_db
def test_the_snippet_verifies_messages() -> None:
    """The documented code accepts a real message and refuses a changed one."""
    [snippet] = re.findall(r"```python\n(.*?)```", _MANUAL, flags=re.DOTALL)
    namespace: dict[str, Any] = {}
    exec(snippet, namespace)  # noqa: S102  our own manual
    open_table()
    settled_rounds("r-1")
    with receiving() as receiver:
        added = webhook_to(receiver.url)
        deliver(added.webhook)
    [message] = receiver.messages

    verify = namespace["verify"]
    assert verify(added.secret, message.headers, message.body)
    assert not verify(added.secret, message.headers, message.body.replace(b"2500", b"2600"))
    late = message.headers | {"webhook-timestamp": "1"}
    assert not verify(added.secret, late, message.body)
    other = webhook_to("https://studio.example/").secret
    assert not verify(other, message.headers, message.body)


def test_the_documented_pauses_are_those_in_use() -> None:
    """The table has the pauses in order, and the limit of dead letters."""
    [row] = re.findall(r"\| pause \|(.*)\|\n", _MANUAL)
    pauses = [
        timedelta(**{_UNITS[unit]: int(count)}) for count, unit in re.findall(r"(\d+) (\w+)", row)
    ]

    assert tuple(pauses) == PAUSES
    assert MOST_DEAD == 3
    assert "After three dead letters in a row" in _MANUAL
