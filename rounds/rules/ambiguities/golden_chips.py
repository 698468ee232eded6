"""Interpretations on golden chips at [MFB] and [QB]."""

from typing import Final

from rounds.rules.ambiguities.ambiguity import Ambiguity, Place, Reading
from rounds.rules.citation import gettext_noop

GOLDEN_CHIPS: Final = (
    Ambiguity(
        key="golden-chip-value",
        places=(
            Place("MFB", "Assicurazione"),
            Place("QB", "Regole di gioco"),
        ),
        title=gettext_noop("Payout of a golden chip"),
        question=gettext_noop(
            "[MFB] mentions golden chips once, [QB] never. Neither states the payout of a bet"
            " placed with one."
        ),
        readings=(
            Reading(
                gettext_noop("The chip belongs to the house"),
                gettext_noop(
                    "A win pays the winnings without the stake, a push returns the chip as a chip,"
                    " a loss pays nothing."
                ),
            ),
            Reading(
                gettext_noop("The chip counts as cash"),
                gettext_noop(
                    "A win would also pay the stake, and a push would convert a chip into cash."
                ),
            ),
        ),
        why=gettext_noop(
            "A golden chip is given, not bought. The outcome is that of the same bet in cash (feed"
            " contract, detail 37)."
        ),
    ),
    Ambiguity(
        key="golden-chip-raise",
        places=(
            Place("MFB", "Assicurazione"),
            Place("QB", "Regole di gioco"),
        ),
        title=gettext_noop("Doubling or splitting a hand with a golden chip"),
        question=gettext_noop("The sheets do not state whether the raise is also a golden chip."),
        readings=(
            Reading(
                gettext_noop("The raise is cash"),
                gettext_noop(
                    "A won double of 10.00 golden and 10.00 raised pays 30.00: winnings of 20.00"
                    " and 10.00 in cash."
                ),
            ),
            Reading(
                gettext_noop("The raise is golden"),
                gettext_noop("The same double would pay 20.00."),
            ),
        ),
        why=gettext_noop(
            "The feed contract decides this (detail 38): the raise is debited to the customer's"
            " balance."
        ),
    ),
    Ambiguity(
        key="golden-chip-insurance",
        places=(
            Place("MFB", "Assicurazione"),
            Place("QB", "Assicurazione"),
        ),
        title=gettext_noop("Insurance of a bet with golden chips"),
        question=gettext_noop(
            "[MFB] says that a bet with golden chips cannot be insured; [QB] does not mention this."
            " Neither states what happens to a round that contains such an insurance."
        ),
        readings=(
            Reading(
                gettext_noop("The document is rejected"),
                gettext_noop("It is quarantined, and no money moves."),
            ),
            Reading(
                gettext_noop("The insurance is void"),
                gettext_noop("The round would be settled although the studio broke its own rule."),
            ),
        ),
        why=gettext_noop(
            "The feed contract decides this (detail 40). [QB] and [MFB] have the same supplier."
        ),
    ),
    Ambiguity(
        key="golden-chip-bets",
        places=(
            Place("MFB", "Assicurazione"),
            Place("QB", "Puntate collaterali"),
        ),
        title=gettext_noop("Bets that accept golden chips"),
        question=gettext_noop(
            "Only insurance is excluded explicitly. The sheets do not state whether side bets"
            " accept golden chips."
        ),
        readings=(
            Reading(
                gettext_noop("All bets except insurance"),
                gettext_noop("Main bets, side bets and the bonus bet."),
            ),
            Reading(
                gettext_noop("Main bets only"),
                gettext_noop("Rounds with a golden side bet would be rejected."),
            ),
        ),
        why=gettext_noop(
            "Bets that are not excluded are allowed. The feed contract excludes golden chips for"
            " insurance only."
        ),
    ),
    Ambiguity(
        key="golden-bonus-bet",
        places=(
            Place("MFB", "Premi della partita del Mega Fire Blaze Bonus"),
            Place("MFB", "Assicurazione"),
        ),
        title=gettext_noop("A bonus bet with a golden chip"),
        question=gettext_noop(
            "The bonus pays the stake times the total, including the stake. The stake of a golden"
            " chip is not paid."
        ),
        readings=(
            Reading(
                gettext_noop("The stake times the total less one"),
                gettext_noop("1.00 golden with a total of 24 pays 23.00."),
            ),
            Reading(
                gettext_noop("The stake times the total"),
                gettext_noop("The chip of the house would be paid out as cash."),
            ),
        ),
        why=gettext_noop(
            "The feed contract decides this (detail 39), as for all wins with golden chips."
        ),
    ),
    Ambiguity(
        key="golden-at-quantum",
        places=(Place("QB", "Regole di gioco"),),
        title=gettext_noop("Whether the game accepts golden chips"),
        question=gettext_noop("The sheet does not mention them."),
        readings=(
            Reading(
                gettext_noop("It accepts them"),
                gettext_noop("Bets with golden chips pay as in [MFB]."),
            ),
            Reading(
                gettext_noop("It does not accept them"),
                gettext_noop("Rounds with a golden bet would be rejected."),
            ),
        ),
        why=gettext_noop(
            "The supplier is that of [MFB], which mentions them, and the feed contract allows them"
            " here."
        ),
    ),
    Ambiguity(
        key="golden-multiplied-win",
        places=(
            Place("QB", "Ritorno al giocatore"),
            Place("QB", "Carte moltiplicatrici"),
        ),
        title=gettext_noop("A golden chip and a multiplied win"),
        question=gettext_noop(
            "A win with a golden chip pays no stake, and neither does a multiplied win. The sheet"
            " does not state whether the stake is deducted twice."
        ),
        readings=(
            Reading(
                gettext_noop("Once: stake times odds times multiplier, as in cash"),
                gettext_noop("10.00 golden with a 5 pays 50.00."),
            ),
            Reading(
                gettext_noop("Twice"),
                gettext_noop("The same bet would pay 40.00."),
            ),
        ),
        why=gettext_noop(
            "The feed contract decides this (detail 41): a stake that is not returned cannot be"
            " deducted again."
        ),
    ),
)
