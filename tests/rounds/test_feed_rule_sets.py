"""What a document may hold depends on its rule set."""

import pytest

from rounds.feed import parse_document
from rounds.rules.facts import Round
from tests.rounds.feed_documents import document, error_of, with_bet
from tests.rounds.rules.dealing import BACCARAT, BLACKJACK, MEGA_FIRE_BLAZE, QUANTUM, ZAPPIT


class TestARuleSet:
    """Documents are checked by their game."""

    @pytest.mark.parametrize("value", ["roulette/1", "blackjack/0", "blackjack", None, 1, []])
    def test_that_does_not_exist_is_refused(self, value: object) -> None:
        """Status ``rejected``: unknown rule set."""
        assert error_of(document(rules=value)).field == "rules"

    @pytest.mark.parametrize(
        ("rules", "kind"),
        [(BLACKJACK, "player_pair"), (BLACKJACK, "MAIN "), (MEGA_FIRE_BLAZE, "perfect_pairs"),
         (QUANTUM, "perfect_pairs"), (QUANTUM, "dealer_pair"), (ZAPPIT, "21+3"),
         (BACCARAT, "main"), (BACCARAT, None), (BACCARAT, ["tie"])],
    )  # fmt: skip
    def test_takes_its_own_kinds_of_bets(self, rules: str, kind: object) -> None:
        """Contract, "A bet"."""
        assert error_of(with_bet(rules, kind=kind)).field == "bets[0].kind"

    def test_without_a_shoe_forbids_it(self) -> None:
        """Detail 2: at Zappit."""
        assert error_of(document(ZAPPIT, shoe={"id": "s", "drawn": 0})).field == "shoe"

    @pytest.mark.parametrize(
        "shoe", [None, "s-1", [], {"id": "s"}, {"drawn": 1}, {"id": "", "drawn": 1}]
    )
    def test_with_a_shoe_requires_id_and_count(self, shoe: object) -> None:
        """Contract, "A round"."""
        assert error_of(document(shoe=shoe)).field.startswith("shoe")

    @pytest.mark.parametrize("box", [None, 0, 8, 99, -1, "1", 1.0, True, [1]])
    def test_of_the_blackjack_family_rejects_an_invalid_box(self, box: object) -> None:
        """Details 2 and 3."""
        assert error_of(with_bet(box=box)).field == "bets[0].box"

    def test_of_the_blackjack_family_rejects_a_bet_without_a_box(self) -> None:
        """Detail 2."""
        output = document()
        del output["bets"][0]["box"]

        assert error_of(output).found == "nothing"

    @pytest.mark.parametrize(
        ("rules", "boxes"), [(BLACKJACK, 7), (MEGA_FIRE_BLAZE, 2), (QUANTUM, 7), (ZAPPIT, 3)]
    )
    def test_takes_bets_on_the_boxes_of_its_table(self, rules: str, boxes: int) -> None:
        """Detail 8."""
        assert isinstance(parse_document(with_bet(rules, box=boxes)), Round)
        assert error_of(with_bet(rules, box=boxes + 1)).field == "bets[0].box"

    def test_of_baccarat_forbids_boxes(self) -> None:
        """Detail 2."""
        assert error_of(with_bet(BACCARAT, box=1)).field == "bets[0].box"

    @pytest.mark.parametrize("rules", [BLACKJACK, MEGA_FIRE_BLAZE, BACCARAT, ZAPPIT])
    def test_other_than_quantum_refuses_multipliers(self, rules: str) -> None:
        """Detail 7."""
        assert error_of(document(rules, multipliers={"6S": "5"})).field == "multipliers"

    @pytest.mark.parametrize("rules", [BLACKJACK, QUANTUM, BACCARAT, ZAPPIT])
    def test_other_than_mega_fire_blaze_refuses_a_bonus(self, rules: str) -> None:
        """Detail 7."""
        played = {"level": "minor", "spins": [], "multiplier": "2"}

        assert error_of(document(rules, bonus=played)).field == "bonus"

    @pytest.mark.parametrize("rules", [MEGA_FIRE_BLAZE, QUANTUM, BACCARAT, ZAPPIT])
    def test_other_than_blackjack_refuses_bets_behind(self, rules: str) -> None:
        """Detail 7; ``behind: false`` is allowed everywhere."""
        assert error_of(with_bet(rules, behind=True)).field == "bets[0].behind"
        assert isinstance(parse_document(with_bet(rules, behind=False)), Round)

    @pytest.mark.parametrize("rules", [BLACKJACK, BACCARAT, ZAPPIT])
    def test_other_than_mega_fire_blaze_and_quantum_refuses_golden_chips(self, rules: str) -> None:
        """Detail 7."""
        assert error_of(with_bet(rules, funding="golden")).field == "bets[0].funding"

    @pytest.mark.parametrize("rules", [MEGA_FIRE_BLAZE, QUANTUM])
    def test_refuses_golden_insurance(self, rules: str) -> None:
        """Status ``rejected``: a golden-chip insurance."""
        assert (
            error_of(with_bet(rules, kind="insurance", funding="golden")).field == "bets[0].funding"
        )
