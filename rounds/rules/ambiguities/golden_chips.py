"""Golden chips at [MFB] and [QB], as they are read."""

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
        title=gettext_noop("What a golden chip pays"),
        question=gettext_noop(
            "[MFB] mentions golden chips once, [QB] never; neither says what a bet placed with one"
            " pays."
        ),
        readings=(
            Reading(
                gettext_noop("The chip is the house's money"),
                gettext_noop(
                    "A win pays the winnings without the stake, a push gives the chip back as a"
                    " chip, a loss pays nothing."
                ),
            ),
            Reading(
                gettext_noop("The chip is worth cash"),
                gettext_noop(
                    "A win would pay the stake too, and a push would turn a chip into cash."
                ),
            ),
        ),
        adopted=0,
        why=gettext_noop(
            "A golden chip was given, not bought. The outcome is that of the same bet in cash"
            " (feed contract, detail 37)."
        ),
    ),
    Ambiguity(
        key="golden-chip-raise",
        places=(
            Place("MFB", "Assicurazione"),
            Place("QB", "Regole di gioco"),
        ),
        title=gettext_noop("Doubling or splitting a hand staked with a golden chip"),
        question=gettext_noop("Nothing says whether the raise is a golden chip as well."),
        readings=(
            Reading(
                gettext_noop("The raise is cash"),
                gettext_noop(
                    "A won double of 10.00 golden and 10.00 raised pays 30.00: the winnings of"
                    " 20.00 and the cash 10.00."
                ),
            ),
            Reading(
                gettext_noop("The raise is golden"),
                gettext_noop("The same double would pay 20.00."),
            ),
        ),
        adopted=0,
        why=gettext_noop(
            "Decided by the feed contract (detail 38): the raise comes from the customer's balance."
        ),
    ),
    Ambiguity(
        key="golden-chip-insurance",
        places=(
            Place("MFB", "Assicurazione"),
            Place("QB", "Assicurazione"),
        ),
        title=gettext_noop("Insurance of a golden bet"),
        question=gettext_noop(
            "[MFB] says that a golden bet cannot be insured; [QB] is silent. Neither says what"
            " becomes of a round that holds such an insurance."
        ),
        readings=(
            Reading(
                gettext_noop("The document is rejected"),
                gettext_noop("It waits in quarantine; no money moves."),
            ),
            Reading(
                gettext_noop("The insurance is void"),
                gettext_noop("The round would settle although the studio broke a rule of its own."),
            ),
        ),
        adopted=0,
        why=gettext_noop(
            "Decided by the feed contract (detail 40). [QB] comes from the supplier of [MFB]."
        ),
    ),
    Ambiguity(
        key="golden-chip-bets",
        places=(
            Place("MFB", "Assicurazione"),
            Place("QB", "Puntate collaterali"),
        ),
        title=gettext_noop("Which bets take golden chips"),
        question=gettext_noop(
            "Only insurance is excluded in words. Whether side bets take golden chips is not said."
        ),
        readings=(
            Reading(
                gettext_noop("Every bet but insurance"),
                gettext_noop("Main bets, side bets and the bonus bet."),
            ),
            Reading(
                gettext_noop("Main bets only"),
                gettext_noop("Rounds with a golden side bet would be rejected."),
            ),
        ),
        adopted=0,
        why=gettext_noop(
            "What is not excluded is allowed; the feed contract refuses golden chips only for"
            " insurance."
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
            "The bonus pays the stake times the total, stake included. Of a golden chip the stake"
            " is not paid."
        ),
        readings=(
            Reading(
                gettext_noop("It pays the stake times the total less one"),
                gettext_noop("1.00 golden at a total of 24 pays 23.00."),
            ),
            Reading(
                gettext_noop("It pays the stake times the total"),
                gettext_noop("The house's chip would be paid out as cash."),
            ),
        ),
        adopted=0,
        why=gettext_noop("Decided by the feed contract (detail 39), as for every golden win."),
    ),
    Ambiguity(
        key="golden-at-quantum",
        places=(Place("QB", "Regole di gioco"),),
        title=gettext_noop("Whether the game takes golden chips at all"),
        question=gettext_noop("The sheet does not mention them."),
        readings=(
            Reading(
                gettext_noop("It does"),
                gettext_noop("Golden bets pay as at [MFB]."),
            ),
            Reading(
                gettext_noop("It does not"),
                gettext_noop("Rounds with a golden bet would be rejected."),
            ),
        ),
        adopted=0,
        why=gettext_noop(
            "The supplier is that of [MFB], which mentions them, and the feed contract knows them"
            " here."
        ),
    ),
    Ambiguity(
        key="golden-multiplied-win",
        places=(
            Place("QB", "Ritorno al giocatore"),
            Place("QB", "Carte moltiplicatrici"),
        ),
        title=gettext_noop("A golden chip on a multiplied win"),
        question=gettext_noop(
            "A golden win pays no stake, and neither does a multiplied one. Whether the stake is"
            " taken off twice is not said."
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
        adopted=0,
        why=gettext_noop(
            "Decided by the feed contract (detail 41): what was not returned cannot be kept back."
        ),
    ),
)
