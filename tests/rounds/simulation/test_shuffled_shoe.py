"""A shuffled shoe has exactly the cards of its decks."""

from collections import Counter
from itertools import permutations

from rounds.rules.cards import CARDS
from rounds.simulation.chance import generator, shuffle
from rounds.simulation.shoe import ShuffledShoe


class TestShuffledShoe:
    """The cards and the cut card."""

    def test_holds_every_card_once_a_deck(self) -> None:
        """[BAC] title: eight decks of fifty-two cards."""
        shoe = ShuffledShoe(decks=8, rng=generator("any"))

        drawn = Counter(shoe.draw() for _ in range(8 * 52))

        assert drawn == dict.fromkeys(CARDS, 8)
        assert shoe.remaining == 0

    def test_is_shuffled_differently_for_another_seed(self) -> None:
        """And equally for the same seed."""
        shoes = [ShuffledShoe(decks=6, rng=generator(seed)) for seed in ("a", "b", "a")]

        first, other, again = [[shoe.draw() for _ in range(312)] for shoe in shoes]

        assert first == again
        assert first != other

    def test_reaches_its_cut_card_about_two_decks_from_the_end(self) -> None:
        """[BAC] Mescolatura: about two decks are left, here 1.5 to 2.5."""
        left = set()
        for seed in range(200):
            shoe = ShuffledShoe(decks=8, rng=generator(seed))
            while not shoe.cut_card_is_out:
                shoe.draw()
            left.add(shoe.remaining)

        assert min(left) >= 78
        assert max(left) <= 130
        assert len(left) > 20  # no hand puts the card on the same spot twice


class TestShuffle:
    """The order of shuffled cards."""

    def test_makes_every_order_equally_likely(self) -> None:
        """Six orders in 6,000 shuffles: 1,000 each within four sigma, 116."""
        rng = generator("orders")
        orders: Counter[tuple[str, ...]] = Counter()

        for _ in range(6_000):
            items = list("abc")
            shuffle(rng, items)
            orders[tuple(items)] += 1

        assert set(orders) == set(permutations("abc"))
        assert all(abs(times - 1_000) < 116 for times in orders.values())

    def test_is_the_same_on_every_version_of_python(self) -> None:
        """Only `random()` is stable across versions."""
        items = list("ABCDEFGH")

        shuffle(generator("a seed", 7), items)

        assert "".join(items) == "FAEGHBDC"
