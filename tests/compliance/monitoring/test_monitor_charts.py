"""Coordinates of the monitor's charts."""

from math import log

import pytest

from compliance.monitoring.statistics.charts import (
    HEIGHT,
    Day,
    control_chart,
    evidence_chart,
    sparkline,
)


def days(*since: float, error: float = 0.01) -> list[Day]:
    """Days with these returns, cumulative and single alike."""
    return [Day(f"day {number}", value, value, error) for number, value in enumerate(since)]


class TestTheControlChart:
    def test_has_the_certified_return_in_the_middle(self) -> None:
        """And reaches as far above as below."""
        chart = control_chart(days(0.95, 0.96), target=0.95)

        assert chart.target == HEIGHT / 2
        assert chart.top - 0.95 == pytest.approx(0.95 - chart.bottom)

    def test_shows_three_standard_errors_at_least(self) -> None:
        """Also for a calm line."""
        chart = control_chart(days(0.95, 0.95, error=0.02), target=0.95)

        assert chart.top > 0.95 + 3 * 0.02

    def test_shows_a_line_that_runs_away(self) -> None:
        """Its last point lies within the picture, outside of the limits."""
        chart = control_chart(days(0.95, 0.90, 0.80), target=0.95)

        last = float(chart.line.split()[-1].split(",")[1])
        lower = float(chart.limits[0].split()[3].split(",")[1])
        assert chart.bottom < 0.80
        assert HEIGHT > last > lower > chart.target

    def test_has_limits_that_close_in(self) -> None:
        """Limits of 3 and 2 standard errors."""
        known = [Day("1", None, 0.95, 0.03), Day("2", 0.95, 0.95, 0.01)]
        chart = control_chart(known, target=0.95)

        wide, narrow = (
            [float(place.split(",")[1]) for place in polygon.split()[:2]]
            for polygon in chart.limits
        )
        assert chart.target - wide[1] == pytest.approx(1.5 * (chart.target - narrow[1]), abs=0.02)
        assert wide[0] < wide[1] < chart.target

    def test_draws_no_dot_for_a_day_without_rounds(self) -> None:
        """The day still shows its figures on hover."""
        chart = control_chart([Day("1", None, 0.95, 0.01), *days(0.95)], target=0.95)

        assert len(chart.dots) == 1
        assert [strip.words for strip in chart.strips] == ["1", "day 0"]

    def test_of_no_day_is_refused(self) -> None:
        """ValueError."""
        with pytest.raises(ValueError, match="found no day"):
            control_chart([], target=0.95)


class TestTheEvidenceChart:
    def test_has_the_alarm_above_no_evidence(self) -> None:
        """Both lie in the picture even where the evidence is far below."""
        chart = evidence_chart([log(0.01), log(0.5)], alarm=20)

        assert 0 < chart.alarm < chart.one < HEIGHT

    def test_of_a_single_day_is_a_line_across(self) -> None:
        """Instead of an invisible point."""
        chart = evidence_chart([0.0], alarm=20)

        assert chart.line == f"0,{chart.one:g} 1000,{chart.one:g}"


class TestASpark:
    def test_goes_from_foot_to_top(self) -> None:
        """2 is the lowest, 4 the highest."""
        assert sparkline([2, 4, 3]) == "0.0,28.0 50.0,2.0 100.0,15.0"

    def test_of_values_that_are_all_alike_is_flat(self) -> None:
        """And empty without values."""
        assert sparkline([7, 7]) == "0.0,28.0 100.0,28.0"
        assert sparkline([]) == ""
