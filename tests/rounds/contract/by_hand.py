"""Compact documents of the feed, and the results of replaying them: bytes in, results out.

``deal("1:8H D:AS", bet("b1"))`` is a blackjack round of two cards. Betting is open from 21:10:10 to
21:10:25 and the round ends at 21:11:02. Nothing here calls the feed's own writer or the rules.
"""

import json
from typing import Any, Final

from rounds.replay import replay_lines

Document = dict[str, Any]

DAY: Final = "2026-11-21T"
OPENED_AT: Final = f"{DAY}21:10:10Z"
IN_TIME: Final = f"{DAY}21:10:15Z"
CLOSED_AT: Final = f"{DAY}21:10:25Z"
INSURING: Final = f"{DAY}21:10:31Z"
ENDED_AT: Final = f"{DAY}21:11:02Z"
BEFORE_OPENING: Final = f"{DAY}21:10:09.999Z"
BEFORE_CLOSING: Final = f"{DAY}21:10:24.999Z"
AFTER_CLOSING: Final = f"{DAY}21:10:25.001Z"
AFTER_THE_END: Final = f"{DAY}21:11:02.001Z"

BJ: Final = "blackjack/1"
MFB: Final = "mega-fire-blaze-blackjack/1"
QB: Final = "quantum-blackjack/1"
BAC: Final = "baccarat/1"
ZAP: Final = "zappit-blackjack/1"
FAMILY: Final = (BJ, MFB, QB, ZAP)

NO_MATTER: Final = {"QS": "5", "QH": "2.5", "QD": "10"}
"""Multiplier cards of rounds in which no queen is dealt to a hand."""

WINS: Final = "1:9S D:TD 1:TC D:8C"
"""Nineteen against eighteen."""
MFB_WINS: Final = "1:9S 2:9C D:TD 1:TC 2:9D D:8C"
"""The same at Mega Fire Blaze, box 2 on eighteen: no points."""
SIX_POINTS: Final = "1:8S 2:8C D:TD 1:6C 2:6D D:8C"
"""Both boxes fourteen, 2 + 4 points: a minor bonus; the dealer has eighteen."""
NATURAL: Final = "P:4S B:7H P:5D B:TC"
"""Nine against seven in four cards."""


def cards(text: str) -> list[list[str]]:
    """Cards with their places."""
    return [pair.split(":") for pair in text.split()]


def bet(reference: str, kind: str = "main", stake: str = "10.00", **fields: object) -> Document:
    """A bet of p-1 on box 1, in time; ``box=None`` leaves the box out."""
    placed_at = INSURING if kind == "insurance" else IN_TIME
    output = {"id": reference, "player": "p-1", "participation": "N1", "box": 1, "kind": kind}
    document = output | {"stake": stake, "placed_at": placed_at} | fields
    return {name: value for name, value in document.items() if (name, value) != ("box", None)}


def coup(reference: str, kind: str, stake: str = "10.00", **fields: object) -> Document:
    """A bet at baccarat, which has no boxes."""
    return bet(reference, kind, stake, box=None, **fields)


def deal(text: str, *bets: Document, rules: str = BJ, **fields: object) -> Document:
    """A round of these cards and bets, from an unannounced shoe."""
    document: Document = {
        "feed": "round/1",
        "round": "r-1",
        "table": "t-1",
        "rules": rules,
        "opened_at": OPENED_AT,
        "closed_at": CLOSED_AT,
        "ended_at": ENDED_AT,
        "session": "M1",
        "cards": cards(text),
        "bets": list(bets),
    }
    if rules != ZAP:
        document["shoe"] = {"id": "s-1", "drawn": 52}
    if rules == QB:
        document["multipliers"] = NO_MATTER
    return document | fields


def shoe(*burnt: str, face_down: int = 0, **fields: object) -> Document:
    """The opening of the shoe of ``deal``."""
    document: Document = {"feed": "shoe/1", "shoe": "s-1", "table": "t-1", "opened_at": OPENED_AT}
    return document | {"burnt": list(burnt), "burnt_face_down": face_down} | fields


def replay(*output: Document | bytes) -> list[Document]:
    """The results of replaying a file of these lines."""
    lines = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in output]
    return [*replay_lines([line + b"\n" for line in lines])]


def result(text: str, *bets: Document, rules: str = BJ, **fields: object) -> Document:
    """The result of one round."""
    (only,) = replay(deal(text, *bets, rules=rules, **fields))
    return only


def verdict_of(text: str, *bets: Document, rules: str = BJ, **fields: object) -> str:
    """The anomalies of a held round as one text; the status of any other round."""
    output = result(text, *bets, rules=rules, **fields)
    if output["status"] != "held":
        return str(output["status"])
    assert output["anomalies"] == ["payout-differs"] or output["bets"] == {}
    return " ".join(output["anomalies"])


def graded(text: str, *bets: Document, rules: str = BJ, **fields: object) -> list[str]:
    """Outcome and payout of each bet of a settled round, as ``"win 20.00"``."""
    output = result(text, *bets, rules=rules, **fields)
    assert (output["status"], output["anomalies"]) == ("settled", []), output
    return grades_in(output)


def grades_in(output: Document) -> list[str]:
    """Outcome and payout of each bet of a result."""
    return [f"{bet['outcome']} {bet['payout']}" for bet in output["bets"].values()]


def rejected_field(text: str, *bets: Document, rules: str = BJ, **fields: object) -> str:
    """The field for which a round is rejected."""
    return error_field(result(text, *bets, rules=rules, **fields))


def error_field(output: Document) -> str:
    """The field that the error of a rejected line names."""
    assert output.keys() == {"round", "status", "error", "line"}, output
    assert output["status"] == "rejected"
    return str(output["error"]).partition(": ")[0]


def left(at: str = INSURING, seen: int | None = None, own: str = "", who: str = "p-1") -> Document:
    """A disconnect, with the cards that the player was dealt off line."""
    entry: Document = {"player": who, "at": at}
    if seen is not None:
        entry["cards_seen"] = seen
    return entry | ({"cards": cards(own)} if own else {})


def bonus(level: str, total: str, *spins: str, **specials: Document) -> Document:
    """A bonus; ``"1:2 7:5"`` is a spin that put 2 into cell 1 and 5 into cell 7."""
    filled = [[[int(cell), value] for cell, value in cards(spin)] for spin in spins]
    played: Document = {"level": level, "spins": filled, "multiplier": total}
    named = {section.removeprefix("s"): special for section, special in specials.items()}
    return played | ({"specials": named} if named else {})


def raised(times: int) -> dict[str, str]:
    """The raise of this many stakes of 10.00."""
    return {"raised": f"{10 * times}.00"}


MINOR: Final = bonus("minor", "2", "1:2", "", "", "")
"""A valid bonus for ``SIX_POINTS``."""
BET_ON_BOX_2: Final = bet("b2", player="p-2", box=2)
"""The bet of a player who stays, next to p-1 on box 1, who disconnects."""


def off_line_verdict(
    text: str, item: Document, disconnect: Document, *others: Document, rules: str = QB
) -> str:
    """The verdict on a round of p-1's bet, the bet on box 2 and a disconnect."""
    bets = item, BET_ON_BOX_2, *others
    return verdict_of(text, *bets, rules=rules, disconnects=[disconnect])
