"""The charts of a soak are SVG that every browser shows."""

from lxml import etree

from benchmarks.soak.charts import Chart

SVG = "{http://www.w3.org/2000/svg}"
CHART = Chart(
    "Rounds <settled>",
    "a second",
    {"one": [(0, 0), (5, 4), (10, 2)], "two": [(0, 1), (10, 1)]},
    marks=[(2, 3)],
    minutes=10,
)


class TestAChart:
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
