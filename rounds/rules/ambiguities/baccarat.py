"""Unclear points of [BAC] Live Baccarat, as they are read."""

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
        title=gettext_noop("Eight decks or six, and when they are shuffled"),
        question=gettext_noop(
            "Title line and shuffling section say eight decks, shuffled when about two are left. A"
            " sentence in the middle says six decks, shuffled for every hand."
        ),
        readings=(
            Reading(
                gettext_noop("Eight, in a shoe that goes on from round to round"),
                gettext_noop(
                    "A ninth copy of a card holds the round. House edges 1.2351, 1.0579 and"
                    " 14.3596 per cent."
                ),
            ),
            Reading(
                gettext_noop("Six, shuffled for every hand"),
                gettext_noop("A seventh copy would hold the round, and no shoe could be followed."),
            ),
        ),
        adopted=0,
        why=gettext_noop(
            "Two passages agree against one, the shuffling section in detail; the published house"
            " edges are for eight decks."
        ),
    ),
    Ambiguity(
        key="tie-nine-for-one",
        places=(Place("BAC", "Regole del baccarat"),),
        title=gettext_noop("Nine for one on a tie"),
        question=gettext_noop(
            "The tie is said to win nine for one. Other odds on the sheet are written with a colon"
            " and leave the stake aside."
        ),
        readings=(
            Reading(
                gettext_noop("The nine hold the stake: 8:1"),
                gettext_noop("10.00 pays 90.00. The bet returns 85.64 per cent."),
            ),
            Reading(
                gettext_noop("Nine are won besides the stake: 9:1"),
                gettext_noop("10.00 pays 100.00. The bet would return 95.16 per cent."),
            ),
        ),
        adopted=0,
        why=gettext_noop(
            "The same passage counts what comes back in all: twice the stake on Player. The"
            " published house edge, 14.3596 per cent, is that of 8:1."
        ),
    ),
    Ambiguity(
        key="banker-commission",
        places=(Place("BAC", "Regole del baccarat"),),
        title=gettext_noop("Five per cent of what"),
        question=gettext_noop(
            "Banker pays twice the stake less a commission of five per cent. What the five per"
            " cent are taken from is not said."
        ),
        readings=(
            Reading(
                gettext_noop("Of the winnings: 0.95:1"),
                gettext_noop("10.00 pays 19.50. The bet returns 98.94 per cent."),
            ),
            Reading(
                gettext_noop("Of all that is paid: 0.90:1"),
                gettext_noop("10.00 pays 19.00. The bet would return 96.65 per cent."),
            ),
        ),
        adopted=0,
        why=gettext_noop(
            "Commission is on winnings in the standard rules that the sheet applies in its own"
            " words; the published house edge of 1.0579 per cent is that of 0.95:1."
        ),
    ),
    Ambiguity(
        key="pair-returns-contradict-odds",
        places=(
            Place("BAC", "PERCENTUALE DI RESTITUZIONE (RTP)"),
            Place("BAC", "Puntate aggiuntive"),
        ),
        title=gettext_noop("Declared returns that the printed odds cannot give"),
        question=gettext_noop(
            "95.29 per cent is declared for the Banker pair and 95.26 for perfect pairs. At the"
            " printed 11:1 and 25:1 they return 89.64 and 86.97 on eight decks; with no number of"
            " decks could 11:1 return more than 92.31."
        ),
        readings=(
            Reading(
                gettext_noop("The printed odds are paid, and the contradiction is reported"),
                gettext_noop(
                    "11:1 and 25:1; the certificate does not confirm the declared figures."
                ),
            ),
            Reading(
                gettext_noop("Odds are raised until the returns fit"),
                gettext_noop("The house would pay odds that nobody printed."),
            ),
        ),
        adopted=0,
        why=gettext_noop(
            "A customer bets on the odds. Whoever answers for the sheet has to correct its figures."
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
            "The bet wins when the first two cards of one hand or the other pair in suit. What it"
            " pays when both do is not said."
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
        adopted=0,
        why=gettext_noop(
            "One bet, one condition, one odds are printed; the either pair says so in words (one"
            " or both)."
        ),
    ),
    Ambiguity(
        key="burn-of-a-picture",
        places=(Place("BAC", "Mescolatura delle carte"),),
        title=gettext_noop("How many cards a burnt picture or ten is worth"),
        question=gettext_noop(
            "A new shoe burns one card face up and as many face down as it is worth. Tens and"
            " pictures are worth zero in this game."
        ),
        readings=(
            Reading(
                gettext_noop("Ten"),
                gettext_noop("A king burns ten cards face down."),
            ),
            Reading(
                gettext_noop("Zero"),
                gettext_noop("A king burns none."),
            ),
        ),
        adopted=0,
        why=gettext_noop(
            "Decided by the feed contract (A shoe). The count of cards drawn before each round"
            " follows the document of the shoe either way."
        ),
    ),
    Ambiguity(
        key="baccarat-malfunction",
        places=(Place("BAC", "Per giocare:"),),
        title=gettext_noop("A malfunction at baccarat"),
        question=gettext_noop("The sheet has no clause for errors."),
        readings=(
            Reading(
                gettext_noop("The round is void"),
                gettext_noop("Everything staked goes back."),
            ),
            Reading(
                gettext_noop("It pays by its cards when they are complete"),
                gettext_noop("A coup that the studio itself calls broken would move money."),
            ),
        ),
        adopted=0,
        why=gettext_noop(
            "As the sheets with such a clause have it, and a void leaves nobody worse off."
        ),
    ),
)
