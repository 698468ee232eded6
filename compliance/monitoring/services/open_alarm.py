"""Opening the case of an alarm: what was seen, in how many rounds, and the latest of them."""

from datetime import datetime, time, timedelta
from math import log
from typing import Final
from uuid import UUID

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

from compliance.monitoring.models import Look, Watch, WatchAlarm, What
from compliance.monitoring.seen import Seen
from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entries
from payouts.models import Case, Reason, Settlement
from payouts.services.open_case import Window, open_case
from rounds.gaming_day import ROME, end_of_day
from rounds.models import Bet, Round

REASON: Final = "drift"
"""The code of the reason; compliance words it, and cannot take it out of use."""

MOST_ROUNDS: Final = 100
"""So many rounds are named in the case, the latest; the alarm rests on all."""
_WINDOW: Final = timedelta(days=30)
_POWERS: Final = log(10)


def open_alarm(look: Look, watch: Watch, seen: Seen, *, at: datetime, actor: Actor) -> WatchAlarm:
    """Opens the case and records the alarm, in the current transaction.

    Raises Reason.DoesNotExist, or ReasonNotInUse while compliance has the reason out of use.
    """
    window = None
    if watch.table is not None:
        first = datetime.combine(look.last_day, time(), ROME) - _WINDOW
        window = Window(watch.table, first, min(end_of_day(look.last_day), at))
    case = open_case(
        kind=Case.Kind.MALFUNCTION,
        reason=Reason.objects.get(code=REASON),
        text=_words(watch, seen),
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
        "rounds": seen.rounds,
        "log_evidence": f"{seen.log_evidence:.3f}",
        "case": str(case),
    }
    record_entries([Entry("TABLE_IN_ALARM", f"watch:{watch.pk}", details)], at=at, actor=actor)
    return alarm


def _rounds(look: Look, watch: Watch) -> list[UUID]:
    """The latest rounds of the watch until the day, in the order of play; void ones of voids."""
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


def _words(watch: Watch, seen: Seen) -> str:
    """What was seen, in the active language."""
    evidence = seen.log_evidence or 0.0
    told = [
        _("The table monitor gives alarm: %(what)s, %(where)s, %(rules)s.")
        % {
            "what": _what(watch),
            "where": watch.table or _("all tables together"),
            "rules": watch.rules,
        },
        _("%(rounds)s rounds since the start; evidence of 10 to the power of %(power)s.")
        % {"rounds": f"{seen.rounds:,}", "power": f"{evidence / _POWERS:.1f}"},
    ]
    if seen.leans is not None:
        told.append(_leaning(watch, seen.leans))
    if seen.returned is not None and seen.held_to.certified is not None:
        told.append(
            _("Returned: %(returned)s %%; certified: %(certified)s %%.")
            % {
                "returned": f"{100 * seen.returned:.3f}",
                "certified": f"{100 * seen.held_to.certified:.3f}",
            }
        )
    told.append(_("The latest rounds are named here, at most %(most)s.") % {"most": MOST_ROUNDS})
    return "\n".join(told)


def _what(watch: Watch) -> str:
    what = str(What(watch.what).label)
    return f"{what} {watch.kind}" if watch.kind else what


def _leaning(watch: Watch, leans: float) -> str:
    if watch.what == What.VOIDS:
        return _("The void rounds spare the house.") if leans > 0 else _("Voids cost the house.")
    if leans > 0:
        return _("It rather pays too much.")
    return _("It rather pays too little.")
