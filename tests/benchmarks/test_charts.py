"""Charts are SVG that every browser shows."""

import pytest
from lxml import etree

from benchmarks.charts import Bars, Lines

SVG = "{http://www.w3.org/2000/svg}"
CHART = Lines(
    "Rounds <settled>",
    "a second",
    {"one": [(0, 0), (5, 4), (10, 2)], "two": [(0, 1), (10, 1)]},
    end=10,
    ticks={0: "0 min", 10: "10 min"},
    marks=[(2, 3)],
)
BARS = Bars("Cost", "µs", {"small": {"judge": 3, "write": 1}, "mix": {"judge": 4, "<rest>": 1}})


class TestLines:
    def test_has_a_line_for_each_name(self) -> None:
        """With its points, and its name in the legend."""
        picture = etree.fromstring(CHART.svg())

        lines = [line.attrib["points"].split() for line in picture.iter(f"{SVG}polyline")]
        texts = [text.text for text in picture.iter(f"{SVG}text")]
        assert [len(line) for line in lines] == [3, 2]
        assert {"one", "two", "Rounds <settled>, a second", "10 min"} <= set(texts)

    def test_reaches_from_zero_to_a_round_number(self) -> None:
        """The highest value is 4, so the axis ends at 5."""
        picture = etree.fromstring(CHART.svg())

        numbers = [text.text for text in picture.iter(f"{SVG}text")][1:6]
        assert numbers == ["0", "1.25", "2.5", "3.75", "5"]

    def test_marks_the_time_of_a_fault(self) -> None:
        """From minute 2 to 3 of 10: a tenth of the width of 780."""
        picture = etree.fromstring(CHART.svg())

        [mark] = [it for it in picture.iter(f"{SVG}rect") if it.get("class") == "f"]
        assert float(mark.attrib["width"]) == 78.0

    def test_without_values_is_empty(self) -> None:
        """A soak of a few seconds has none."""
        picture = etree.fromstring(CHART._replace(lines={}).svg())

        assert list(picture.iter(f"{SVG}polyline")) == []


class TestBars:
    def test_consist_of_their_parts(self) -> None:
        """One behind the other, as long as their values, with a legend of all."""
        picture = etree.fromstring(BARS.svg())

        parts = [it for it in picture.iter(f"{SVG}rect") if it.find(f"{SVG}title") is not None]
        x, width = ([float(it.attrib[name]) for it in parts] for name in ("x", "width"))
        names = [it.findtext(f"{SVG}title") for it in parts]
        assert names == ["judge: 3", "write: 1", "judge: 4", "<rest>: 1"]
        assert [width[0] / width[1], width[2] / width[3]] == pytest.approx([3, 4], rel=0.01)
        assert [x[1], x[3]] == pytest.approx([x[0] + width[0], x[2] + width[2]], abs=0.2)
        texts = [text.text for text in picture.iter(f"{SVG}text")]
        assert texts == ["Cost, µs", "small", "4", "mix", "5", "judge", "write", "<rest>"]
