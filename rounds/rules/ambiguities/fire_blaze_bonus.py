"""Interpretations of [MFB] Mega Fire Blaze Blackjack: the bonus."""

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
            "A full section can reveal a special multiplier. The sheet does not state how many per"
            " section, and its formula for the total includes cells and the star, but not boosted"
            " cells."
        ),
        readings=(
            Reading(
                gettext_noop(
                    "One special per section: its six cells count double or triple, or one star is"
                    " added"
                ),
                gettext_noop("The total is the sum of the cells, with boosts, and the stars."),
            ),
            Reading(
                gettext_noop("A boost and a star together"),
                gettext_noop("The largest totals would far exceed the printed prizes."),
            ),
            Reading(
                gettext_noop("Boosts do not count towards the total"),
                gettext_noop("The passage on boosts would have no effect."),
            ),
        ),
        why=gettext_noop(
            "The lowest level shows this: six cells of 2, boosted by 2, make 24, which is the top"
            " prize of 23:1 with the stake."
        ),
    ),
    Ambiguity(
        key="bonus-prize-with-stake",
        places=(Place("MFB", "Premi della partita del Mega Fire Blaze Bonus"),),
        title=gettext_noop("Whether the bonus total includes the stake"),
        question=gettext_noop(
            "Prizes are printed as odds of up to 999:1, without the stake. The formula is stake"
            " times total multiplier."
        ),
        readings=(
            Reading(
                gettext_noop("The payout is stake times total, including the stake"),
                gettext_noop("1.00 with a total of 24 pays 24.00, of which 23.00 is won."),
            ),
            Reading(
                gettext_noop("The stake is paid in addition"),
                gettext_noop("The same bet would pay 25.00, more than 23:1."),
            ),
        ),
        why=gettext_noop(
            "Formula and prizes then agree: the grids can reach 24, and 24 for 1 is 23:1."
        ),
    ),
    Ambiguity(
        key="bonus-prize-bounds",
        places=(Place("MFB", "Premi della partita del Mega Fire Blaze Bonus"),),
        title=gettext_noop("Totals outside the printed prizes"),
        question=gettext_noop(
            "Each level has a minimum and a maximum prize. Full grids can exceed the maximum at the"
            " higher levels. The sheet does not state the payout in this case, nor the meaning of a"
            " total below the minimum."
        ),
        readings=(
            Reading(
                gettext_noop("At most the maximum; a total below the minimum holds the round"),
                gettext_noop(
                    "The maximum totals are 24, 120, 400, 700 and 1000; the minimum totals are 2,"
                    " 3, 6, 10 and 20."
                ),
            ),
            Reading(
                gettext_noop("The total of the grid is always paid"),
                gettext_noop("Payouts could exceed the printed prizes."),
            ),
        ),
        why=gettext_noop(
            "The printed prizes are the maximum promised to customers. A total that no grid of the"
            " level can reach is an error of the studio."
        ),
    ),
    Ambiguity(
        key="bonus-bet-on-its-box",
        places=(
            Place("MFB", "Funzionamento del gioco"),
            Place("MFB", "Puntate collaterali"),
        ),
        title=gettext_noop("Main bet required for a bonus bet"),
        question=gettext_noop(
            "A bonus bet is placed in addition to main bets. The sheet does not state whether a"
            " main bet on the other box is sufficient."
        ),
        readings=(
            Reading(
                gettext_noop("A main bet of the same player on the same box"),
                gettext_noop("A bonus bet without one holds the round."),
            ),
            Reading(
                gettext_noop("Any main bet of the player"),
                gettext_noop("A customer could place two bonus bets with one main bet."),
            ),
        ),
        why=gettext_noop("All side bets of the sheet are interpreted this way."),
    ),
    Ambiguity(
        key="bonus-of-another-level",
        places=(Place("MFB", "Livello del bonus"),),
        title=gettext_noop("A bonus of the wrong level"),
        question=gettext_noop(
            "The points decide the level. The sheet does not state what happens if another level"
            " was played."
        ),
        readings=(
            Reading(
                gettext_noop("The round is held; the grid is checked against the level played"),
                gettext_noop(
                    "The supervisor sees the wrong level, not a misleading list of wrong cells."
                ),
            ),
            Reading(
                gettext_noop("The grid is checked against the level earned"),
                gettext_noop("One mistake would appear as many."),
            ),
        ),
        why=gettext_noop("The feed contract decides this (detail 45)."),
    ),
    Ambiguity(
        key="bonus-weights-unknown",
        places=(
            Place("MFB", "Ritorno al giocatore e tabelle dei pagamenti"),
            Place("MFB", "Mega Fire Blaze Bonus"),
        ),
        title=gettext_noop("The declared return of 97.47 percent for the bonus bet"),
        question=gettext_noop(
            "The sheet lists the multipliers that a grid can show, not their frequencies."
        ),
        readings=(
            Reading(
                gettext_noop("The return cannot be computed from the sheet"),
                gettext_noop(
                    "Only the probability of each level can be computed. The declared return is"
                    " possible."
                ),
            ),
            Reading(
                gettext_noop("All multipliers are equally frequent"),
                gettext_noop("A certificate would contain an assumed figure."),
            ),
        ),
        why=gettext_noop(
            "A certificate states only computed figures. No payout depends on this, because the"
            " grid is in the feed."
        ),
    ),
)
