"""Unclear points of [BJ] Blackjack, as they are read."""

from typing import Final

from rounds.rules.ambiguities.ambiguity import Ambiguity, Place, Reading
from rounds.rules.citation import gettext_noop

LIVE_BLACKJACK: Final = (
    Ambiguity(
        key="look-under-ten",
        places=(
            Place("BJ", "Assicurazione"),
            Place("BJ", "Raddoppio, carta o stai"),
        ),
        title=gettext_noop("Whether the dealer looks before the plays"),
        question=gettext_noop(
            "One passage lets the dealer look under an Ace and forbids it under a ten. Another has"
            " players act once the dealer has made sure of having no blackjack, without an"
            " exception."
        ),
        readings=(
            Reading(
                gettext_noop("He looks under an Ace only"),
                gettext_noop("Under a ten hands are played out. The game returns 99.29 per cent."),
            ),
            Reading(
                gettext_noop("He looks under both"),
                gettext_noop(
                    "No raise can ever meet a dealer blackjack. The game returns 99.39 per cent."
                ),
            ),
            Reading(
                gettext_noop("He never looks"),
                gettext_noop(
                    "Plays against an Ace would be lost too. The game returns 99.28 per cent."
                ),
            ),
        ),
        adopted=0,
        why=gettext_noop(
            "The passage on insurance is the specific one and forbids the look in words. The"
            " declared 99.28 lies 0.01 below the computed 99.2926 of this reading and fits 99.2846"
            " of the last, which the sheet excludes outright; the certificate has to show both."
        ),
    ),
    Ambiguity(
        key="all-lost-to-ten-up-blackjack",
        places=(
            Place("BJ", "Assicurazione"),
            Place("BJ", "Risultato"),
        ),
        title=gettext_noop("Raises lost to a blackjack that nobody looked for"),
        question=gettext_noop(
            "With a ten up the dealer's blackjack shows only after doubles and splits. The sheet"
            " does not say whether these are lost with the stake."
        ),
        readings=(
            Reading(
                gettext_noop("Everything staked on the hands is lost"),
                gettext_noop("10.00 doubled or split: 20.00 lost."),
            ),
            Reading(
                gettext_noop("Only the initial stake is lost"),
                gettext_noop("10.00 comes back. The game would return 99.39 per cent."),
            ),
        ),
        adopted=0,
        why=gettext_noop(
            "No passage gives anything back, and the return would be 0.1 above what is declared."
        ),
    ),
    Ambiguity(
        key="perfect-pair-without-name",
        places=(
            Place("BJ", "Vincite"),
            Place("BJ", "Coppie Perfette"),
        ),
        title=gettext_noop("The nameless pair that pays 25:1"),
        question=gettext_noop(
            "The name of the best pair is missing, both from the list of pairs and from the pay"
            " table; only its odds and an example of one suit are left."
        ),
        readings=(
            Reading(
                gettext_noop("It is the pair of one rank and suit"),
                gettext_noop("Perfect Pairs returns 95.90 per cent."),
            ),
            Reading(
                gettext_noop("The line is void"),
                gettext_noop(
                    "A pair of one suit would pay nothing, and the return would fall by more than"
                    " 40 points."
                ),
            ),
        ),
        adopted=0,
        why=gettext_noop(
            "The example says it, the other two lines leave only this, and it gives the declared"
            " return exactly."
        ),
    ),
    Ambiguity(
        key="behind-side-bets",
        places=(
            Place("BJ", "Puntate secondarie"),
            Place("BJ", "Puntata alle Spalle (Bet Behind)"),
        ),
        title=gettext_noop("Side bets behind"),
        question=gettext_noop(
            "Side bets go with the main blackjack bet. Whether a bet behind is such a main bet is"
            " not said."
        ),
        readings=(
            Reading(
                gettext_noop("It is"),
                gettext_noop(
                    "A side bet wants a main bet of the same player on that box, own or behind."
                ),
            ),
            Reading(
                gettext_noop("It is not"),
                gettext_noop("A side bet of somebody behind would hold the round."),
            ),
        ),
        adopted=0,
        why=gettext_noop("The sheet pays bets behind as ordinary ones and excludes nothing."),
    ),
    Ambiguity(
        key="behind-not-following",
        places=(Place("BJ", "Puntata alle Spalle (Bet Behind)"),),
        title=gettext_noop("A bet behind that does not follow a raise"),
        question=gettext_noop(
            "Who bets behind may decide beforehand not to raise with the owner. What the bet rides"
            " on then, and what holds without a decision, is not said."
        ),
        readings=(
            Reading(
                gettext_noop(
                    "On the first hand of a split, or with the first stake on the doubled hand;"
                    " without a decision it follows"
                ),
                gettext_noop("The stake is never divided."),
            ),
            Reading(
                gettext_noop("On both hands with half of the stake each"),
                gettext_noop("A stake of 0.05 could not be halved."),
            ),
            Reading(
                gettext_noop("It is void"),
                gettext_noop("The owner's decision would cancel the bets of others."),
            ),
        ),
        adopted=0,
        why=gettext_noop("Decided by the feed contract (field `follows`)."),
    ),
    Ambiguity(
        key="behind-own-hand",
        places=(Place("BJ", "Puntata alle Spalle (Bet Behind)"),),
        title=gettext_noop("A bet behind on one's own hand"),
        question=gettext_noop(
            "The sheet says that it is not possible, not what becomes of one that a studio took"
            " all the same."
        ),
        readings=(
            Reading(
                gettext_noop("That bet alone is void"),
                gettext_noop("Its stake goes back; the round settles."),
            ),
            Reading(
                gettext_noop("The round is held"),
                gettext_noop("All other customers would wait for a decision on one bet."),
            ),
        ),
        adopted=0,
        why=gettext_noop(
            "A bet that nobody could place never counted; the feed contract lists void bets as no"
            " anomaly."
        ),
    ),
    Ambiguity(
        key="behind-void-owner",
        places=(Place("BJ", "Puntata alle Spalle (Bet Behind)"),),
        title=gettext_noop("A bet behind an owner whose bet is void"),
        question=gettext_noop(
            "Bets behind go back when the owner takes no part. An owner whose own bet was void,"
            " late or lost with the connection, is not mentioned."
        ),
        readings=(
            Reading(
                gettext_noop("They go back as well"),
                gettext_noop("There is no hand to ride on."),
            ),
            Reading(
                gettext_noop("They stand on the cards of the box"),
                gettext_noop("A hand that nobody plays would have to be dealt out."),
            ),
        ),
        adopted=0,
        why=gettext_noop("Decided by the feed contract (detail 17)."),
    ),
    Ambiguity(
        key="absent-player-stands",
        places=(Place("BJ", "Politica sulle Disconnessioni"),),
        title=gettext_noop("Bets decided in the player's absence"),
        question=gettext_noop(
            "After betting closed the bets of somebody who lost the connection stand and are"
            " decided without him. How an open hand is played is not said."
        ),
        readings=(
            Reading(
                gettext_noop("It stands on its cards"),
                gettext_noop("As any hand on which no decision comes in time."),
            ),
            Reading(
                gettext_noop("It is played by a fixed strategy"),
                gettext_noop("The house would decide for the customer."),
            ),
        ),
        adopted=0,
        why=gettext_noop("The sheet's own rule for missing decisions; nothing is invented."),
    ),
    Ambiguity(
        key="cancelled-round-refund",
        places=(Place("BJ", "Gestione degli errori"),),
        title=gettext_noop("Which bets a cancelled round gives back"),
        question=gettext_noop(
            "When the supervisor cannot repair a round it is cancelled and the initial bets are"
            " given back. Raises and insurance are not mentioned."
        ),
        readings=(
            Reading(
                gettext_noop("Every stake of the round goes back"),
                gettext_noop("10.00 doubled and insured with 5.00: 25.00 comes back."),
            ),
            Reading(
                gettext_noop("Only the first stakes go back"),
                gettext_noop("The same customer would lose 15.00 to a broken round."),
            ),
        ),
        adopted=0,
        why=gettext_noop("A cancelled round must leave nobody worse off."),
    ),
)
