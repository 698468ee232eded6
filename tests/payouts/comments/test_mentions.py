"""``@name`` in a comment mentions the account of that name."""

import pytest
from django.contrib.auth.models import User

from payouts.comments.mentions import mention_parts, mentioned_in

_PEOPLE = [
    User(pk=1, username="anna"),
    User(pk=2, username="luca.b"),
    User(pk=3, username="a@b.it"),
]


class TestAMention:
    @pytest.mark.parametrize(
        ("text", "names"),
        [
            ("@anna", ["anna"]),
            ("Ask @Luca.B.", ["luca.b"]),  # the full stop ends the sentence
            ("(@luca.b, then @anna, then @luca.b)", ["luca.b", "anna"]),
            ("@a@b.it please", ["a@b.it"]),  # names that are addresses
            ("write to desk@anna", []),  # an address
            ("@annabella @ anna", []),
        ],
    )
    def test_is_an_at_sign_before_a_known_name(self, text: str, names: list[str]) -> None:
        """Names are as in Django; capitals do not matter; each person counts once."""
        assert [person.username for person in mentioned_in(text, _PEOPLE)] == names

    def test_divides_the_text_without_loss(self) -> None:
        """The page shows the parts one after the other."""
        text = "Ask @anna. Not @nobody, @anna"

        parts = list(mention_parts(text, {"anna"}))

        assert [name for _, name in parts] == ["", "anna", "", "anna", ""]
        assert "".join(part for part, _ in parts) == text
