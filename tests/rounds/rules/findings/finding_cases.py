"""Rounds with one finding each, and its sentence."""

import json
from typing import Any

from django.utils import translation

from rounds.explanations.sentences import sentence
from rounds.feed import parse_line
from rounds.rules.catalogue import RULE_SETS
from rounds.rules.facts import Round
from rounds.rules.findings.find_faults import find_faults
from rounds.rules.findings.held_round_fault import Finding
from rounds.rules.limits import NO_LIMITS, Limits
from rounds.rules.shoe import Shoe
from tests.rounds.contract.by_hand import (
    BAC,
    BJ,
    MFB,
    QB,
    ZAP,
    Document,
    bet,
    bonus,
    coup,
    deal,
)

EIGHTEEN = "1:9S D:TD 1:9C D:8C"
BOTH = "1:9S 2:9H D:TD 1:9C 2:9D D:8C"
SIX_POINTS = "1:8S 2:8C D:TD 1:6C 2:6D D:8C"
MULTIPLIERS = {"QS": "5", "QH": "2.5", "QD": "10"}


def findings(
    text: str,
    *bets: Document,
    rules: str = BJ,
    limits: Limits = NO_LIMITS,
    shoe: Shoe | None = None,
    **fields: Any,
) -> tuple[Finding, ...]:
    """The findings of a round of these cards and bets."""
    dealt = parse_line(json.dumps(deal(text, *bets, rules=rules, **fields)).encode())
    assert isinstance(dealt, Round)
    faults = find_faults(RULE_SETS[rules], dealt, shoe, limits)
    assert {fault.code for fault in faults} == set(
        RULE_SETS[rules].judge(dealt, shoe, limits).anomalies
    )
    return faults


def texts_of(faults: tuple[Finding, ...]) -> list[str]:
    """The findings in English."""
    with translation.override("en"):
        return [sentence(fault.step) for fault in faults]


PLAIN = bet("b1")
OUT_OF_TURN = (
    "8♣ was dealt to Dealer as card 5, after play had begun; the first 2 cards of every hand come"
    " first."
)
AFTER_BLACKJACK = (
    "Box 1: the play is hit, although the dealer had checked and had a blackjack, after which the"
    " rules allow no decision."
)
NOT_UNDER_AN_ACE = (
    "Insured for €5.00 with 10♦ face up; insurance is offered only under an Ace (A♠ A♥ A♦ A♣)."
)
CASES = [
    (
        "missing-card",
        BJ,
        ("1:9S D:TD 1:9C D:5C", PLAIN),
        "The dealer has 15 and must draw up to 17; the next card is missing.",
        {"lacks": "D"},
    ),
    (
        "missing-card",
        ZAP,
        (EIGHTEEN, bet("b1", play="H")),
        "Box 1 has 2 cards; the deal and the plays require 3.",
        {"lacks": "1"},
    ),
    (
        "extra-card",
        BJ,
        (f"{EIGHTEEN} D:2C", PLAIN),
        "The dealer drew 2♣ on 18 and must stand.",
        {"cards": (4,)},
    ),
    (
        "extra-card",
        MFB,
        (f"{BOTH} 3z:2C", PLAIN),
        "2♣ was dealt to Box 3z, where no bet or play requires a card (needed: 0).",
        {"cards": (6,)},
    ),
    (
        "extra-card",
        BJ,
        ("1:9S D:TD 1:2C 1:3C D:8C", bet("b1", play="H")),
        OUT_OF_TURN,
        {"cards": (4,)},
    ),
    (
        "illegal-play",
        BJ,
        (f"{EIGHTEEN} 1:2C", bet("b1", play="SH")),
        "Box 1: the play is hit on 9♠ 9♣ (18), where the rules allow no decision.",
        {"cards": (4,), "bets": (0,)},
    ),
    (
        "illegal-play",
        QB,
        (
            "1:9S D:TD 1:8C D:8C 1a:2C 1b:3C",
            bet("b1", play="P,", raised="10.00"),
            {"multipliers": MULTIPLIERS},
        ),
        "Box 1: the play is split on 9♠ 8♣ (17), where the rules allow hit, stand, double.",
        {"bets": (0,)},
    ),
    (
        "illegal-play",
        BJ,
        ("1:9S D:AD 1:2C D:TC 1:3C", bet("b1", play="H")),
        AFTER_BLACKJACK,
        {"bets": (0,)},
    ),
    (
        "raise-mismatch",
        BJ,
        (f"{EIGHTEEN} 1:2C", bet("b1", play="D", raised="9.99")),
        "Raised by €9.99; the play “double” costs €10.00.",
        {"bets": (0,)},
    ),
    (
        "main-bet-missing",
        BJ,
        (EIGHTEEN, PLAIN, bet("b2", "21+3", "1.00", player="p-2")),
        "21+3 on box 1, where the player has 0 main bets; it requires 1.",
        {"bets": (1,)},
    ),
    (
        "insurance-not-offered",
        ZAP,
        (EIGHTEEN, PLAIN, bet("b2", "insurance", "5.00")),
        NOT_UNDER_AN_ACE,
        {"bets": (1,)},
    ),
    (
        "insurance-amount",
        BJ,
        (EIGHTEEN.replace("TD", "AD"), PLAIN, bet("b2", "insurance", "4.00")),
        "Insurance of €4.00; half of the main stake of €10.00 is €5.00.",
        {"bets": (1,)},
    ),
    (
        "payout-differs",
        BJ,
        ("1:9S D:TD 1:TC D:8C", bet("b1", reported="30.00")),
        "The studio reported a payout of €30.00; under the rules it is €20.00.",
        {"bets": (0,)},
    ),
    (
        "bonus-missing",
        MFB,
        (SIX_POINTS, PLAIN, bet("b2", "mega_fire_blaze", "1.00")),
        "The points earn the bonus Minor, and there is a bet on it; bonuses played: 0.",
        {"bets": (1,)},
    ),
    (
        "bonus-grid",
        MFB,
        (
            SIX_POINTS,
            PLAIN,
            bet("b2", "mega_fire_blaze", "1.00"),
            {"bonus": bonus("minor", "3", "1:2", "", "", "")},
        ),
        "The studio announced a multiplier of 3; the grid totals 2.",
        {},
    ),
    (
        "multiplier-cards",
        QB,
        (EIGHTEEN, PLAIN, {"multipliers": {"QS": "5", "QH": "2.5"}}),
        "2 multiplier cards; a round has one of these numbers: 3, 5.",
        {},
    ),
    (
        "extra-card",
        BAC,
        ("P:4S B:4D P:2C B:2D B:7H", coup("b1", "tie")),
        "Banker drew a third card 7♥ on 6; it must stand.",
        {"cards": (4,)},
    ),
    (
        "extra-card",
        BAC,
        ("P:2S B:4D P:3C B:2D P:2H B:7H", coup("b1", "tie")),
        "Banker drew a third card 7♥ on 6 against the Player's third card 2♥; it must stand.",
        {"cards": (5,)},
    ),
    (
        "extra-card",
        BAC,
        ("P:4S B:4D P:4C B:2D P:7H", coup("b1", "tie")),
        "Player drew a third card 7♥ although a hand had a natural (8); it must stand.",
        {"cards": (4,)},
    ),
    (
        "missing-card",
        BAC,
        ("P:2S B:4D P:3C B:3D", coup("b1", "tie")),
        "Player has 5 with 2 cards and must draw a third card; 3 cards are needed.",
        {"lacks": "P"},
    ),
    (
        "missing-card",
        BAC,
        ("P:2S B:2D P:3C B:3D P:4H", coup("b1", "tie")),
        "Banker has 5 against the Player's third card 4♥ and must draw; found 2 cards, needed 3.",
        {"lacks": "B"},
    ),
]
