"""Forged effects: what registers and reports say that persons decided, and they did not."""

import hashlib
import json
from typing import Final

from compliance.exports.verify_bundle import PLANS
from rounds.identity import round_id
from tests.attacks.exports.forged.statements import restated, said_in, with_step
from tests.attacks.exports.workshop import Arguments, Forged, Workshop
from tests.compliance.exports.decisions.signed_day import KEYS, SIGNATURES, Line

Edit = tuple[str, str, str]
BOTH: Final = ("corrections", "malfunctions")
GONE: Final = dict.fromkeys((SIGNATURES, KEYS, PLANS), None)


def both(before: str, after: str) -> tuple[Edit, ...]:
    """The edit in both registers of what two persons settled."""
    return tuple((name, before, after) for name in BOTH)


def _with_plan(shop: Workshop, *lines: Line) -> dict[str, bytes]:
    return {PLANS: b"".join(json.dumps(line).encode() + b"\n" for line in lines)}


def _plan(shop: Workshop) -> Line:
    [line] = shop.bundles["registers"].lines(PLANS)
    return line


def _with_another_round(shop: Workshop) -> Arguments:
    """A further round, settled with the case."""
    other = round_id(reference="r-2", opened_at=0)
    more = _plan(shop) | {"round": "r-2", "round_id": other.hex}
    return shop.bundle(_with_plan(shop, _plan(shop), more))


def _with_a_round_twice(shop: Workshop) -> Arguments:
    """Both persons signed a plan with two amounts for one round; the register chooses."""
    nothing = _plan(shop) | {"results": "void 0 0"}
    lines = [nothing, _plan(shop)]
    text = "".join(f"{line['round_id']}\t{line['after']}\t{line['results']}\n" for line in lines)
    digest = hashlib.sha256(text.encode()).hexdigest()
    return shop.bundle(_with_plan(shop, *lines) | _both_sign(shop, effect_digest=digest))


def _both_sign(shop: Workshop, **details: str) -> dict[str, bytes]:
    keys = {1: shop.persons.giulia.key, 3: shop.persons.lorenzo.key}

    def signed(line: Line) -> Line:
        said = said_in(line)
        is_step = said["action"] in ("CASE_PROPOSED", "CASE_APPROVED")
        return restated(line, keys[said["account"]], details=details) if is_step else line

    return shop.bundles["registers"].with_lines(SIGNATURES, signed)


def _with_the_id_of_another_round(shop: Workshop) -> Arguments:
    """r-2 was voided, says the operator, and has the id of r-1 in the plan."""
    plan = _with_plan(shop, _plan(shop) | {"round": "r-2"})
    stages = (("stages", ";1;r-1;", ";1;r-x;"), ("stages", ";2;r-2;", ";2;r-1;"))
    renamed = ("stages", ";1;r-x;", ";1;r-2;")
    return shop.recounted(*both(";r-1;", ";r-2;"), *stages, renamed, also=plan)


def _decided_alone(shop: Workshop) -> Arguments:
    """A round that Giulia settled again by one decision, as before there were cases."""
    line = shop.bundles["registers"].lines(SIGNATURES)[0]
    giulia = shop.persons.giulia.key
    decided = restated(
        line, giulia, action="ROUND_SETTLED_AGAIN", subject="round:r-1", details={"settlement": 2}
    )
    signatures = shop.bundles["registers"].files[SIGNATURES] + json.dumps(decided).encode() + b"\n"
    return shop.recounted(
        *both("M-0001: ", "By phone: "),
        ("corrections", ";Lorenzo Ferri;", ";;"),
        ("malfunctions", ";Lorenzo Ferri", ";"),
        also={SIGNATURES: signatures},
    )


def _without_the_case(shop: Workshop) -> Arguments:
    """Neither its correction nor any signature. The stage was settled again."""
    edits: list[Edit] = []
    for name in BOTH:
        [_header, row] = (
            shop.bundles["registers"].files[f"registers/{name}.csv"].decode().splitlines(True)
        )
        edits.append((name, row, ""))
    return shop.recounted(*edits, also=with_step(shop, lambda _line: None))


def _first_settlement(shop: Workshop) -> Arguments:
    """Two persons are said to have settled the round the first time."""
    return shop.recounted(
        ("corrections", ";1;2;cancel;", ";1;1;cancel;"),
        ("malfunctions", " 17:00:00;2;3;", " 17:00:00;1;3;"),
        ("stages", ";void;2;", ";void;1;"),
        *both("M-0001: ", "By phone: "),
    )


def _closed_by_nobody(shop: Workshop) -> Arguments:
    return shop.bundle(
        with_step(shop, lambda _line: None, "DAY_CLOSED_BY_SIGNATURE"),
    )


def _by_the_proposers_account(shop: Workshop) -> Arguments:
    giulia = shop.persons.giulia
    steps = with_step(
        shop,
        lambda line: restated(
            line, giulia.key, key_id=giulia.row.id, actor="G. Marchetti", account=1
        ),
    )
    return shop.recounted(*both(";Lorenzo Ferri", ";G. Marchetti"), also=steps)


def _in_the_proposers_name(shop: Workshop) -> Arguments:
    lorenzo = shop.persons.lorenzo.key
    steps = with_step(shop, lambda line: restated(line, lorenzo, actor="giulia  Marchetti"))
    return shop.recounted(*both(";Lorenzo Ferri", ";giulia  Marchetti"), also=steps)


def _of_a_customer(shop: Workshop) -> Arguments:
    """In the registers of a customer, whose amounts are a part of the plan's."""
    return shop.recounted(("corrections", ";r-1;", ";r-2;"), base="customer")


def _reworded(shop: Workshop, **details: str) -> Arguments:
    lorenzo = shop.persons.lorenzo.key
    return shop.bundle(with_step(shop, lambda line: restated(line, lorenzo, details=details)))


def _approved_as(shop: Workshop, action: str) -> Arguments:
    lorenzo = shop.persons.lorenzo.key
    return shop.bundle(with_step(shop, lambda line: restated(line, lorenzo, action=action)))


def _winnings(shop: Workshop) -> Arguments:
    """What was refunded for void bets, as winnings."""
    return shop.recounted(
        ("corrections", ";2200;0;0;0\n", ";0;2200;0;0\n"),
        ("malfunctions", ";2;3;2200;0;", ";2;0;0;0;"),
    )


def _nothing(shop: Workshop) -> Arguments:
    """Not what was planned for the bets."""
    return shop.recounted(
        ("corrections", ";2200;0;0;0\n", ";0;0;0;0\n"),
        ("malfunctions", ";2;3;2200;0;", ";2;0;0;0;"),
    )


def _of_the_earlier_format(shop: Workshop) -> Arguments:
    return ["--signed-since", "2026-11-01", *shop.bundle(GONE, format="sabot-bundle/1")]


EFFECTS: Final = {
    "without the approval": Forged(
        "without a signed proposal and approval", lambda shop: _approved_as(shop, "CASE_PROPOSED")
    ),
    "by one account under two names": Forged(
        "proposed and approved by one person", _by_the_proposers_account
    ),
    "by two accounts in one name": Forged(
        "proposed and approved by one person", _in_the_proposers_name
    ),
    "with two effects": Forged(
        "signed different effects (effect_digest)",
        lambda shop: _reworded(shop, effect_digest="00" * 32),
    ),
    "with two remedies": Forged(
        "signed different effects (remedy)", lambda shop: _reworded(shop, remedy="real_result")
    ),
    "with a further round in its plan": Forged("its plan is not the effect", _with_another_round),
    "with a round twice in its plan": Forged("has round r-1 twice", _with_a_round_twice),
    "with the id of another round": Forged("another round than r-2", _with_the_id_of_another_round),
    "decided alone": Forged("but names no two persons", _decided_alone),
    "that no decision names": Forged(
        "has no signed decision of its two persons",
        lambda shop: shop.recounted(*both("M-0001: ", "By phone: ")),
    ),
    "that was settled first by two persons": Forged(
        "settlement 1 of round r-1 has no signed decision", _first_settlement
    ),
    "by another person than signed": Forged(
        "names Giulia Marchetti and Paolo Riva",
        lambda shop: shop.recounted(*both(";Lorenzo Ferri", ";Paolo Riva")),
    ),
    "by nobody": Forged(
        "names no two persons",
        lambda shop: shop.recounted(("corrections", ";Lorenzo Ferri;", ";;")),
    ),
    "for another reason": Forged(
        "has another reason", lambda shop: shop.recounted(*both("Seen on the video.", "Seen."))
    ),
    "before it was approved": Forged(
        "is older than the approval",
        lambda shop: shop.recounted(*both("2026-11-10 17:00:00", "2026-11-10 15:30:00")),
    ),
    "of a round that is not in the plan": Forged("round r-2 is not in the plan", _of_a_customer),
    "of a later settlement than planned": Forged(
        "settlement 3 of round r-1 is not in the plan",
        lambda shop: shop.recounted(("corrections", ";1;2;cancel;", ";1;3;cancel;")),
    ),
    "with other amounts": Forged(
        "pays other amounts",
        lambda shop: shop.recounted(("corrections", ";2200;0;0;0\n", ";3200;0;0;0\n")),
    ),
    "with a refund as winnings": Forged("pays other amounts", _winnings),
    "with nothing for the bets": Forged("pays other amounts", _nothing),
    "without its correction": Forged(
        "settlement 2 of round r-1 has no correction", _without_the_case
    ),
    "of a day that its person did not close": Forged(
        "DAY_CLOSED_BY_SIGNATURE of day:2026-11-10 by Lorenzo Ferri: its person did not sign",
        _closed_by_nobody,
    ),
    "with an event of another person": Forged(
        "CASE_PROPOSED of case:M-0001 by Elena Conti: its person did not sign it",
        lambda shop: shop.recounted(
            (
                "significant_events",
                "CASE_PROPOSED;case:M-0001;Giulia Marchetti",
                "CASE_PROPOSED;case:M-0001;Elena Conti",
            ),
            base="reports",
        ),
    ),
    "with the execution of another case": Forged(
        "case M-0099 was executed without",
        lambda shop: shop.recounted(
            ("significant_events", "CASE_EXECUTED;case:M-0001", "CASE_EXECUTED;case:M-0099"),
            base="reports",
        ),
    ),
    "with the alteration of another case": Forged(
        "case M-0098 was executed without",
        lambda shop: shop.recounted(("alterations", ";M-0001;", ";M-0098;"), base="reports"),
    ),
    "with the alteration of no case": Forged(
        "has no signed decision of two persons",
        lambda shop: shop.recounted(("alterations", ";M-0001;", ";;"), base="reports"),
    ),
    "without a file of signatures": Forged(
        "the bundle has no case_plans.jsonl", lambda shop: shop.bundle({PLANS: None})
    ),
    "of the earlier format with signatures": Forged(
        "has no signatures, but this bundle has",
        lambda shop: shop.bundle({}, format="sabot-bundle/1"),
    ),
    "of the earlier format on a later day": Forged(
        "carries no signatures of decisions", _of_the_earlier_format
    ),
}
