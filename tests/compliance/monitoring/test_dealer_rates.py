"""Error rates of dealers, shifts and locations."""

from typing import Final

import pytest

from compliance.monitoring.dealer_rates import By, ErrorRate, Scope, error_rates
from tests.casino_in_play import open_table
from tests.compliance.monitoring.hourly_figures import dealt_by
from tests.payouts.gaming_days.day_scenarios import DAY, NEXT

pytestmark = pytest.mark.django_db
SCOPE: Final = Scope(DAY, DAY)


def rates(by: By = By.DEALER, scope: Scope = SCOPE) -> dict[str, ErrorRate]:
    """The rates by name."""
    return {rate.name: rate for rate in error_rates(by, scope)}


class TestADealer:
    def test_is_compared_with_those_at_the_same_tables(self) -> None:
        """Half of the rounds of a difficult table have half of its errors: nothing to see."""
        difficult, easy = open_table("bac-1"), open_table("bac-2")
        dealt_by("d-1", 500, 20, table=difficult)
        dealt_by("d-2", 500, 20, table=difficult)
        dealt_by("d-3", 5000, 1, table=easy)
        dealt_by("d-4", 5000, 1, table=easy)

        found = rates()

        assert {name: rate.expected for name, rate in found.items()} == pytest.approx(
            {"d-1": 20, "d-2": 20, "d-3": 1, "d-4": 1}
        )
        assert [rate.is_above for rate in found.values()] == [False] * 4

    def test_with_more_errors_than_chance_is_named(self) -> None:
        """Nine of ten errors in a tenth of the rounds: nine times in a billion."""
        table = open_table()
        dealt_by("d-1", 1000, 9, table=table)
        for number in range(2, 11):
            dealt_by(f"d-{number}", 1000, int(number == 2), table=table)

        found = rates()

        assert next(iter(found)) == "d-1"
        assert found["d-1"].chance == pytest.approx(8.9e-9, rel=0.02)
        assert [name for name, rate in found.items() if rate.is_above] == ["d-1"]

    @pytest.mark.parametrize(("others", "is_above"), [(45, True), (90, False)])
    def test_is_named_only_if_rare_among_all_comparisons(self, others: int, is_above: bool) -> None:
        """Three of three errors in a tenth of the rounds: once in a thousand."""
        table = open_table()
        dealt_by("d-1", others * 200 // 9, 3, table=table)
        for number in range(others):
            dealt_by(f"other-{number}", 200, 0, table=table)

        rate = rates()["d-1"]

        assert rate.chance == pytest.approx(0.001, rel=0.01)
        assert rate.is_above is is_above

    def test_with_few_rounds_is_not_compared(self) -> None:
        """Nor are rounds without a dealer; both count among those of everybody."""
        table = open_table()
        dealt_by("d-1", 199, 5, table=table)
        dealt_by("d-2", 1000, 0, table=table)
        dealt_by("", 801, 5, table=table)

        found = rates()

        assert {name for name, rate in found.items() if rate.is_compared} == {"d-2"}
        assert found["d-2"].expected == pytest.approx(5)

    def test_who_was_alone_at_a_table_is_not_compared(self) -> None:
        """There is nobody to compare with."""
        dealt_by("d-1", 10_000, 50, table=open_table())

        assert not rates()["d-1"].is_compared


class TestTheScope:
    def test_selects_days_tables_games_and_shifts(self) -> None:
        """Each leaves one of two."""
        first, second = open_table("bac-1"), open_table("bj-1", "blackjack/1")
        dealt_by("d-1", 300, 1, table=first)
        dealt_by("d-2", 300, 1, table=second, shift="night")

        assert set(rates()) == {"d-1", "d-2"}
        assert set(rates(scope=SCOPE._replace(table="bac-1"))) == {"d-1"}
        assert set(rates(scope=SCOPE._replace(rules=["blackjack/1"]))) == {"d-2"}
        assert set(rates(scope=SCOPE._replace(shift="evening"))) == {"d-1"}
        assert rates(scope=Scope(NEXT, NEXT)) == {}


def test_locations_are_compared_by_rule_set() -> None:
    """They have no table in common."""
    dealt_by("d-1", 1000, 9, table=open_table("bac-1"))
    dealt_by("d-2", 1000, 1, table=open_table("bac-2"), location="Bucharest")

    found = rates(By.LOCATION)

    expected = {name: rate.expected for name, rate in found.items()}
    assert expected == pytest.approx({"Riga": 5, "Bucharest": 5})
    assert found["Riga"].is_compared
