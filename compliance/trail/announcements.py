"""Announcing changes to whoever listens: PostgreSQL's NOTIFY, with what the audit trail records.

Open pages update themselves by it (``casino.live``). A topic is a kind and a name, such as
``case:C-0012``; it says that something changed, never what. Applications declare in
``audit_actions.ANNOUNCED`` which records are announced: by the kind of their subject, or by
their action. Settlement and ingestion record thousands of others, and they cost two look-ups each:
PostgreSQL lets transactions that notify commit one at a time.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final

from compliance.storage.app_declarations import declarations
from compliance.storage.prepared_statements import execute_prepared

CHANNEL: Final = "sabot_changes"
MOST_NAMES: Final = 20
"""More changes of a kind in one transaction are announced as one, without names."""
LONGEST_TOPIC: Final = 200
_NOTIFY: Final = "SELECT pg_notify(%(channel)s, topic) FROM unnest(%(topics)s::text[]) AS topic"


def announce(topics: Iterable[str]) -> None:
    """Announces that these have changed, once the current transaction commits.

    Any role of the database may notify and listen, so a topic holds nothing that is confidential.
    """
    if merged := merged_topics(topics):
        execute_prepared(_NOTIFY, {"channel": CHANNEL, "topics": merged})


def announce_records(records: Iterable[tuple[str, str]]) -> None:
    """Announces those of these audit records, each an action and a subject, that are declared."""
    announced = _announced()
    topics = []
    for action, subject in records:
        kind, _colon, name = subject.partition(":")
        if topic := announced.get(action) or announced.get(kind):
            topics.append(f"{topic}:{name}")
    announce(topics)


def merged_topics(topics: Iterable[str]) -> list[str]:
    """The topics in order, each once; of kinds with more than ``MOST_NAMES`` only the kind."""
    by_kind: dict[str, dict[str, None]] = {}
    for topic in topics:
        short = topic[:LONGEST_TOPIC]
        by_kind.setdefault(short.partition(":")[0], {})[short] = None
    return [
        topic
        for kind, named in by_kind.items()
        for topic in (named if len(named) <= MOST_NAMES else [f"{kind}:"])
    ]


@cache
def _announced() -> Mapping[str, str]:
    """The kind of the topic by the kind of a record's subject, or by its action."""
    declared: dict[str, str] = {}
    for name, announced in declarations("audit_actions", "ANNOUNCED", default={}):
        if both := declared.keys() & announced.keys():
            raise ValueError(f"{name}: {', '.join(sorted(both))} is declared twice")
        declared |= announced
    return declared
