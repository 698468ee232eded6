"""Mutation of JSON in its own terms: bytes alone seldom change one field and keep the rest."""

import json
import random
from collections.abc import Iterable, Iterator
from typing import Any, Final

_ODD: Final[tuple[Any, ...]] = (
    *(None, True, False, 0, 1, -1, 2**31, 2**63, -(2**63) - 1, 10**30, 0.5, 1e308, "", " ", "\0"),
    *("0", "-1", "0.00", "1e5", "\ud800", "\u202e", "e\u0301", "\x1b[2K", "x" * 300, [], {}, [[]]),
    *("2026-11-21T21:10:10Z", "9999-12-31T23:59:59.999Z", "0001-01-01T00:00:00Z"),
)
Place = tuple[Any, Any]
"""A container, and the key or index of a value in it."""


class JsonMutation:
    """Changes one value of a JSON document, or of one of the lines of a feed.

    Values that the seeds have under a name are tried under that name.
    """

    def __init__(self, seeds: Iterable[bytes]) -> None:
        self._values: dict[Any, list[Any]] = {}
        for line in [line for seed in seeds for line in seed.split(b"\n")]:
            for container, key in _places(_decoded(line)):
                name = key if isinstance(container, dict) else ""
                known = self._values.setdefault(name, [])
                if len(known) < 200 and container[key] not in known:
                    known.append(container[key])
        self._names = [name for name in self._values if name]

    def __call__(self, data: bytes, rng: random.Random) -> bytes:
        """The input with a change; the same input if it is no JSON."""
        lines = data.split(b"\n")
        number = rng.randrange(len(lines))
        value = _decoded(lines[number])
        if not value:
            return data
        box = [value]
        for _change in range(rng.choice((1, 1, 1, 2, 4))):
            self._change(box, rng)
        lines[number] = json.dumps(box[0], separators=(",", ":")).encode() if box else b""
        if rng.random() < 0.05:
            lines.insert(rng.randrange(len(lines) + 1), rng.choice(lines))
        return b"\n".join(lines)

    def _change(self, box: list[Any], rng: random.Random) -> None:
        places = list(_places(box))
        if not places:
            return
        container, key = rng.choice(places)
        match rng.randrange(8):
            case 0:
                del container[key]
            case 1:
                container[key] = _copy(rng.choice(_ODD))
            case 2:
                other, name = rng.choice(places)
                if name in other if isinstance(other, dict) else name < len(other):
                    container[key] = _copy(other[name])
            case 3 if isinstance(container, list):
                container.insert(rng.randrange(len(container) + 1), _copy(container[key]))
            case 3:
                container[rng.choice(self._names) if self._names else "x"] = _copy(container[key])
            case 4:
                container[key] = _near(container[key], rng)
            case _:
                known = self._values.get(key if isinstance(container, dict) else "")
                container[key] = _copy(rng.choice(known or _ODD))


def _decoded(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _places(value: Any) -> Iterator[Place]:
    stack = [value]
    while stack:
        container = stack.pop()
        if isinstance(container, dict | list):
            keys = container if isinstance(container, dict) else range(len(container))
            for key in keys:
                yield container, key
                stack.append(container[key])


def _copy(value: Any) -> Any:
    return json.loads(json.dumps(value))


def _near(value: Any, rng: random.Random) -> Any:
    """A value close to this one."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + rng.choice((-1, 1, 10, -10))
    if isinstance(value, str) and value:
        place = rng.randrange(len(value))
        other = rng.choice(value + "0123456789ADHSZP,.-")
        return value[:place] + rng.choice((other, "", other * 2)) + value[place + 1 :]
    if isinstance(value, list):
        return rng.sample(value, len(value))
    return value
