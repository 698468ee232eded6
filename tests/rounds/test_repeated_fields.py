"""A field that is twice in one object is refused: RFC 8259 leaves open what it means.

msgspec keeps the last of them, so the fast reader must leave every such line to the careful one.
"""

from typing import Any

import pytest

from rounds.feed import FeedError, parse_line
from tests.rounds.both_readers import assert_readers_agree
from tests.rounds.full_documents import full_rounds, lines_of


class _Pairs(dict[str, Any]):
    """An object that is written with these fields, some of them twice."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__({"not": "empty"})
        self._pairs = pairs

    def items(self) -> Any:
        """The fields in the order in which they are written."""
        return self._pairs


def _with_each_field_twice(value: Any, again: Any) -> list[Any]:
    """Copies of the document, in each of which one object has one field twice.

    ``again`` makes the field and its first value of the second ones.
    """
    if isinstance(value, list):
        return [
            [*value[:n], copy, *value[n + 1 :]]
            for n, item in enumerate(value)
            for copy in _with_each_field_twice(item, again)
        ]
    if not isinstance(value, dict):
        return []
    copies: list[Any] = [_Pairs([again(*pair), *value.items()]) for pair in value.items()]
    for name, inner in value.items():
        copies += [value | {name: copy} for copy in _with_each_field_twice(inner, again)]
    return copies


class TestARepeatedField:
    """At any depth of a round."""

    @pytest.mark.parametrize("full", full_rounds(), ids=["bonus", "split", "multipliers"])
    @pytest.mark.parametrize(
        "first", [None, 0, "x", 'x"y', [], ["x"], {}, {"x": "y"}, "\\", "é"], ids=repr
    )
    def test_is_refused_in_every_object(self, full: dict[str, Any], first: object) -> None:
        """Whatever its first value is."""
        lines = lines_of(_with_each_field_twice(full, lambda name, _value: (name, first)))

        assert len(lines) > 20
        for line in lines:
            assert not assert_readers_agree(line)
            assert is_refused_for_repetition(line)

    @pytest.mark.parametrize("full", full_rounds(), ids=["bonus", "split", "multipliers"])
    def test_is_refused_with_one_value_and_an_escaped_name(self, full: dict[str, Any]) -> None:
        """Both times the same value, the name written in another way."""
        marked = lines_of(_with_each_field_twice(full, lambda name, value: (f"\1{name}", value)))
        lines = [_escaped_name(line) for line in marked]

        for line in lines:
            assert not assert_readers_agree(line)
            assert is_refused_for_repetition(line)


def is_refused_for_repetition(line: bytes) -> bool:
    """Whether the error names a field that is there twice."""
    with pytest.raises(FeedError) as error:
        parse_line(line)
    return error.value.found.endswith(" twice in one object")


def _escaped_name(line: bytes) -> bytes:
    """The line with the first character of its marked name as an escape."""
    before, _, after = line.partition(rb"\u0001")
    return before + b"\\u%04x" % after[0] + after[1:]
