"""Interpretations of several sheets: hands, money and the dealer."""

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
        title=gettext_noop("Winnings that are not whole cents"),
        question=gettext_noop(
            "The sheets print odds such as 3:2, 0.95:1 or 0.54:1 and do not state how fractions of"
            " a cent are rounded."
        ),
        readings=(
            Reading(
                gettext_noop("Rounded to the nearest cent, half up, once per hand or side bet"),
                gettext_noop(
                    "A blackjack on 0.05 wins 0.08. Two bets of one customer are rounded"
                    " separately."
                ),
            ),
            Reading(
                gettext_noop("Rounded down"),
                gettext_noop("A blackjack on 0.05 wins 0.07; all fractions stay with the house."),
            ),
            Reading(
                gettext_noop("Rounded once, over all bets of a customer"),
                gettext_noop("The payout of a bet would depend on the other bets of the round."),
            ),
        ),
        why=gettext_noop(
            "Half a cent goes to the customer, and each bet can be explained on its own. All rule"
            " sets round the same way."
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
        title=gettext_noop("Half of a stake with an odd number of cents"),
        question=gettext_noop(
            "Insurance costs half of the initial stake. The sheets do not define half of 0.05."
        ),
        readings=(
            Reading(
                gettext_noop("Half is rounded down to the cent"),
                gettext_noop(
                    "A stake of 0.05 is insured with 0.02; any other amount holds the round."
                ),
            ),
            Reading(
                gettext_noop("Half is rounded up"),
                gettext_noop("A stake of 0.05 is insured with 0.03, more than half."),
            ),
            Reading(
                gettext_noop("A stake with an odd number of cents cannot be insured"),
                gettext_noop("A customer would be denied an offer that the sheet makes to all."),
            ),
        ),
        why=gettext_noop("No insurance exceeds half of the stake, and every stake can be insured."),
    ),
    Ambiguity(
        key="split-by-value",
        places=(
            Place("BJ", "Cavallo"),
            Place("MFB", "Divisione"),
            Place("QB", "Divisione"),
            Place("ZAP", "Regole"),
        ),
        title=gettext_noop("Splitting two different ten-value cards"),
        question=gettext_noop(
            "Two first cards of the same value can be split. For side bets the sheets use the same"
            " word for rank."
        ),
        readings=(
            Reading(
                gettext_noop("The point value counts"),
                gettext_noop("A King and a ten can be split."),
            ),
            Reading(
                gettext_noop("The rank counts"),
                gettext_noop("A King and a ten cannot be split; such a play would hold the round."),
            ),
        ),
        why=gettext_noop(
            "Every sheet says that picture cards count ten, and splitting depends on the value of"
            " the hand."
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
        title=gettext_noop("Dealing order"),
        question=gettext_noop(
            "[BJ] and [MFB] describe the deal card by card, the others only the number of cards of"
            " each hand. The sheets do not state what a deviation between places means for the"
            " round."
        ),
        readings=(
            Reading(
                gettext_noop(
                    "The order within each place counts. The first two cards of all boxes and of"
                    " the dealer come before all others"
                ),
                gettext_noop(
                    "A hand consists of the cards that its place received. A card dealt before the"
                    " initial deal is complete holds the round."
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
        why=gettext_noop(
            "The feed contract decides this for all tables (detail 24): the hand decides the"
            " payout."
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
        title=gettext_noop("Whether the dealer draws if no hand depends on it"),
        question=gettext_noop(
            "The dealer draws to 17 after all hands are played. The sheets do not state what"
            " happens if every hand has bust, or is a blackjack that the hole card already decides."
        ),
        readings=(
            Reading(
                gettext_noop("Drawing is optional; once started, it is completed by the rule"),
                gettext_noop(
                    "Both kinds of rounds are settled. In [MFB], the cards that the dealer draws"
                    " count for Fire Blaze points."
                ),
            ),
            Reading(
                gettext_noop("The dealer always completes the hand"),
                gettext_noop("A round that ends early would be held for a missing card."),
            ),
            Reading(
                gettext_noop("The dealer never draws in this case"),
                gettext_noop("A completed hand would be held for an extra card."),
            ),
        ),
        why=gettext_noop(
            "The feed contract decides this (detail 25): no bet on a box depends on it, and tables"
            " do both. A hand completed offline, or a box without bets, does not require a draw."
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
            "In [BJ] and [MFB] a hand stands if no decision is made in time. These two sheets do"
            " not mention it."
        ),
        readings=(
            Reading(
                gettext_noop("The hand stands"),
                gettext_noop("It is decided by the cards it has."),
            ),
            Reading(
                gettext_noop("The bet is void"),
                gettext_noop("A customer could withdraw from a bad hand by waiting."),
            ),
        ),
        why=gettext_noop(
            "The other sheets say so, and in the feed contract the final stand of a hand can be"
            " omitted."
        ),
    ),
    Ambiguity(
        key="twenty-one-stands",
        places=(
            Place("BJ", "Raddoppio, carta o stai"),
            Place("MFB", "Funzionamento del gioco"),
            Place("QB", "Regole di gioco"),
        ),
        title=gettext_noop("A hand with 21"),
        question=gettext_noop(
            "[BJ] offers decisions to hands with an initial total other than 21. It does not"
            " mention a 21 reached later; [MFB] and [QB] mention neither."
        ),
        readings=(
            Reading(
                gettext_noop("The hand stands automatically"),
                gettext_noop("A decision after 21 holds the round."),
            ),
            Reading(
                gettext_noop("The hand can continue"),
                gettext_noop("A customer with 21 could draw by mistake and lose."),
            ),
        ),
        why=gettext_noop(
            "[ZAP] says so, all studios of this type play this way, and drawing on 21 has no"
            " advantage."
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
            "Against a dealer blackjack with a ten face up, the raise of a double is returned. The"
            " sheets do not state whether this includes a doubled hand that went bust."
        ),
        readings=(
            Reading(
                gettext_noop("The raise is returned"),
                gettext_noop("10.00 doubled to 20.00 and bust: 10.00 is returned."),
            ),
            Reading(
                gettext_noop("A bust hand loses everything staked on it"),
                gettext_noop("Nothing is returned."),
            ),
        ),
        why=gettext_noop(
            "The feed contract decides this (detail 29): had the dealer peeked, the raise would not"
            " have been made."
        ),
    ),
)
