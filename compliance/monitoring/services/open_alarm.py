"""Opens the case of an alarm, with the evidence and the latest rounds."""

from datetime import datetime, time, timedelta
from math import log
from typing import Final
from uuid import UUID

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

from compliance.monitoring.models import Look, Watch, WatchAlarm, What
from compliance.monitoring.observations import Observation
from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entries
from payouts.cases.models import Case
from payouts.cases.open_case import ReasonNotInUse, Window, open_case
from payouts.cases.reasons_in_force import reason_in_force
from payouts.settlement.models import Settlement
from rounds.gaming_day import ROME, end_of_day
from rounds.models import Bet, Round

REASON: Final = "drift"
"""Code of the case reason; its text is editable, but it cannot be retired."""

MOST_ROUNDS: Final = 100
"""Maximum number of rounds linked to the case, the latest ones."""
_WINDOW: Final = timedelta(days=30)
_POWERS: Final = log(10)


def open_alarm(
    look: Look, watch: Watch, observation: Observation, *, at: datetime, actor: Actor
) -> WatchAlarm:
    """Opens the case and records the alarm, in the current transaction.

    Raises ReasonNotInUse if the reason is retired.
    """
    reason = reason_in_force(REASON)
    if reason is None:
        raise ReasonNotInUse(f"found no reason {REASON}; needed the one of the monitor")
    window = None
    if watch.table is not None:
        first = datetime.combine(look.last_day, time(), ROME) - _WINDOW
        window = Window(watch.table, first, min(end_of_day(look.last_day), at))
    case = open_case(
        kind=Case.Kind.MALFUNCTION,
        reason=reason,
        text=_case_text(watch, observation),
        round_ids=_rounds(look, watch),
        window=window,
        at=at,
        actor=actor,
    )
    alarm = WatchAlarm.objects.create(look=look, watch=watch, case=case)
    details = {
        "what": watch.what,
        "table": None if watch.table is None else watch.table.code,
        "rules": watch.rules,
        "kind": watch.kind,
        "rounds": observation.rounds,
        "log_evidence": f"{observation.log_evidence:.3f}",
        "case": str(case),
    }
    record_entries([Entry("TABLE_IN_ALARM", f"watch:{watch.pk}", details)], at=at, actor=actor)
    return alarm


def _rounds(look: Look, watch: Watch) -> list[UUID]:
    """The latest rounds of the watch up to the day, in order of play; only void ones for voids."""
    end = end_of_day(look.last_day)
    rounds = Round.objects.filter(rules=watch.rules, opened_at__lt=end)
    if watch.table is not None:
        rounds = rounds.filter(table=watch.table)
    if watch.what == What.VOIDS:
        void = Settlement.objects.filter(kind=Settlement.Kind.VOID).values("round_id")
        rounds = rounds.filter(id__in=void)
    elif watch.kind:
        bets = Bet.objects.filter(round_id=OuterRef("id"), kind=watch.kind)
        rounds = rounds.filter(Exists(bets))
    ids = rounds.order_by("-id").values_list("id", flat=True)
    return sorted(ids[:MOST_ROUNDS])


def _case_text(watch: Watch, observation: Observation) -> str:
    """The text of the case, in the active language."""
    evidence = observation.log_evidence or 0.0
    sentences = [
        _("Table monitor alarm: %(what)s, %(where)s, %(rules)s.")
        % {
            "what": _what(watch),
            "where": watch.table or _("all tables together"),
            "rules": watch.rules,
        },
        _("%(rounds)s rounds since the start; evidence 10 to the power of %(power)s.")
        % {"rounds": f"{observation.rounds:,}", "power": f"{evidence / _POWERS:.1f}"},
    ]
    if observation.leans is not None:
        sentences.append(_direction(watch, observation.leans))
    if observation.returned is not None and observation.expected.certified is not None:
        sentences.append(
            _("Actual return: %(returned)s %%; certified return: %(certified)s %%.")
            % {
                "returned": f"{100 * observation.returned:.3f}",
                "certified": f"{100 * observation.expected.certified:.3f}",
            }
        )
    sentences.append(
        _("This case lists the latest rounds, at most %(most)s.") % {"most": MOST_ROUNDS}
    )
    return "\n".join(sentences)


def _what(watch: Watch) -> str:
    what = str(What(watch.what).label)
    return f"{what} {watch.kind}" if watch.kind else what


def _direction(watch: Watch, leans: float) -> str:
    if watch.what == What.VOIDS:
        return (
            _("The void rounds are in favour of the house.")
            if leans > 0
            else _("The void rounds are against the house.")
        )
    if leans > 0:
        return _("The payouts tend to be too high.")
    return _("The payouts tend to be too low.")
