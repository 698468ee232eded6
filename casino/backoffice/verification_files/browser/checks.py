"""The checks of a verification file: its document, its rules and its payouts, after its proofs."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from casino.backoffice.verification_files.browser.proof_checks import Check, State, check_proofs
from compliance.exports import verify_bundle
from payouts.settlement.results_digest import digest_of, result_lines
from rounds.feed.digest import content_digest, digest_of_arrival
from rounds.feed.exceptions import FeedError
from rounds.feed.parse_document import parse_document
from rounds.formatting import euro
from rounds.reduced_round import renumbered
from rounds.row_mapping import ruling_of
from rounds.rules.catalogue import rule_set
from rounds.rules.facts import Round
from rounds.rules.money import format_cents, parse_cents
from rounds.rules.ruling import Ruling, as_ruled, judge_as_ruled
from rounds.rules.shoe import Shoe
from rounds.rules.verdict import Grade, Verdict, void_verdict
from rounds.rules.void import BY_DECISION

Json = dict[str, Any]

FORMAT: Final = "sabot verification/1"
_NO_RULING: Final = Ruling()
_RECEIVED: Final = "ROUND_RECEIVED"
_VOIDED: Final = "ROUND_VOIDED"
_SETTLING: Final = ("ROUND_SETTLED", "ROUND_RESETTLED", "ROUND_RULED", _VOIDED)


class Judged(NamedTuple):
    """The round as its latest settlement sees it, or as delivered if there is none."""

    dealt: Round
    ruling: Ruling
    verdict: Verdict
    customer: str | None
    """Whose bets are shown; None for all."""
    paid: Mapping[str, Grade]
    """By bet: of a customer's file what the operator says it paid, otherwise what was judged."""


class Checked(NamedTuple):
    """A file and what was found in it."""

    checks: tuple[Check, ...]
    judged: Judged | None
    """None if the document cannot be read."""


class _Record(NamedTuple):
    action: str
    details: Json


def check_file(file: Json, *, known: str) -> Checked:
    """All checks of a decoded file.

    ``known`` is what the reader knows from elsewhere about the audit log: the id of its key, the
    policy of its witnesses, or nothing. Raises KeyError, TypeError or ValueError for a file of
    another form.
    """
    if file["verification"] != FORMAT:
        raise ValueError(f"found the format {file['verification']!r}; needed {FORMAT!r}")
    proofs = tuple(check_proofs(file["receipt"], known.strip()))
    try:
        dealt = parse_document(file["document"])
    except FeedError as error:
        text = _("The document is invalid: %(error)s") % {"error": error}
        return Checked((*proofs, Check(State.DIFFERS, text)), None)
    if not isinstance(dealt, Round) or dealt.round != file["receipt"]["round"]:
        text = _("The document is not that of the round of the proofs.")
        return Checked((*proofs, Check(State.DIFFERS, text)), None)
    checks, judged = _check_round(file, dealt)
    return Checked((*proofs, *checks), judged)


def _check_round(file: Json, dealt: Round) -> tuple[list[Check], Judged]:
    records, arrival = _records_of(file["receipt"]), file["arrival"] or {}
    received = [record.details for record in records if record.action == _RECEIVED]
    settled = {it.details["settlement"]: it for it in records if it.action in _SETTLING}
    checks = list(_check_rules(dealt.rules, received))
    shoe = _shoe_of(arrival.get("shoe"))
    limits = {kind: (least, most) for kind, (least, most) in arrival.get("limits", {}).items()}
    numbers = _numbers_of(file, bets=len(dealt.bets))
    rulings = {
        number: renumbered(ruling_of(record.details["ruling"]), numbers)
        for number, record in settled.items()
        if "ruling" in record.details
    }

    def judge(settlement: int) -> Verdict:
        rules, ruling = rule_set(dealt.rules), rulings.get(settlement)
        if settlement in settled and settled[settlement].action == _VOIDED:
            return void_verdict(dealt, BY_DECISION)
        if ruling is None:
            return rules.judge(dealt, shoe, limits)
        return judge_as_ruled(rules, dealt, shoe, limits, ruling)

    if sorted(settled) != list(range(1, len(settled) + 1)):
        checks.append(Check(State.DIFFERS, _("The file leaves out a settlement of the round.")))
    latest = max(settled, default=0)
    verdict = judge(latest)
    by_rules = dict(zip([bet.id for bet in dealt.bets], verdict.grades, strict=False))
    if file["customer"] is None:
        checks += _check_document(dealt, arrival, shoe, received)
        for number, record in sorted(settled.items()):
            checks.append(_check_settlement(record, judge(number), is_ruled=number in rulings))
        paid = by_rules if settled else {}
    else:
        text = _(
            "The bets of other customers are left out, so the document cannot be compared with its"
            " digest in the log. Where their cards need a bet, one of one euro takes its place."
        )
        checks.append(Check(State.UNPROVED, text))
        paid = {bet: _grade_of(line) for bet, line in file["paid"].items()}
        checks += _check_paid(paid, by_rules)
    if not settled:
        checks.append(Check(State.UNPROVED, _("The round has not been settled.")))
    ruling = rulings.get(latest, _NO_RULING)
    return checks, Judged(as_ruled(dealt, ruling), ruling, verdict, file["customer"], paid)


def _numbers_of(file: Json, *, bets: int) -> Sequence[int]:
    """The numbers of the bets in the whole round, by which rulings name them."""
    numbers: Any = file["numbers"]
    if file["customer"] is None and numbers is None:
        return range(bets)
    if file["customer"] is None or type(numbers) is not list or len(numbers) != bets:
        raise ValueError(f"found the numbers {numbers}; needed one for each bet of a customer")
    return numbers


def _records_of(receipt: Json) -> list[_Record]:
    parsed = map(verify_bundle.parsed, receipt["records"])
    return [_Record(record.action, record.details or {}) for record in parsed]


def _check_rules(name: str, received: Sequence[Json]) -> Iterator[Check]:
    digest = rule_set(name).digest.hex()
    named = {"rules": name, "digest": digest}
    if not received:
        text = _("The file has no record of the round's arrival.")
        yield Check(State.DIFFERS, text)
    elif all(details["rules_digest"] == digest for details in received):
        text = _("The rules are those that the log recorded: %(rules)s, SHA-256 %(digest)s.")
        yield Check(State.AGREES, text % named)
    else:
        text = _("The log recorded other rules of the name %(rules)s than this page has.")
        yield Check(State.DIFFERS, text % named)


def _check_document(
    dealt: Round, arrival: Json, shoe: Shoe | None, received: Sequence[Json]
) -> Iterator[Check]:
    digest = content_digest(dealt).hex()
    if any(details["digest"] == digest for details in received):
        text = _("Cards, bets and times are those that the log recorded when the round arrived.")
        yield Check(State.AGREES, text)
    else:
        yield Check(
            State.DIFFERS, _("Cards, bets or times differ from those that the log recorded.")
        )
    state = digest_of_arrival(
        arrival=arrival["number"],
        limit_set_id=arrival["limit_set"],
        position=None if shoe is None else shoe.position,
        seen=None if shoe is None else shoe.seen,
    ).hex()
    if any(details.get("known") == state for details in received):
        text = _("The state of the shoe before the round is the recorded one.")
        yield Check(State.AGREES, text)
    else:
        text = _("The state of the shoe before the round differs from the recorded one.")
        yield Check(State.DIFFERS, text)


def _check_settlement(record: _Record, verdict: Verdict, *, is_ruled: bool) -> Check:
    details = record.details
    named = {"number": details["settlement"], "paid": euro(parse_cents(details["paid"]))}
    paid = format_cents(sum(grade.payout_cents for grade in verdict.grades))
    results = digest_of(result_lines(verdict.grades)).hex()
    if (results, paid) != (details["results_digest"], details["paid"]):
        text = _("Settlement %(number)s paid otherwise than the rules say.")
        return Check(State.DIFFERS, text % named)
    if record.action == _VOIDED:
        text = _(
            "Settlement %(number)s returned all stakes, %(paid)s: two persons voided the round."
        )
    elif is_ruled:
        text = _(
            "Settlement %(number)s paid %(paid)s: exactly what the rules say of the cards as two"
            " persons of the operator corrected them."
        )
    else:
        text = _(
            "Settlement %(number)s paid %(paid)s: exactly what this page computed from the cards,"
            " bet by bet."
        )
    return Check(State.AGREES, text % named)


def _check_paid(paid: Mapping[str, Grade], judged: Mapping[str, Grade]) -> Iterator[Check]:
    others = [bet for bet, grade in paid.items() if judged.get(bet) != grade]
    if others:
        text = _("The rules give these bets other payouts: %(bets)s.")
        yield Check(State.DIFFERS, text % {"bets": ", ".join(sorted(others))})
    elif paid:
        text = ngettext(
            "The bet was paid exactly what this page computed from the cards.",
            "The %(number)s bets were paid exactly what this page computed from the cards.",
            len(paid),
        )
        yield Check(State.AGREES, text % {"number": len(paid)})


def _shoe_of(state: Json | None) -> Shoe | None:
    return None if state is None else Shoe(state["position"], bytes.fromhex(state["seen"]))


def _grade_of(line: Sequence[Any]) -> Grade:
    outcome, payout_cents, chips_cents, reasons = line
    return Grade(outcome, payout_cents, chips_cents, tuple(reasons))
