"""Reading rounds by the API, for tests."""

from typing import Any

from tests.casino.api.api_client import Program, json_of
from tests.casino.api.studio import ROUNDS


def read(program: Program, path: str = "/r-1") -> Any:
    """The JSON of the round."""
    answer = program.get(f"{ROUNDS}{path}")
    assert answer.status_code == 200, answer.content
    return json_of(answer)
