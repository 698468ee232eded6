"""Pairs and three cards at several games, as they are read."""

from typing import Final

from rounds.rules.ambiguities.ambiguity import Ambiguity, Place, Reading
from rounds.rules.citation import gettext_noop

PAIRS_AND_THREE_CARDS: Final = (
    Ambiguity(
        key="rank-or-value",
        places=(
            Place("BJ", "Coppie Perfette"),
            Place("BJ", "21+3"),
            Place("MFB", "Puntate collaterali"),
            Place("QB", "Coppie"),
            Place("QB", "21+3"),
            Place("BAC", "Puntate aggiuntive"),
        ),
        title=gettext_noop("A pair by rank or by value"),
        question=gettext_noop(
            "Pairs and three of a kind are described as cards that are alike or worth the same."
            " Ten, jack, queen and king are worth the same and are not alike."
        ),
        readings=(
            Reading(
                gettext_noop("The rank counts"),
                gettext_noop(
                    "Two queens are a pair, a king and a queen are none. Pairs return 95.90 per"
                    " cent on eight decks and 93.89 on six."
                ),
            ),
            Reading(
                gettext_noop("The value counts"),
                gettext_noop(
                    "A king and a queen pair too. Pairs would return 190.21 per cent on eight"
                    " decks and 188.28 on six."
                ),
            ),
        ),
        adopted=0,
        why=gettext_noop(
            "Only rank gives the returns that the blackjack sheets declare, and it gives them"
            " exactly; by value the house would lose on every bet. [BAC] is read the same way."
        ),
    ),
    Ambiguity(
        key="straight-ace",
        places=(
            Place("BJ", "21+3"),
            Place("MFB", "Puntate collaterali"),
            Place("QB", "21+3"),
        ),
        title=gettext_noop("The Ace in a straight"),
        question=gettext_noop(
            "A straight is three consecutive ranks. Whether the Ace stands below the two, above"
            " the king, or both, is not said."
        ),
        readings=(
            Reading(
                gettext_noop("Low in A-2-3 and high in Q-K-A, never in between"),
                gettext_noop("21+3 returns 96.30 per cent on eight decks."),
            ),
            Reading(
                gettext_noop("Low only, or high only"),
                gettext_noop("21+3 returns 92.86 per cent on eight decks."),
            ),
            Reading(
                gettext_noop("In between too: K-A-2 is a straight"),
                gettext_noop("21+3 returns 99.73 per cent on eight decks."),
            ),
        ),
        adopted=0,
        why=gettext_noop(
            "This reading, and only this, gives the declared returns: 96.30 per cent on eight"
            " decks, 95.38 on six."
        ),
    ),
    Ambiguity(
        key="different-suits",
        places=(
            Place("BJ", "21+3"),
            Place("MFB", "Puntate collaterali"),
            Place("QB", "21+3"),
        ),
        title=gettext_noop("Straights and trips of different suits"),
        question=gettext_noop(
            "[BJ] asks for different suits in a straight and in three of a kind, the other sheets"
            " for suits that are not all the same. Whether two cards may share a suit is not said"
            " outright."
        ),
        readings=(
            Reading(
                gettext_noop("Not all three of one suit"),
                gettext_noop("4S 5S 6H is a straight. 21+3 returns 96.30 per cent on eight decks."),
            ),
            Reading(
                gettext_noop("Three suits"),
                gettext_noop(
                    "4S 5S 6H is nothing. With such trips alone the return would fall to 87.20 per"
                    " cent, with such straights alone to 75.87."
                ),
            ),
        ),
        adopted=0,
        why=gettext_noop(
            "Only this gives the declared return, and [MFB] and [QB] word straights so."
        ),
    ),
)
