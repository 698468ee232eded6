"""Interpretations of several sheets: pairs and three-card hands."""

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
        title=gettext_noop("Pairs by rank or by value"),
        question=gettext_noop(
            "The sheets describe pairs and three of a kind as cards that are the same or have the"
            " same value. A ten, Jack, Queen and King have the same value but are not the same."
        ),
        readings=(
            Reading(
                gettext_noop("The rank counts"),
                gettext_noop(
                    "Two Queens are a pair; a King and a Queen are not. Pairs return 95.90 percent"
                    " with eight decks and 93.89 with six."
                ),
            ),
            Reading(
                gettext_noop("The value counts"),
                gettext_noop(
                    "A King and a Queen would also be a pair. Pairs would return 190.21 percent"
                    " with eight decks and 188.28 with six."
                ),
            ),
        ),
        why=gettext_noop(
            "Only rank gives the returns that the blackjack sheets declare, and gives them exactly."
            " By value the house would lose on every bet. [BAC] is interpreted the same way."
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
            "A straight is three consecutive ranks. The sheets do not state whether the Ace is"
            " below two, above King, or both."
        ),
        readings=(
            Reading(
                gettext_noop("Low in A-2-3 and high in Q-K-A, but not in between"),
                gettext_noop("21+3 returns 96.30 percent with eight decks."),
            ),
            Reading(
                gettext_noop("Low only, or high only"),
                gettext_noop("21+3 returns 92.86 percent with eight decks."),
            ),
            Reading(
                gettext_noop("Also in between: K-A-2 is a straight"),
                gettext_noop("21+3 returns 99.73 percent with eight decks."),
            ),
        ),
        why=gettext_noop(
            "Only this interpretation gives the declared returns: 96.30 percent with eight decks,"
            " 95.38 with six."
        ),
    ),
    Ambiguity(
        key="different-suits",
        places=(
            Place("BJ", "21+3"),
            Place("MFB", "Puntate collaterali"),
            Place("QB", "21+3"),
        ),
        title=gettext_noop("Straights and three of a kind of different suits"),
        question=gettext_noop(
            "[BJ] requires different suits for a straight and three of a kind, the other sheets"
            " suits that are not all the same. They do not state whether two cards can have the"
            " same suit."
        ),
        readings=(
            Reading(
                gettext_noop("Not all three of the same suit"),
                gettext_noop(
                    "4S 5S 6H is a straight. 21+3 returns 96.30 percent with eight decks."
                ),
            ),
            Reading(
                gettext_noop("Three different suits"),
                gettext_noop(
                    "4S 5S 6H wins nothing. Applied to three of a kind only, the return would drop"
                    " to 87.20 percent; to straights only, to 75.87."
                ),
            ),
        ),
        why=gettext_noop(
            "Only this gives the declared return, and [MFB] and [QB] describe straights this way."
        ),
    ),
)
