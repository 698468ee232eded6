"""Unclear points of [QB] Quantum Blackjack+, as they are read."""

from typing import Final

from rounds.rules.ambiguities.ambiguity import Ambiguity, Place, Reading
from rounds.rules.citation import gettext_noop

QUANTUM: Final = (
    Ambiguity(
        key="soft-seventeen",
        places=(Place("QB", "Regole di gioco"),),
        title=gettext_noop("The dealer's soft 17"),
        question=gettext_noop(
            "One paragraph has the dealer stand on every 17, soft ones included; the next has him"
            " draw on a soft 17."
        ),
        readings=(
            Reading(
                gettext_noop("He draws"),
                gettext_noop("The game without multiplier cards returns 84.26 per cent."),
            ),
            Reading(
                gettext_noop("He stands"),
                gettext_noop(
                    "The game without multiplier cards returns 84.57 per cent; a dealer who drew"
                    " on a soft 17 would hold the round."
                ),
            ),
        ),
        adopted=0,
        why=gettext_noop(
            "The paragraph on drawing is the specific one: it defines the soft 17 and says how it"
            " is shown on the screen."
        ),
    ),
    Ambiguity(
        key="looks-under-a-ten",
        places=(
            Place("QB", "Regole di gioco"),
            Place("QB", "Raddoppia"),
        ),
        title=gettext_noop("A dealer blackjack under a ten"),
        question=gettext_noop(
            "With a ten up and an Ace in the hole the dealer is said to reveal it and end the"
            " round. Another clause gives doubles back in that very case, in which nobody could"
            " have doubled."
        ),
        readings=(
            Reading(
                gettext_noop(
                    "He looks at once and the round ends; plays that are in the feed all the same"
                    " get their doubles back and lose their splits"
                ),
                gettext_noop("Under an Ace likewise, after insurance."),
            ),
            Reading(
                gettext_noop("He does not look"),
                gettext_noop("Against the words of the sheet."),
            ),
            Reading(
                gettext_noop("Such plays are illegal"),
                gettext_noop(
                    "The clause on doubles would never apply and the round would be held."
                ),
            ),
        ),
        adopted=0,
        why=gettext_noop(
            "Both passages are kept; splits are read as at [MFB], whose supplier is the same."
            " Detail 28 of the feed contract agrees."
        ),
    ),
    Ambiguity(
        key="multiplier-sum",
        places=(Place("QB", "Carte moltiplicatrici"),),
        title=gettext_noop("Several multiplier cards in one hand"),
        question=gettext_noop(
            "Two sentences differ by one word: cards that match are added up, equal cards count"
            " once. The example, 9H 9H 6S with 5 on both, is worth 24 and could not win."
        ),
        readings=(
            Reading(
                gettext_noop(
                    "Different multiplier cards are added up, each once however many copies are"
                    " held"
                ),
                gettext_noop("The example counts 5 + 5 = 10."),
            ),
            Reading(
                gettext_noop("Every copy counts"),
                gettext_noop("The example would count 15."),
            ),
            Reading(
                gettext_noop("Multipliers are multiplied"),
                gettext_noop("The example would count 25."),
            ),
        ),
        adopted=0,
        why=gettext_noop("Only this satisfies both sentences and the example's own sum."),
    ),
    Ambiguity(
        key="multiplied-payout",
        places=(
            Place("QB", "Carte moltiplicatrici"),
            Place("QB", "Blackjack"),
            Place("QB", "Ritorno al giocatore"),
        ),
        title=gettext_noop("What a multiplied win pays"),
        question=gettext_noop(
            "The stake does not come back when a multiplier card wins. The formula in words leaves"
            " open whether odds and multiplier apply to the stake together."
        ),
        readings=(
            Reading(
                gettext_noop("Stake times odds times multiplier, and nothing besides"),
                gettext_noop(
                    "10.00 with a 5: 50.00; as a blackjack 75.00. A blackjack with 2.5 pays 37.50."
                ),
            ),
            Reading(
                gettext_noop("The multiplied winnings and the stake"),
                gettext_noop("10.00 with a 5 would pay 60.00."),
            ),
        ),
        adopted=0,
        why=gettext_noop(
            "The sheet's example multiplies the stake, and it says twice that the stake is not"
            " returned."
        ),
    ),
    Ambiguity(
        key="multiplied-double",
        places=(Place("QB", "Raddoppio"),),
        title=gettext_noop("The stake that is multiplied after a double"),
        question=gettext_noop(
            "The winnings of the main bet are multiplied, and common doubling rules apply"
            " otherwise. Whether the raise is multiplied too is not said outright."
        ),
        readings=(
            Reading(
                gettext_noop("The whole doubled stake"),
                gettext_noop("10.00 doubled with a 3: 60.00."),
            ),
            Reading(
                gettext_noop("The first stake only"),
                gettext_noop("The same hand would pay 30.00, and 20.00 for the raise: 50.00."),
            ),
        ),
        adopted=0,
        why=gettext_noop("A double raises the main bet, and the main bet is what is multiplied."),
    ),
    Ambiguity(
        key="three-card-bust",
        places=(Place("QB", "Push e mani sballate"),),
        title=gettext_noop("The dealer busts with three cards"),
        question=gettext_noop(
            "Standing hands push then; one with a winning multiplier card or a blackjack wins."
            " What makes a multiplier card a winning one is not said."
        ),
        readings=(
            Reading(
                gettext_noop("Any multiplier card in a hand that stands"),
                gettext_noop("The hand wins as usual, multiplied."),
            ),
            Reading(
                gettext_noop("Only one in a hand that would have won without the bust"),
                gettext_noop("There is no such hand: the dealer has no total to beat."),
            ),
        ),
        adopted=0,
        why=gettext_noop(
            "A hand that stands wins against a bust dealer; its multiplier card wins with it."
        ),
    ),
    Ambiguity(
        key="lost-pay-tables",
        places=(
            Place("QB", "Tabella dei pagamenti"),
            Place("QB", "Coppie"),
        ),
        title=gettext_noop("The lost pictures of the pay tables"),
        question=gettext_noop(
            "The odds of the side bets, and what the pairs are, were pictures that are no longer"
            " there."
        ),
        readings=(
            Reading(
                gettext_noop(
                    "The tables of the sister sheets: pairs 25, 12, 6; three cards 100, 40, 30,"
                    " 10, 5"
                ),
                gettext_noop("On six decks they return 93.89 and 95.38 per cent."),
            ),
            Reading(
                gettext_noop("No odds, no bets"),
                gettext_noop("Every round with a side bet would be rejected."),
            ),
        ),
        adopted=0,
        why=gettext_noop("They give both declared returns exactly, 93.89 and 95.38 per cent."),
    ),
    Ambiguity(
        key="quantum-boxes",
        places=(Place("QB", "Regole di gioco"),),
        title=gettext_noop("How many boxes the table has"),
        question=gettext_noop(
            "The sheet speaks of all betting positions and does not number them, nor does it say"
            " whether one without a bet is dealt."
        ),
        readings=(
            Reading(
                gettext_noop(
                    "Seven, dealt where a main bet stands, shared by any number of players"
                ),
                gettext_noop("Cards on a box without a main bet hold the round."),
            ),
            Reading(
                gettext_noop("Two, always dealt, as at [MFB]"),
                gettext_noop("Feeds with a third box would be rejected."),
            ),
        ),
        adopted=0,
        why=gettext_noop(
            "The feed contract knows boxes 1 to 7 and names always-dealt boxes for [MFB] alone"
            " (detail 19)."
        ),
    ),
    Ambiguity(
        key="multiplier-frequencies-unknown",
        places=(
            Place("QB", "Ritorno al giocatore"),
            Place("QB", "Carte moltiplicatrici"),
        ),
        title=gettext_noop("The declared 99.57 per cent of the main game"),
        question=gettext_noop(
            "The sheet says which multipliers there are, not how often each comes, nor how often"
            " there are three cards or five."
        ),
        readings=(
            Reading(
                gettext_noop("The return cannot be recomputed from the sheet"),
                gettext_noop(
                    "The game without them returns 84.26 per cent; they must add 15.31 points."
                ),
            ),
            Reading(
                gettext_noop("All come equally often"),
                gettext_noop("A guess that would put a figure on a certificate."),
            ),
        ),
        adopted=0,
        why=gettext_noop(
            "A certificate states what was computed. No payout depends on it: the round's cards"
            " are in the feed."
        ),
    ),
)
