"""Ids in the format of the regulator's system."""

import re
from itertools import product

from rounds.simulation.identifiers import (
    DAY_MS,
    participation_id,
    round_reference,
    session_id,
    shoe_reference,
)

NOON = 1_795_262_400_000  # 2026-11-21T12:00:00Z


class TestAamsIds:
    """Session and participation ids, as shown on the player's screen."""

    def test_are_sixteen_upper_case_letters_and_digits(self) -> None:
        """Feed contract, "A round" and its example: a letter and fifteen digits."""
        session = session_id(table=101, opened_at=NOON)
        participation = participation_id(table=101, opened_at=NOON, customer=381)

        assert re.fullmatch(r"M[0-9]{15}", session)
        assert re.fullmatch(r"N[0-9]{15}", participation)

    def test_are_one_session_for_a_table_and_day(self) -> None:
        """A session lasts a gaming day; the next day and the next table have their own."""
        noon = session_id(table=101, opened_at=NOON)

        assert session_id(table=101, opened_at=NOON + DAY_MS // 2 - 1) == noon
        assert session_id(table=101, opened_at=NOON + DAY_MS // 2) != noon
        assert session_id(table=102, opened_at=NOON) != noon

    def test_are_unique_participations(self) -> None:
        """One for each customer and session."""
        tables, days, customers = range(100, 110), range(20), (*range(40), 999_999)

        ids = {
            participation_id(table=table, opened_at=NOON + day * DAY_MS, customer=customer)
            for table, day, customer in product(tables, days, customers)
        }

        assert len(ids) == 10 * 20 * 41


class TestStudioIds:
    """Ids of rounds and shoes, as the studio assigns them."""

    def test_name_the_table_and_the_second(self) -> None:
        """Feed contract, "A round": the example bj-7-20261121-211010 is built like this."""
        opened_at = NOON + (9 * 3_600 + 10 * 60 + 10) * 1_000 + 250

        assert round_reference(table="bj-7", opened_at=opened_at) == "bj-7-20261121-211010"
        assert shoe_reference(table="bj-7", opened_at=NOON, number=3) == "bj-7-20261121-s003"
