"""Messages of differences: kind, place, what was found, what was needed."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from payouts.ledger.models import Account, Transfer
from payouts.ledger.models.account import kind_and_asset_of
from payouts.reconciliation.checks.differences import Kind
from payouts.reconciliation.models import ReconcileDifference
from payouts.settlement.models import BetSettlement, Settlement
from rounds.formatting import bet_kind_label, money
from rounds.models import Validation
from rounds.rules.anomalies import ANOMALIES

Text = str | Promise

_PLACES: Final[Mapping[str, Text]] = {
    "round": gettext_lazy("round %(value)s"),
    "settlement": gettext_lazy("settlement %(value)s"),
    "entry": gettext_lazy("entry %(value)s"),
    "line": gettext_lazy("line %(value)s"),
    "bet": gettext_lazy("bet %(value)s"),
    "day": gettext_lazy("day %(value)s"),
    "table": gettext_lazy("table %(value)s"),
    "rules": "%(value)s",
    "bet_kind": "%(value)s",
    "account": gettext_lazy("account %(value)s"),
    "kind": "%(value)s",
    "asset": "%(value)s",
    "customer": "%(value)s",
    "reference": gettext_lazy("pay-over %(value)s"),
    "case": gettext_lazy("case %(value)s"),
    "id": "%(value)s",
    "month": gettext_lazy("month %(value)s"),
    "batch": gettext_lazy("batch %(value)s"),
    "first": gettext_lazy("record %(value)s"),
    "records": gettext_lazy("records: %(value)s"),
    "times": gettext_lazy("times reversed: %(value)s"),
}
"""The members of ``about``, in display order."""

_NAMES: Final[Mapping[str, Text]] = {
    "waits": gettext_lazy("in the queue"),
    "as_written": gettext_lazy("rewritten as received"),
    "round": gettext_lazy("round"),
    "source": gettext_lazy("source"),
    "known": gettext_lazy("digest of the inputs"),
    "verdicts": gettext_lazy("outcomes"),
    "verdict": gettext_lazy("outcome number"),
    "ruling": gettext_lazy("ruling"),
    "judged": gettext_lazy("evaluated"),
    "status": gettext_lazy("status"),
    "anomalies": gettext_lazy("anomalies"),
    "kind": gettext_lazy("kind"),
    "asset": gettext_lazy("asset"),
    "outcome": gettext_lazy("outcome"),
    "purpose": gettext_lazy("purpose"),
    "entry": gettext_lazy("entry"),
    "line": gettext_lazy("line"),
    "debit": gettext_lazy("from account"),
    "credit": gettext_lazy("to account"),
    "cents": gettext_lazy("amount"),
    "most_cents": gettext_lazy("limit"),
    "bet": gettext_lazy("bet"),
    "rounds": gettext_lazy("rounds"),
    "void_rounds": gettext_lazy("void rounds"),
    "bets": gettext_lazy("bets"),
    "void_bets": gettext_lazy("void bets"),
    "stakes_taken_cents": gettext_lazy("stakes received"),
    "held_cents": gettext_lazy("to held stakes"),
    "house_cents": gettext_lazy("to the house"),
    "staked_cents": gettext_lazy("staked"),
    "staked": gettext_lazy("staked"),
    "staked_chips_cents": gettext_lazy("golden chips staked"),
    "payout_cents": gettext_lazy("paid"),
    "paid": gettext_lazy("paid"),
    "chips_cents": gettext_lazy("golden chips returned"),
    "payout_chips_cents": gettext_lazy("golden chips returned"),
    "reasons": gettext_lazy("rules"),
    "bonus": gettext_lazy("bonus game"),
    "rules": gettext_lazy("rule set"),
    "rules_digest": gettext_lazy("digest of the rule set"),
    "results_digest": gettext_lazy("digest of the results"),
    "digest": gettext_lazy("digest"),
    "id": gettext_lazy("id"),
    "sequences": gettext_lazy("number of settlements"),
    "settlements": gettext_lazy("number of settlements"),
    "settlement": gettext_lazy("settlement"),
    "arrivals": gettext_lazy("number of arrivals"),
    "records": gettext_lazy("audit records"),
    "booked_on": gettext_lazy("booked on"),
    "closed": gettext_lazy("closed"),
    "closing": gettext_lazy("digest of the closing"),
    "totals": gettext_lazy("digest of its totals"),
    "on_record": gettext_lazy("recorded digest"),
    "carried": gettext_lazy("digest of its sums"),
    "archived": gettext_lazy("digest of its sums in the record of the archive"),
    "list": gettext_lazy("digest of the archive's list"),
    "left": gettext_lazy("digest of names and rulings"),
    "actor": gettext_lazy("who"),
    "approved_by": gettext_lazy("approved by"),
    "reason": gettext_lazy("reason"),
    "user": gettext_lazy("account of the person"),
    "reconciliation": gettext_lazy("reconciliation"),
    "rows": gettext_lazy("rows"),
    "error": gettext_lazy("error"),
    "first_line": gettext_lazy("first line"),
    "last_line": gettext_lazy("last line"),
    "first": gettext_lazy("first"),
    "last": gettext_lazy("last"),
    "at": gettext_lazy("when"),
}
"""The members of ``found`` and ``expected``, in display order."""

_ROWS: Final[Mapping[str, Text]] = {
    "transfers": gettext_lazy("transfers"),
    "settlements": gettext_lazy("settlements"),
    "results": gettext_lazy("results of bets"),
    "verdicts": gettext_lazy("outcomes"),
    "rulings": gettext_lazy("rulings"),
    "bets": gettext_lazy("bets"),
    "names": gettext_lazy("names"),
    "customers": gettext_lazy("customers"),
    "carried": gettext_lazy("sums carried forward"),
}
_NEEDED: Final[Mapping[str, Text]] = {
    Kind.SIGN.value: gettext_lazy("a balance of at least zero"),
    Kind.QUEUE.value: gettext_lazy("a round that is queued or settled"),
    Kind.UNREADABLE.value: gettext_lazy("a round that its rules can evaluate"),
    Kind.UNSETTLED.value: gettext_lazy("a settlement, because the rules give one"),
    Kind.SEQUENCE.value: gettext_lazy("the settlement that they belong to"),
    Kind.UNKNOWN.value: gettext_lazy("the round or pay-over that they belong to"),
    Kind.RECORDS_MISSING.value: gettext_lazy("all records that the batch contains"),
    Kind.RECORDS_ADDED.value: gettext_lazy("only the records that the batch contains"),
    Kind.TRANSFER.value: gettext_lazy("no transfer"),
    Kind.REVERSAL.value: gettext_lazy("no reversal"),
    Kind.BET.value: gettext_lazy("no bet"),
    Kind.DAY_CLOSED.value: gettext_lazy("a closing with its totals"),
    Kind.DECISION.value: gettext_lazy("the signatures of those who decided"),
}
"""What was needed, if it is no value."""

_FOUND: Final[Mapping[str, Text]] = {
    Kind.BALANCE.value: gettext_lazy("no account"),
    Kind.UNSETTLED.value: gettext_lazy("no settlement"),
    Kind.NOT_BY_RULES.value: gettext_lazy("a settlement according to the rules"),
    Kind.RECORDS_MISSING.value: gettext_lazy("none"),
    Kind.RECORDS_ADDED.value: gettext_lazy("records that are in no batch"),
}
"""What was found, if it is no value."""

_CHOICES: Final[Mapping[str, Mapping[str, Text]]] = {
    "kind": {
        **dict(Account.Kind.choices),
        **dict(Settlement.Kind.choices),
    },
    "asset": dict(Account.Asset.choices),
    "outcome": dict(BetSettlement.Outcome.choices),
    "purpose": dict(Transfer.Purpose.choices),
    "status": dict(Validation.Status.choices),
    "rows": _ROWS,
    "anomalies": ANOMALIES,
}
_ANSWERS: Final[Mapping[bool | None, Text]] = {
    None: gettext_lazy("none"),
    True: gettext_lazy("yes"),
    False: gettext_lazy("no"),
}


def title_of(difference: ReconcileDifference) -> str:
    """The kind of difference."""
    return str(difference.get_kind_display())


def place_of(difference: ReconcileDifference) -> str:
    """The round, account, day or records that differ."""
    about = difference.about
    return " · ".join(
        str(words) % {"value": _value(name, about[name])}
        for name, words in _PLACES.items()
        if about.get(name) not in (None, "")
    )


def found_of(difference: ReconcileDifference) -> str:
    """What was found, as far as it differs."""
    if difference.found is None:
        return str(_FOUND.get(difference.kind, _("nothing")))
    return _members(difference.found, other=difference.expected)


def needed_of(difference: ReconcileDifference) -> str:
    """What was needed, as far as it differs."""
    if difference.expected is None:
        return str(_NEEDED[difference.kind])
    return _members(difference.expected, other=difference.found)


def difference_message(difference: ReconcileDifference) -> str:
    """The difference in one line."""
    return _("%(kind)s, %(place)s: found %(found)s; needed %(needed)s") % {
        "kind": title_of(difference),
        "place": place_of(difference),
        "found": found_of(difference),
        "needed": needed_of(difference),
    }


def _members(members: Mapping[str, Any], *, other: Mapping[str, Any] | None) -> str:
    """The members that differ from the other side; all if none does."""
    different = [
        name for name, value in members.items() if other is None or other.get(name, ...) != value
    ]
    shown = [name for name in _NAMES if name in (different or members)]
    return ", ".join(f"{_NAMES[name]} {_value(name, members[name])}" for name in shown)


def _value(name: str, value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(_value(name, item) for item in value) or _("none")
    if isinstance(value, dict):
        return ", ".join(f"{key} {_value(key, item)}" for key, item in value.items())
    if value is None or isinstance(value, bool):
        return str(_ANSWERS[value])
    if name.endswith("cents"):
        return money(value)
    return _FORMATS[name](value) if name in _FORMATS else _choice(name, value)


def _choice(name: str, value: Any) -> str:
    return str(_CHOICES.get(name, {}).get(value, value))


def _account(account_id: int) -> str:
    """A customer's account by its number, a shared account by kind and asset."""
    known = kind_and_asset_of(account_id)
    if account_id >= 0 or known is None:
        return str(account_id)
    kind, asset = known
    return f"{_choice('kind', kind)} ({_choice('asset', asset)})"


def _digest(value: str) -> str:
    """The first twelve digits, in groups of four."""
    return "·".join(value[at : at + 4] for at in (0, 4, 8))


_FORMATS: Final[Mapping[str, Callable[[Any], str]]] = {
    "bet_kind": bet_kind_label,
    "debit": _account,
    "credit": _account,
    "digest": _digest,
    "known": _digest,
    "rules_digest": _digest,
    "results_digest": _digest,
    "closing": _digest,
    "totals": _digest,
    "on_record": _digest,
    "carried": _digest,
    "archived": _digest,
    "list": _digest,
    "left": _digest,
}
