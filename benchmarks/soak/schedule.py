"""Which faults a soak plays, when and for how long; all of it follows from the seed."""

from collections.abc import Sequence
from random import Random
from typing import Final, NamedTuple


class Kind(NamedTuple):
    """A kind of fault, and what has to follow."""

    name: str
    seconds: float
    """How long it lasts; 0 for a kill, after which the supervisor restarts the process."""
    text: str
    must: Sequence[str] = ()
    """The alerts that have to fire."""
    may: Sequence[str] = ()
    """Those that may fire as well: whether they do depends on when the fault comes."""
    stops_calls: bool = False
    """Whether calls of pages and API may fail meanwhile, with 5xx or without an answer."""
    stops_people: bool = False
    """Whether people in a browser may not get done what they began."""
    hides: bool = False
    """Whether Prometheus sees no facts meanwhile, so that its rules wait anew."""
    refuses_signatures: bool = False
    """Whether signed requests have to be refused meanwhile for their time; none else may be."""
    lasts: bool = False
    """Whether its cause stays to the end of the load, while other faults are played."""
    is_renewed: bool = False
    """Whether what expired is renewed when the load ends, after which its alerts have to end."""
    label: str = ""
    """The label ``kind`` of its alerts, where others have the same name."""


_WAIT: Final = ("SabotRoundsWait", "SabotAuditLogNotSigned", "SabotRecheckStopped")
"""Of workers that do nothing for a while."""
_API: Final = ("SabotApiFails", "SabotApiSlow")
_METRICS: Final = ("SabotMetricsMissing", "SabotHostUnreachable")
TASKS: Final = "SabotExceptionsWait"
"""For a task that failed thrice: it is listed for a while after it has recovered."""
LISTED_FOR: Final = 300.0
"""Seconds, which are not shortened."""
_DOWN: Final = ("SabotDatabaseUnreachable", *_WAIT, *_API, TASKS)

KILLS: Final = (
    Kind("web-killed", 0, "kill -9 of a web host with its processes", may=_API, stops_calls=True),
    Kind("web-process-killed", 0, "kill -9 of one process of a web host", stops_calls=True),
    Kind("worker-killed", 0, "kill -9 of a worker host with its processes", may=_WAIT),
    Kind("worker-process-killed", 0, "kill -9 of one process of a worker", may=_WAIT),
    Kind("uploads-killed", 0, "kill -9 of the worker for uploaded files"),
    Kind("exporter-killed", 0, "kill -9 of the exporter"),
    Kind("lists-killed", 0, "kill -9 of the worker for list files"),
    Kind("beat-killed", 0, "kill -9 of beat", may=_WAIT),
    Kind("metrics-killed", 0, "kill -9 of serve_metrics", may=_METRICS, hides=True),
    Kind("ingest-killed", 0, "kill -9 of the running ingest; the file is ingested again"),
    Kind("postmaster-killed", 0, "kill -9 of the primary", may=_DOWN, stops_calls=True, hides=True),
    Kind("broker-killed", 0, "kill -9 of the broker", may=_WAIT),
)
OUTAGES: Final = (
    Kind(
        *("primary-down", 45, "the primary is killed and stays down"),
        must=["SabotDatabaseUnreachable"],
        may=_DOWN,
        stops_calls=True,
        hides=True,
    ),
    Kind(
        *("promotion", 60, "the primary is lost, the replica promoted, a new replica made"),
        must=["SabotDatabaseUnreachable", "SabotReplicaUnreachable"],
        may=_DOWN,
        stops_calls=True,
        hides=True,
    ),
    Kind(
        *("wal-full", 40, "the disk of the primary's write-ahead log is full"),
        must=["SabotDatabaseUnreachable"],
        may=_DOWN,
        stops_calls=True,
        hides=True,
    ),
    Kind(
        *("replica-stopped", 40, "the replica is stopped"),
        must=["SabotReplicaUnreachable"],
        may=[*_API, TASKS],
        stops_calls=True,
    ),
    Kind(
        *("replica-paused", 45, "the replica receives and does not replay"),
        may=["SabotReplicaBehind"],
    ),
    Kind(
        *("broker-cut", 75, "every connection to the broker is cut and refused"),
        must=["SabotRoundsWait"],
        may=[*_WAIT, "SabotApiSlow"],
    ),
    Kind(
        *("broker-silent", 75, "connections to the broker stay open and carry nothing"),
        must=["SabotRoundsWait"],
        may=[*_WAIT, "SabotApiSlow"],
    ),
    Kind(
        *("log-key-gone", 90, "the key of the audit log is gone"),
        must=["SabotAuditLogNotSigned"],
        may=[TASKS],
    ),
    Kind("webhook-down", 40, "the receiver of a webhook answers 503"),
    Kind(
        *("webhook-gone", 60, "the receiver answers 410; its program resumes the webhook"),
        must=["SabotWebhookStopped"],
    ),
    Kind("metrics-stopped", 60, "serve_metrics is stopped", must=_METRICS, hides=True),
    Kind("exports-full", 60, "the disk of the exports is full", may=[TASKS]),
    Kind(
        *("unsigned-table", 60, "a studio delivers rounds without signatures"),
        must=["SabotManyRoundsHeld"],
    ),
    Kind(
        *("expiring-key", 0, "a studio's key that expires in ten days is registered"),
        must=["SabotExpiresSoon"],
        lasts=True,
        label="studio_key",
    ),
    Kind(
        *("certificate-expired", 0, "the certificate of the exports has expired"),
        must=["SabotExpiresSoon"],
        lasts=True,
        is_renewed=True,
        label="export_certificate",
    ),
)
_CLOCK_SECONDS: Final = 50
CLOCK_IS_WRONG_BY: Final = 600
"""Seconds: twice what a signed request may differ by."""
CLOCKS: Final = (
    Kind(
        *("web-clock-ahead", _CLOCK_SECONDS, "the clock of a web host is ten minutes ahead"),
        refuses_signatures=True,
        stops_people=True,
    ),
    Kind(
        *("web-clock-back", _CLOCK_SECONDS, "the clock of a web host is ten minutes back"),
        may=_WAIT,
        refuses_signatures=True,
        stops_people=True,
    ),
    Kind("worker-clock-ahead", _CLOCK_SECONDS, "the clock of a worker host is ten minutes ahead"),
    Kind(
        *("worker-clock-back", _CLOCK_SECONDS, "the clock of a worker host is ten minutes back"),
        may=_WAIT,
    ),
    Kind(
        *(
            "feed-clock-back",
            _CLOCK_SECONDS,
            "the clock of the host of `ingest` is ten minutes back",
        ),
        may=[*_WAIT, "SabotManyRoundsHeld"],  # the studio's key was approved after that time
    ),
    Kind(
        *("studio-clock-ahead", _CLOCK_SECONDS, "the clock of a studio is ten minutes ahead"),
        refuses_signatures=True,
    ),
)
"""A clock steps, and is set right; the first worker host is that of beat too.

What a host writes down while its clock is back seems to have waited since then."""
KINDS: Final = {kind.name: kind for kind in (*KILLS, *OUTAGES, *CLOCKS)}

ALWAYS: Final = ("SabotExceptionsWait",)
"""Fires without a fault: the feeds have invalid and conflicting documents, left unresolved."""
RECOVERS_WITHIN: Final = 90.0
"""Seconds after the end of a fault in which its effects have to be over."""

_WARM_UP: Final = 0.08
_TAIL: Final = 0.10
_LEAST_GAP: Final = 15.0


class Fault(NamedTuple):
    """A fault at its time."""

    kind: Kind
    at: float
    """Seconds after the beginning of the load."""
    victim: int
    """Which of two hosts, where there are two."""

    @property
    def until(self) -> float:
        """When its cause ends."""
        return self.at + self.kind.seconds


def deal_faults(
    *, seed: int, seconds: float, without: Sequence[str] = (), only: Sequence[str] = ()
) -> list[Fault]:
    """The faults of a soak, in the order of time; they do not overlap.

    ``without`` are kinds that this machine cannot play. Every kind comes once before one comes
    again, those that last first and once, as their alerts take longest. A short soak has the
    kinds that fit.
    """
    chance = Random(seed)  # noqa: S311  faults, no secrets
    faults: list[Fault] = []
    at, end = seconds * _WARM_UP, latest_end(seconds)
    playable = [
        kind for kind in KINDS.values() if kind.name not in without and kind.name in (only or KINDS)
    ]
    while playable:
        for kind in _deck(playable, chance, is_first=not faults):
            fault = Fault(kind, at, chance.randrange(2))
            if fault.until > end:
                return faults
            faults.append(fault)
            at = fault.until + _pause(kind, chance)
        playable = [kind for kind in playable if not kind.lasts]
    return faults


def latest_end(seconds: float) -> float:
    """When the last fault of a soak ends, at the latest, so that what follows is seen."""
    return seconds * (1 - _TAIL)


def _deck(kinds: Sequence[Kind], chance: Random, *, is_first: bool) -> list[Kind]:
    shuffled = chance.sample(kinds, len(kinds))
    return sorted(shuffled, key=lambda kind: not kind.lasts) if is_first else shuffled


def _pause(kind: Kind, chance: Random) -> float:
    """Until the next fault: longer after an outage, so that alerts have time to end."""
    least = _LEAST_GAP if kind.seconds == 0 else 2 * _LEAST_GAP
    return chance.uniform(least, 1.7 * least)
