"""The points of [MFB] Mega Fire Blaze Blackjack, and its malfunctions, as they are read."""

from typing import Final

from rounds.rules.ambiguities.ambiguity import Ambiguity, Place, Reading
from rounds.rules.citation import gettext_noop

FIRE_BLAZE_POINTS: Final = (
    Ambiguity(
        key="fire-blaze-rows-add-up",
        places=(Place("MFB", "Progressi di Fire Blaze"),),
        title=gettext_noop("Whether the rows of the points table add up"),
        question=gettext_noop(
            "Read alone, the table gives 6 points for two Aces. The sheet's example counts 2 for"
            " the first and 6 more for the second, and 1 for the fourth card with 7 more for the"
            " fifth."
        ),
        readings=(
            Reading(
                gettext_noop("Rows add up"),
                gettext_noop(
                    "Two Aces: 8. Five cards: 8. Two boxes with 14: 6. The example comes to 16,"
                    " the major level."
                ),
            ),
            Reading(
                gettext_noop("The highest row counts alone"),
                gettext_noop("The example would come to 13, the mini level."),
            ),
        ),
        adopted=0,
        why=gettext_noop("The example is the sheet's own and leaves no doubt."),
    ),
    Ambiguity(
        key="fire-blaze-fourteen",
        places=(
            Place("MFB", "Regolamento di Fire Blaze"),
            Place("MFB", "Progressi di Fire Blaze"),
        ),
        title=gettext_noop("Whose 14 earns points"),
        question=gettext_noop(
            "The list of progress names a first total of 14 in the dealer's hand; the table gives"
            " the points to one player or both."
        ),
        readings=(
            Reading(
                gettext_noop("The boxes'"),
                gettext_noop("One box with 14: 2 points, both: 6."),
            ),
            Reading(
                gettext_noop("The dealer's"),
                gettext_noop("The row for both players could never apply."),
            ),
        ),
        adopted=0,
        why=gettext_noop(
            "The table is what gives the points, and only so do both of its rows make sense."
        ),
    ),
    Ambiguity(
        key="fire-blaze-soft-fourteen",
        places=(Place("MFB", "Progressi di Fire Blaze"),),
        title=gettext_noop("A soft 14"),
        question=gettext_noop(
            "An Ace and a three are 4 or 14. The table does not say whether they count."
        ),
        readings=(
            Reading(
                gettext_noop("They count"),
                gettext_noop("Ace and three in a box: 2 points."),
            ),
            Reading(
                gettext_noop("Only a hard 14 counts"),
                gettext_noop("Fewer rounds would reach a bonus."),
            ),
        ),
        adopted=0,
        why=gettext_noop("The sheet counts an Ace as 11 wherever the hand can bear it."),
    ),
    Ambiguity(
        key="fire-blaze-beyond-the-table",
        places=(Place("MFB", "Progressi di Fire Blaze"),),
        title=gettext_noop("A third Ace, a seventh card"),
        question=gettext_noop(
            "The table ends at two Aces and six cards. The dealer can hold more of both."
        ),
        readings=(
            Reading(
                gettext_noop("Further Aces and cards add nothing"),
                gettext_noop("Seven cards earn what six earn: 20."),
            ),
            Reading(
                gettext_noop("A hand outside the table earns nothing"),
                gettext_noop("Seven cards would earn less than four."),
            ),
            Reading(
                gettext_noop("Each further one repeats the last row"),
                gettext_noop("Seven cards would earn 32."),
            ),
        ),
        adopted=0,
        why=gettext_noop(
            "What was earned is not lost by a further card, and nothing is added that no row gives."
        ),
    ),
    Ambiguity(
        key="fire-blaze-for-everyone",
        places=(
            Place("MFB", "Progressi di Fire Blaze"),
            Place("MFB", "Regolamento MEGA FIRE BLAZE BLACKJACK LIVE"),
        ),
        title=gettext_noop("Whose points they are"),
        question=gettext_noop(
            "Events are said to come to a player, and the table speaks of one player or both"
            " players. Any number of customers share a box, and a box may be without one."
        ),
        readings=(
            Reading(
                gettext_noop("The points are the round's, and the same for every customer"),
                gettext_noop("Both boxes are always dealt and count, with or without bets."),
            ),
            Reading(
                gettext_noop("Each customer counts the boxes he bets on"),
                gettext_noop("One round would have several levels and one grid."),
            ),
        ),
        adopted=0,
        why=gettext_noop("One bonus is played for all who bet on it, so one total must decide."),
    ),
    Ambiguity(
        key="malfunction-and-the-bonus-bet",
        places=(Place("MFB", "Gestione degli errori"),),
        title=gettext_noop("The bonus bet when a malfunction kept the bonus from being played"),
        question=gettext_noop(
            "All other bets are then paid on the real result. The bonus bet itself is not"
            " mentioned."
        ),
        readings=(
            Reading(
                gettext_noop("Void when the points earned a bonus, lost when not"),
                gettext_noop(
                    "The stake goes back to who was deprived of a bonus. A bonus that was played"
                    " all the same is paid."
                ),
            ),
            Reading(
                gettext_noop("Lost"),
                gettext_noop("The customer would pay for the fault."),
            ),
            Reading(
                gettext_noop("Void in any case"),
                gettext_noop("A bet that had already lost would go back."),
            ),
        ),
        adopted=0,
        why=gettext_noop(
            "Nobody can say what the grid would have shown, and without the points there was no"
            " grid to play. Detail 43 of the feed contract agrees."
        ),
    ),
    Ambiguity(
        key="malfunction-with-complete-cards",
        places=(Place("MFB", "Gestione degli errori"),),
        title=gettext_noop("A malfunction in a round whose cards are complete"),
        question=gettext_noop(
            "The sheet pays the real result when the bonus failed. Whether any other declared"
            " malfunction voids the round is not said."
        ),
        readings=(
            Reading(
                gettext_noop(
                    "It pays by its cards when they are complete, and is void when one is missing"
                ),
                gettext_noop("Other anomalies hold the round as usual."),
            ),
            Reading(
                gettext_noop("It is void in any case"),
                gettext_noop("Against the sheet, which pays the real result."),
            ),
        ),
        adopted=0,
        why=gettext_noop(
            "A hand that was dealt and decided is a real result; without its cards there is none."
            " Detail 43 of the feed contract agrees."
        ),
    ),
)
