"""Each guard of the regulator's script about persons and their keys is needed.

The operator has changed what the bundle says about a key, and signed it again; without the guard
the script takes the key, or stops with an error that names nothing. The other functions of
``verify_bundle.py`` are tried as a whole only, in ``tests/compliance/exports``.
"""

import json
from collections.abc import Callable
from functools import partial
from typing import Final, NamedTuple

import pytest

from compliance.exports import verify_bundle
from compliance.exports.verify_bundle import Outside, Persons, Wrong
from tests.attacks.guards import Exceptions, refusals, weakened
from tests.compliance.exports.decisions.signed_day import (
    KEYS,
    Line,
    SignedDay,
    signed_by,
    with_text,
)

Change = Callable[[SignedDay, Line], Line]
NOTHING: Final = Outside({}, "")
STRANGERS: Final = Outside({"0" * 64: "Somebody"}, "")


def approval_by_giulia(day: SignedDay, line: Line, **changed: object) -> Line:
    """The first approval of Lorenzo's key with other parts, signed by Giulia once more."""
    names = ("at", "actor", "account", "action", "subject", "details")
    said = dict(zip(names, json.loads(line["decisions"][0]["record"]), strict=True)) | changed
    text = json.dumps(list(said.values()), separators=(",", ":"))
    return signed_by(day.persons.giulia.key, with_text(line["decisions"][0], text))


def with_first(day: SignedDay, line: Line, **changed: object) -> Line:
    """Lorenzo's key with that approval."""
    made = approval_by_giulia(day, line, **changed)
    return line | {"decisions": [made, line["decisions"][1]]}


def in_a_circle(day: SignedDay, line: Line) -> Line:
    """He approves his own key."""
    made = with_first(day, line, actor="Lorenzo Ferri", account=3)
    first = signed_by(day.persons.lorenzo.key, made["decisions"][0])
    first["key"] = day.persons.lorenzo.row.id
    return line | {"decisions": [first, line["decisions"][1]]}


def with_decision_about_another(day: SignedDay, line: Line) -> Line:
    """A third decision, which revokes a key that is not his."""
    details = {"key": "0" * 64}
    made = approval_by_giulia(day, line, action="SIGNING_KEY_REVOKED", details=details)
    return line | {"decisions": [*line["decisions"], made]}


def giulias(day: SignedDay, *names: str) -> Line:
    """These parts of Giulia's key."""
    [line] = [line for line in day.lines(KEYS) if line["account"] == 1]
    return {name: line[name] for name in names}


def without_approval(_day: SignedDay, line: Line, **parts: object) -> Line:
    """As in a customer's dossier."""
    return line | {"decisions": [], **parts}


def refuses(signed: SignedDay, change: Change, words: str | None = None) -> None:
    """The script refuses Lorenzo's changed key; ``words`` are in its reason."""
    own = signed.persons.lorenzo.row.id
    lines = [change(signed, line) if line["key"] == own else line for line in signed.lines(KEYS)]
    persons = Persons(lines, NOTHING)
    with pytest.raises(Wrong, match=words):
        persons.verify_keys()


def refuses_alone(signed: SignedDay, words: str | None = None, **parts: object) -> None:
    """Of Lorenzo's key and those of strangers, where the regulator has other keys."""
    own = signed.persons.lorenzo.row.id
    [line] = [line for line in signed.lines(KEYS) if line["key"] == own]
    line |= {"decisions": [], **parts}
    with pytest.raises(Wrong, match=words):
        Persons([line], STRANGERS).verify_keys()


def refuses_host(signed: SignedDay, words: str | None = None, name: str = "") -> None:
    """Giulia's key, approved on the host; ``name`` is what the regulator has for it."""
    own = signed.persons.giulia.row.id
    lines = [line for line in signed.lines(KEYS) if line["key"] == own]
    outside = Outside({own: name}, "") if name else STRANGERS
    with pytest.raises(Wrong, match=words):
        Persons(lines, outside).verify_keys()


def refuses_decision(
    signed: SignedDay, change: Callable[[Line], Line], words: str | None = None, since: str = ""
) -> None:
    """The script refuses the changed approval of the case."""
    with pytest.raises(Wrong, match=words):
        Persons(signed.lines(KEYS), Outside({}, since)).verify(
            change(signed.line_of("CASE_APPROVED"))
        )


class Case(NamedTuple):
    """A condition, what the operator changed, and what the script says."""

    function: Callable[..., object]
    condition: str
    attack: Callable[..., None]
    words: str
    noticed_by: Exceptions = pytest.fail.Exception

    def __str__(self) -> str:
        return self.condition


CASES: Final = (
    Case(
        Persons.verify,
        "key is None",
        partial(refuses_decision, change=lambda line: line | {"key": "0" * 64}),
        "is not in signing_keys.jsonl",
        TypeError,
    ),
    Case(
        Persons.verify,
        "key['account'] != decision.account",
        partial(refuses, change=partial(with_first, account=7)),
        "is signed with a key of Giulia Marchetti",
    ),
    Case(
        Persons.verify,
        "not period.begins_at <= decision.at <= period.ends_at",
        partial(refuses, change=partial(with_first, at=1)),
        "was not in force then",
    ),
    Case(
        Persons.require_early,
        "since and decision.time >= since",
        partial(
            refuses_decision,
            change=lambda line: line | {"from_before_signatures": True},
            since="2026-01-01",
        ),
        "is said to be from before signatures",
    ),
    Case(
        Persons.verify_keys,
        "self.verify(line).details['key'] != key_id",
        partial(refuses, change=with_decision_about_another),
        "has a decision about another key",
    ),
    Case(
        Persons.period,
        "key_id in self.approving",
        partial(refuses, change=in_a_circle),
        "was approved by itself",
        RecursionError,
    ),
    Case(
        Persons.verified_period,
        "hashlib.sha256(octets(key['public_key'])).hexdigest() != key_id",
        partial(refuses, change=lambda day, line: line | giulias(day, "public_key", "der")),
        "is not the public key with this id",
    ),
    Case(
        Persons.verified_period,
        "octets(key['der']) != der_of(octets(key['public_key']))",
        partial(refuses, change=lambda day, line: line | giulias(day, "der")),
        "has another public key for openssl",
    ),
    Case(
        Persons.verified_period,
        "named != [key_id, key['account'], person]",
        partial(refuses, change=lambda _day, line: line | {"person": "Another Name"}),
        "has the approval of another key",
    ),
    Case(
        Persons.verified_period,
        "approval.details.get('kind') != ('browser' if is_in_browser(key) else None)",
        partial(refuses, change=lambda _day, line: line | {"is_browser": True}),
        "was approved as a key of another kind",
    ),
    Case(
        Persons.unapproved_period,
        "'in_force_from' not in key",
        partial(refuses, change=without_approval),
        "was approved by nobody",
        KeyError,
    ),
    Case(
        Persons.unapproved_period,
        "self.outside.keys and key['key'] not in self.outside.keys",
        partial(refuses_alone, in_force_from="2026-01-01T00:00:00+00:00"),
        "has no approval here and is not in --keys",
    ),
    Case(
        Persons.verified_period,
        "self.outside.keys.get(key_id) not in (None, '', person)",
        partial(refuses_host, name="Elena Conti"),
        "is that of Elena Conti in the file",
    ),
    Case(
        Persons.approved_from,
        "self.outside.keys and key['key'] not in self.outside.keys",
        refuses_host,
        "was approved on the operator's host and is not in --keys",
    ),
    Case(
        Persons.approved_from,
        "[step.action for step in approvals] != [APPROVED] * APPROVERS",
        partial(refuses, change=lambda _day, line: line | {"decisions": line["decisions"][:1]}),
        "was not approved by two persons",
        IndexError,
    ),
    Case(
        Persons.approved_from,
        "any((is_same_person(step, key['account'], key['person']) for step in approvals))",
        partial(refuses, change=partial(with_first, actor="Lorenzo Ferri")),
        "was approved by its holder",
    ),
    Case(
        Persons.approved_from,
        "is_same_person(approvals[0], approvals[1].account, approvals[1].actor)",
        partial(refuses, change=lambda _day, line: line | {"decisions": line["decisions"][:1] * 2}),
        "was approved twice by Giulia Marchetti",
    ),
)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_is_refused(case: Case, signed: SignedDay) -> None:
    """With its reason."""
    case.attack(signed, words=case.words)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_without_its_guard_it_is_not(case: Case, signed: SignedDay) -> None:
    """By no other guard."""
    with weakened(case.function, case.condition), pytest.raises(case.noticed_by):
        case.attack(signed)


def test_the_list_is_complete() -> None:
    """Each condition under which a method of ``Persons`` refuses is in it."""
    methods = {name for name in vars(Persons) if not name.startswith("_")}
    found = {(name, text) for name, text in refusals(verify_bundle) if name in methods}

    assert found == {(case.function.__name__, case.condition) for case in CASES}
