"""Interpretations of [MFB] Mega Fire Blaze Blackjack: points and malfunctions."""

from typing import Final

from rounds.rules.ambiguities.ambiguity import Ambiguity, Place, Reading
from rounds.rules.citation import gettext_noop

FIRE_BLAZE_POINTS: Final = (
    Ambiguity(
        key="fire-blaze-rows-add-up",
        places=(Place("MFB", "Progressi di Fire Blaze"),),
        title=gettext_noop("Whether the rows of the points table add up"),
        question=gettext_noop(
            "Taken alone, the table gives 6 points for two Aces. The example on the sheet counts 2"
            " for the first Ace and 6 more for the second, and 1 for the fourth card and 7 more for"
            " the fifth."
        ),
        readings=(
            Reading(
                gettext_noop("Rows add up"),
                gettext_noop(
                    "Two Aces: 8. Five cards: 8. Two boxes with 14: 6. The example totals 16, the"
                    " Major level."
                ),
            ),
            Reading(
                gettext_noop("Only the highest row counts"),
                gettext_noop("The example would total 13, the Mini level."),
            ),
        ),
        why=gettext_noop("The example on the sheet is unambiguous."),
    ),
    Ambiguity(
        key="fire-blaze-fourteen",
        places=(
            Place("MFB", "Regolamento di Fire Blaze"),
            Place("MFB", "Progressi di Fire Blaze"),
        ),
        title=gettext_noop("Which hands earn points with a 14"),
        question=gettext_noop(
            "The list of progress mentions an initial total of 14 in the dealer's hand. The table"
            " gives the points to one player or both."
        ),
        readings=(
            Reading(
                gettext_noop("The boxes"),
                gettext_noop("One box with 14: 2 points, both: 6."),
            ),
            Reading(
                gettext_noop("The dealer's hand"),
                gettext_noop("The row for both players could never apply."),
            ),
        ),
        why=gettext_noop(
            "The table gives the points, and only this interpretation gives both of its rows a"
            " meaning."
        ),
    ),
    Ambiguity(
        key="fire-blaze-soft-fourteen",
        places=(Place("MFB", "Progressi di Fire Blaze"),),
        title=gettext_noop("A soft 14"),
        question=gettext_noop(
            "An Ace and a three total 4 or 14. The table does not state whether they count."
        ),
        readings=(
            Reading(
                gettext_noop("They count"),
                gettext_noop("An Ace and a three in a box: 2 points."),
            ),
            Reading(
                gettext_noop("Only a hard 14 counts"),
                gettext_noop("Fewer rounds would reach a bonus."),
            ),
        ),
        why=gettext_noop("The sheet counts an Ace as 11 unless the hand would bust."),
    ),
    Ambiguity(
        key="fire-blaze-beyond-the-table",
        places=(Place("MFB", "Progressi di Fire Blaze"),),
        title=gettext_noop("A third Ace or a seventh card"),
        question=gettext_noop(
            "The table ends at two Aces and six cards. The dealer can have more of both."
        ),
        readings=(
            Reading(
                gettext_noop("Further Aces and cards add nothing"),
                gettext_noop("Seven cards earn the same as six: 20."),
            ),
            Reading(
                gettext_noop("A hand outside the table earns no points"),
                gettext_noop("Seven cards would earn less than four."),
            ),
            Reading(
                gettext_noop("Each additional one earns the last row again"),
                gettext_noop("Seven cards would earn 32."),
            ),
        ),
        why=gettext_noop(
            "A further card cannot remove points already earned, and no row gives additional"
            " points."
        ),
    ),
    Ambiguity(
        key="fire-blaze-for-everyone",
        places=(
            Place("MFB", "Progressi di Fire Blaze"),
            Place("MFB", "Regolamento MEGA FIRE BLAZE BLACKJACK LIVE"),
        ),
        title=gettext_noop("To whom the points belong"),
        question=gettext_noop(
            "The sheet assigns events to a player, and the table mentions one player or both"
            " players. Any number of customers can share a box, and a box can be empty."
        ),
        readings=(
            Reading(
                gettext_noop("Points belong to the round and are the same for every customer"),
                gettext_noop("Both boxes are always dealt and count, with or without bets."),
            ),
            Reading(
                gettext_noop("For each customer, only the boxes with a bet of that customer count"),
                gettext_noop("One round would have several levels but only one grid."),
            ),
        ),
        why=gettext_noop("One bonus is played for all bonus bets, so one total must decide."),
    ),
    Ambiguity(
        key="malfunction-and-the-bonus-bet",
        places=(Place("MFB", "Gestione degli errori"),),
        title=gettext_noop("The bonus bet if a malfunction prevented the bonus"),
        question=gettext_noop(
            "All other bets are paid by the actual result. The sheet does not mention the bonus bet"
            " itself."
        ),
        readings=(
            Reading(
                gettext_noop("Void if the points earned a bonus, otherwise lost"),
                gettext_noop(
                    "Customers who missed a bonus get their stake back. A bonus that was played is"
                    " paid."
                ),
            ),
            Reading(
                gettext_noop("Lost"),
                gettext_noop("The customer would bear the cost of the malfunction."),
            ),
            Reading(
                gettext_noop("Always void"),
                gettext_noop("A losing bet would be refunded."),
            ),
        ),
        why=gettext_noop(
            "The result of the grid is unknown, and without the points no grid would have been"
            " played. Detail 43 of the feed contract agrees."
        ),
    ),
    Ambiguity(
        key="malfunction-with-complete-cards",
        places=(Place("MFB", "Gestione degli errori"),),
        title=gettext_noop("A malfunction in a round with complete cards"),
        question=gettext_noop(
            "The sheet pays the actual result if the bonus failed. It does not state whether other"
            " declared malfunctions void the round."
        ),
        readings=(
            Reading(
                gettext_noop(
                    "The round is paid by its cards if they are complete, and void if a card is"
                    " missing"
                ),
                gettext_noop("Other errors hold the round as usual."),
            ),
            Reading(
                gettext_noop("The round is always void"),
                gettext_noop("This contradicts the sheet, which pays the actual result."),
            ),
        ),
        why=gettext_noop(
            "A complete hand is an actual result; an incomplete hand is not. Detail 43 of the feed"
            " contract agrees."
        ),
    ),
)
