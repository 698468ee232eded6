"""Interpretations of [BAC] Live Baccarat."""

from typing import Final

from rounds.rules.ambiguities.ambiguity import Ambiguity, Place, Reading
from rounds.rules.citation import gettext_noop

BACCARAT: Final = (
    Ambiguity(
        key="baccarat-decks",
        places=(
            Place("BAC", "Regolamento LIVE BACCARAT"),
            Place("BAC", "Regole del baccarat"),
            Place("BAC", "Mescolatura delle carte"),
        ),
        title=gettext_noop("Eight or six decks, and when they are shuffled"),
        question=gettext_noop(
            "The title line and the section on shuffling say eight decks, shuffled when about two"
            " remain. One sentence in between says six decks, shuffled for every hand."
        ),
        readings=(
            Reading(
                gettext_noop("Eight, in a shoe that continues from round to round"),
                gettext_noop(
                    "A ninth copy of a card holds the round. House edges: 1.2351, 1.0579 and"
                    " 14.3596 percent."
                ),
            ),
            Reading(
                gettext_noop("Six, shuffled for every hand"),
                gettext_noop("A seventh copy would hold the round, and no shoe could be tracked."),
            ),
        ),
        why=gettext_noop(
            "Two passages agree against one, and the section on shuffling is the detailed one. The"
            " published house edges are for eight decks."
        ),
    ),
    Ambiguity(
        key="tie-nine-for-one",
        places=(Place("BAC", "Regole del baccarat"),),
        title=gettext_noop("A tie pays nine for one"),
        question=gettext_noop(
            "The sheet says that the tie pays nine for one. It writes all other odds with a colon"
            " and without the stake."
        ),
        readings=(
            Reading(
                gettext_noop("The nine include the stake: 8:1"),
                gettext_noop("10.00 pays 90.00. The bet returns 85.64 percent."),
            ),
            Reading(
                gettext_noop("Nine are won in addition to the stake: 9:1"),
                gettext_noop("10.00 pays 100.00. The bet would return 95.16 percent."),
            ),
        ),
        why=gettext_noop(
            "The same passage states total payouts: twice the stake on Player. The published house"
            " edge of 14.3596 percent is that of 8:1."
        ),
    ),
    Ambiguity(
        key="banker-commission",
        places=(Place("BAC", "Regole del baccarat"),),
        title=gettext_noop("Base of the five percent commission"),
        question=gettext_noop(
            "Banker pays twice the stake less a commission of five percent. The sheet does not"
            " state the base of the commission."
        ),
        readings=(
            Reading(
                gettext_noop("The winnings: 0.95:1"),
                gettext_noop("10.00 pays 19.50. The bet returns 98.94 percent."),
            ),
            Reading(
                gettext_noop("The total payout: 0.90:1"),
                gettext_noop("10.00 pays 19.00. The bet would return 96.65 percent."),
            ),
        ),
        why=gettext_noop(
            "The sheet applies the standard rules, in which the commission is on the winnings. The"
            " published house edge of 1.0579 percent is that of 0.95:1."
        ),
    ),
    Ambiguity(
        key="pair-returns-contradict-odds",
        places=(
            Place("BAC", "PERCENTUALE DI RESTITUZIONE (RTP)"),
            Place("BAC", "Puntate aggiuntive"),
        ),
        title=gettext_noop("Declared returns that do not match the printed odds"),
        question=gettext_noop(
            "The sheet declares 95.29 percent for the Banker pair and 95.26 for perfect pairs. At"
            " the printed 11:1 and 25:1 they return 89.64 and 86.97 with eight decks. 11:1 cannot"
            " return more than 92.31 with any number of decks."
        ),
        readings=(
            Reading(
                gettext_noop("Pay the printed odds and report the contradiction"),
                gettext_noop(
                    "11:1 and 25:1. The certificate does not confirm the declared returns."
                ),
            ),
            Reading(
                gettext_noop("Raise the odds to match the declared returns"),
                gettext_noop("The house would pay odds that are not printed."),
            ),
        ),
        why=gettext_noop(
            "Customers bet on the printed odds. The publisher of the sheet has to correct the"
            " declared returns."
        ),
    ),
    Ambiguity(
        key="perfect-pair-paid-once",
        places=(
            Place("BAC", "Puntate aggiuntive"),
            Place("BAC", "Puntate collaterali"),
        ),
        title=gettext_noop("A perfect pair in both hands"),
        question=gettext_noop(
            "The bet wins if the first two cards of either hand are a suited pair. The sheet does"
            " not state the payout if both are."
        ),
        readings=(
            Reading(
                gettext_noop("25:1, once"),
                gettext_noop("10.00 pays 260.00."),
            ),
            Reading(
                gettext_noop("25:1 for each"),
                gettext_noop("10.00 would pay 510.00."),
            ),
        ),
        why=gettext_noop(
            "The sheet prints one bet, one condition and one payout. For the either pair it says"
            " explicitly: one or both."
        ),
    ),
    Ambiguity(
        key="burn-of-a-picture",
        places=(Place("BAC", "Mescolatura delle carte"),),
        title=gettext_noop("Cards burnt after a picture card or ten"),
        question=gettext_noop(
            "For a new shoe, one card is burnt face up and then as many face down as its value."
            " Tens and picture cards have a value of zero in this game."
        ),
        readings=(
            Reading(
                gettext_noop("Ten"),
                gettext_noop("A King burns ten cards face down."),
            ),
            Reading(
                gettext_noop("Zero"),
                gettext_noop("A King burns no cards."),
            ),
        ),
        why=gettext_noop(
            "The feed contract decides this (A shoe). The number of cards drawn before each round"
            " comes from the shoe document in either case."
        ),
    ),
    Ambiguity(
        key="baccarat-malfunction",
        places=(Place("BAC", "Per giocare:"),),
        title=gettext_noop("Malfunction at baccarat"),
        question=gettext_noop("The sheet has no clause on malfunctions."),
        readings=(
            Reading(
                gettext_noop("The round is void"),
                gettext_noop("All stakes are refunded."),
            ),
            Reading(
                gettext_noop("The round is paid by its cards if they are complete"),
                gettext_noop("A round with a malfunction declared by the studio would move money."),
            ),
        ),
        why=gettext_noop(
            "Sheets with such a clause void the round. No customer is worse off after a void."
        ),
    ),
)
