"""The bonus of [MFB] Mega Fire Blaze Blackjack, as they are read."""

from typing import Final

from rounds.rules.ambiguities.ambiguity import Ambiguity, Place, Reading
from rounds.rules.citation import gettext_noop

FIRE_BLAZE_BONUS: Final = (
    Ambiguity(
        key="bonus-specials",
        places=(
            Place("MFB", "Mega Fire Blaze Bonus"),
            Place("MFB", "Premi della partita del Mega Fire Blaze Bonus"),
        ),
        title=gettext_noop("Boosts and stars of full sections"),
        question=gettext_noop(
            "A full section may bring a special multiplier. How many a section may bring is not"
            " said, and the formula of the total names cells and the star, not the boosted cells."
        ),
        readings=(
            Reading(
                gettext_noop(
                    "One special a section: its six cells count double or triple, or a star is"
                    " added once"
                ),
                gettext_noop("The total is the sum of the cells as boosted, and the stars."),
            ),
            Reading(
                gettext_noop("Boost and star together"),
                gettext_noop("The largest totals would far exceed the printed prizes."),
            ),
            Reading(
                gettext_noop("Boosts do not count in the total"),
                gettext_noop("The passage that raises the cells would have no effect."),
            ),
        ),
        adopted=0,
        why=gettext_noop(
            "The smallest level shows it: six cells of 2 boosted by 2 make 24, the top prize of"
            " 23:1 with the stake."
        ),
    ),
    Ambiguity(
        key="bonus-prize-with-stake",
        places=(Place("MFB", "Premi della partita del Mega Fire Blaze Bonus"),),
        title=gettext_noop("Whether the bonus total holds the stake"),
        question=gettext_noop(
            "Prizes are printed as odds, up to 999:1, which leave the stake aside. The formula"
            " says stake times total multiplier."
        ),
        readings=(
            Reading(
                gettext_noop("The payout is stake times total, the stake included"),
                gettext_noop("1.00 at a total of 24 pays 24.00: 23.00 won."),
            ),
            Reading(
                gettext_noop("The stake comes on top"),
                gettext_noop("The same bet would pay 25.00, more than 23:1."),
            ),
        ),
        adopted=0,
        why=gettext_noop(
            "So formula and prizes agree: the grids can total 24, and 24 for 1 is 23:1."
        ),
    ),
    Ambiguity(
        key="bonus-prize-bounds",
        places=(Place("MFB", "Premi della partita del Mega Fire Blaze Bonus"),),
        title=gettext_noop("Totals beyond the printed prizes"),
        question=gettext_noop(
            "Each level has a least and a greatest prize. Full grids can total more at the higher"
            " levels; what then is paid is not said, nor what a total under the least means."
        ),
        readings=(
            Reading(
                gettext_noop(
                    "Never more than the greatest; a total under the least holds the round"
                ),
                gettext_noop(
                    "Totals end at 24, 120, 400, 700 and 1000 and begin at 2, 3, 6, 10 and 20."
                ),
            ),
            Reading(
                gettext_noop("The grid's total is paid whatever it is"),
                gettext_noop("More could be paid than the sheet prints."),
            ),
        ),
        adopted=0,
        why=gettext_noop(
            "The printed prizes are the greatest that the customer was promised; a total that no"
            " grid of the level can show is the studio's error."
        ),
    ),
    Ambiguity(
        key="bonus-bet-on-its-box",
        places=(
            Place("MFB", "Funzionamento del gioco"),
            Place("MFB", "Puntate collaterali"),
        ),
        title=gettext_noop("Which main bet a bonus bet needs"),
        question=gettext_noop(
            "The bonus bet is placed beside main bets. Whether a main bet on the other box is"
            " enough is not said."
        ),
        readings=(
            Reading(
                gettext_noop("A main bet of the same player on the same box"),
                gettext_noop("A bonus bet without it holds the round."),
            ),
            Reading(
                gettext_noop("Any main bet of the player"),
                gettext_noop("A customer could hold two bonus bets with one main bet."),
            ),
        ),
        adopted=0,
        why=gettext_noop("As all side bets of the sheet are read."),
    ),
    Ambiguity(
        key="bonus-of-another-level",
        places=(Place("MFB", "Livello del bonus"),),
        title=gettext_noop("A bonus of a level that was not earned"),
        question=gettext_noop(
            "The points decide the level. What becomes of a round in which another was played is"
            " not said."
        ),
        readings=(
            Reading(
                gettext_noop(
                    "The round is held, and the grid is judged by the level that was played"
                ),
                gettext_noop(
                    "The supervisor sees the wrong level, not a false list of wrong cells."
                ),
            ),
            Reading(
                gettext_noop("The grid is judged by the level that was earned"),
                gettext_noop("One mistake would show as many."),
            ),
        ),
        adopted=0,
        why=gettext_noop("Decided by the feed contract (detail 45)."),
    ),
    Ambiguity(
        key="bonus-weights-unknown",
        places=(
            Place("MFB", "Ritorno al giocatore e tabelle dei pagamenti"),
            Place("MFB", "Mega Fire Blaze Bonus"),
        ),
        title=gettext_noop("The declared 97.47 per cent of the bonus bet"),
        question=gettext_noop(
            "The sheet lists which multipliers a grid may show, not how often each comes."
        ),
        readings=(
            Reading(
                gettext_noop("The return cannot be recomputed from the sheet"),
                gettext_noop(
                    "What can be is how often each level is reached; the declared figure is"
                    " attainable."
                ),
            ),
            Reading(
                gettext_noop("All multipliers come equally often"),
                gettext_noop("A guess that would put a figure on a certificate."),
            ),
        ),
        adopted=0,
        why=gettext_noop(
            "A certificate states what was computed, nothing else. No payout depends on it: the"
            " grid is in the feed."
        ),
    ),
)
