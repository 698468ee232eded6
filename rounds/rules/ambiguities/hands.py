"""Hands, money and the dealer at several games, as they are read."""

from typing import Final

from rounds.rules.ambiguities.ambiguity import Ambiguity, Place, Reading
from rounds.rules.citation import gettext_noop

HANDS: Final = (
    Ambiguity(
        key="winnings-rounding",
        places=(
            Place("BJ", "Vincite"),
            Place("MFB", "Table dei pagamenti"),
            Place("QB", "Regole di gioco"),
            Place("BAC", "Regole del baccarat"),
            Place("ZAP", "Pagamenti"),
        ),
        title=gettext_noop("Winnings that are no whole cent"),
        question=gettext_noop(
            "The sheets print odds such as 3:2, 0.95:1 or 0.54:1 and do not say what becomes of a"
            " fraction of a cent."
        ),
        readings=(
            Reading(
                gettext_noop("Rounded to the nearest cent, halves up, once per hand or side bet"),
                gettext_noop(
                    "A blackjack on 0.05 wins 0.08; two bets of one customer are rounded each by"
                    " itself."
                ),
            ),
            Reading(
                gettext_noop("Rounded down"),
                gettext_noop("A blackjack on 0.05 wins 0.07; the house keeps every fraction."),
            ),
            Reading(
                gettext_noop("Rounded once, over all bets of a customer"),
                gettext_noop("The payout of a bet would depend on the other bets of the round."),
            ),
        ),
        adopted=0,
        why=gettext_noop(
            "The half goes to the customer, and each bet can be explained by itself. All rule sets"
            " round the same way."
        ),
    ),
    Ambiguity(
        key="insurance-odd-cent",
        places=(
            Place("BJ", "Assicurazione"),
            Place("MFB", "Assicurazione"),
            Place("QB", "Assicurazione"),
            Place("ZAP", "Assicurazione"),
        ),
        title=gettext_noop("Half of a stake with an odd cent"),
        question=gettext_noop(
            "Insurance costs half of the initial stake. The sheets do not say what half of 0.05 is."
        ),
        readings=(
            Reading(
                gettext_noop("The half is rounded down to the cent"),
                gettext_noop(
                    "A stake of 0.05 is insured with 0.02; any other amount holds the round."
                ),
            ),
            Reading(
                gettext_noop("The half is rounded up"),
                gettext_noop("A stake of 0.05 is insured with 0.03, more than half."),
            ),
            Reading(
                gettext_noop("A stake with an odd cent cannot be insured"),
                gettext_noop("A customer would lose an offer that the sheet makes to everybody."),
            ),
        ),
        adopted=0,
        why=gettext_noop("Nobody stakes more than half, and every stake can be insured."),
    ),
    Ambiguity(
        key="split-by-value",
        places=(
            Place("BJ", "Cavallo"),
            Place("MFB", "Divisione"),
            Place("QB", "Divisione"),
            Place("ZAP", "Regole"),
        ),
        title=gettext_noop("Splitting ten-value cards that differ"),
        question=gettext_noop(
            "Two first cards of the same value may be split. The side bets use the same word for"
            " rank."
        ),
        readings=(
            Reading(
                gettext_noop("The value of the hand counts"),
                gettext_noop("A king and a ten may be split."),
            ),
            Reading(
                gettext_noop("The rank counts"),
                gettext_noop(
                    "A king and a ten may not be split; such a play would hold the round."
                ),
            ),
        ),
        adopted=0,
        why=gettext_noop(
            "Every sheet says that pictures are worth ten, and splitting is a matter of the hand's"
            " values."
        ),
    ),
    Ambiguity(
        key="dealing-order",
        places=(
            Place("BJ", "Regole del gioco"),
            Place("MFB", "Funzionamento del gioco"),
            Place("QB", "Regole di gioco"),
            Place("ZAP", "Istruzioni di gioco"),
        ),
        title=gettext_noop("In which order cards must leave the shoe"),
        question=gettext_noop(
            "[BJ] and [MFB] describe the dealing card by card, the others only how many cards each"
            " hand gets. What a deviation between places means for the round is not said."
        ),
        readings=(
            Reading(
                gettext_noop(
                    "The order within each place counts; the first two cards of all boxes and of"
                    " the dealer come before every other"
                ),
                gettext_noop(
                    "A hand is what its place received. A card that comes before the deal is"
                    " complete holds the round."
                ),
            ),
            Reading(
                gettext_noop("The exact order across all places counts"),
                gettext_noop(
                    "Every swap between two boxes would hold the round, although each hand has its"
                    " cards."
                ),
            ),
        ),
        adopted=0,
        why=gettext_noop(
            "Decided by the feed contract (detail 24) for all tables alike: what pays is the hand."
        ),
    ),
    Ambiguity(
        key="dealer-draw-optional",
        places=(
            Place("BJ", "Risultato"),
            Place("MFB", "Funzionamento del gioco"),
            Place("QB", "Regole di gioco"),
            Place("ZAP", "Istruzioni di gioco"),
        ),
        title=gettext_noop("Whether the dealer draws when nothing depends on it"),
        question=gettext_noop(
            "The dealer draws to 17 once all hands are played. No sheet says what happens when"
            " every hand is bust, or is a blackjack that the hole card already decides."
        ),
        readings=(
            Reading(
                gettext_noop("Drawing is optional; a draw once begun is finished by the rule"),
                gettext_noop(
                    "Both kinds of rounds settle. At [MFB] the cards that the dealer does draw"
                    " count for the Fire Blaze points."
                ),
            ),
            Reading(
                gettext_noop("The dealer always completes the hand"),
                gettext_noop("A round that ends early would be held for a missing card."),
            ),
            Reading(
                gettext_noop("The dealer never draws then"),
                gettext_noop("A completed hand would be held for an extra card."),
            ),
        ),
        adopted=0,
        why=gettext_noop(
            "Decided by the feed contract (detail 25): no bet of the boxes depends on it, and"
            " tables do either. A hand finished off line and a box without bets do not make a draw"
            " necessary."
        ),
    ),
    Ambiguity(
        key="no-decision-stands",
        places=(
            Place("QB", "Regole di gioco"),
            Place("ZAP", "Istruzioni di gioco"),
        ),
        title=gettext_noop("No decision in time"),
        question=gettext_noop(
            "[BJ] and [MFB] let a hand stand when no decision comes in time. These two sheets do"
            " not say."
        ),
        readings=(
            Reading(
                gettext_noop("The hand stands"),
                gettext_noop("It is decided on the cards that it has."),
            ),
            Reading(
                gettext_noop("The bet is void"),
                gettext_noop("A customer could take back a bad hand by waiting."),
            ),
        ),
        adopted=0,
        why=gettext_noop(
            "As the sister sheets say, and as the feed contract writes a hand: a final stand may"
            " be left out."
        ),
    ),
    Ambiguity(
        key="twenty-one-stands",
        places=(
            Place("BJ", "Raddoppio, carta o stai"),
            Place("MFB", "Funzionamento del gioco"),
            Place("QB", "Regole di gioco"),
        ),
        title=gettext_noop("A hand on 21"),
        question=gettext_noop(
            "[BJ] offers decisions to hands whose first total is not 21; nothing is said of a 21"
            " that is reached later, and nothing at all by [MFB] and [QB]."
        ),
        readings=(
            Reading(
                gettext_noop("It stands by itself"),
                gettext_noop("A decision after 21 holds the round."),
            ),
            Reading(
                gettext_noop("It may go on"),
                gettext_noop("A customer could draw to 21 and lose by a slip of the finger."),
            ),
        ),
        adopted=0,
        why=gettext_noop(
            "[ZAP] prints it, all studios of the family play so, and nobody can gain by drawing."
        ),
    ),
    Ambiguity(
        key="returned-double-of-a-bust-hand",
        places=(
            Place("MFB", "Raddoppia"),
            Place("QB", "Raddoppia"),
        ),
        title=gettext_noop("The double of a hand that went bust"),
        question=gettext_noop(
            "Against a dealer blackjack with a ten up, the raise of a double goes back. Whether"
            " also when the doubled hand went bust is not said."
        ),
        readings=(
            Reading(
                gettext_noop("It goes back also then"),
                gettext_noop("10.00 doubled to 20.00 and bust: 10.00 comes back."),
            ),
            Reading(
                gettext_noop("A bust hand has lost everything"),
                gettext_noop("Nothing comes back."),
            ),
        ),
        adopted=0,
        why=gettext_noop(
            "Decided by the feed contract (detail 29): had the dealer looked, the raise would"
            " never have been made."
        ),
    ),
)
