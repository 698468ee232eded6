"""Response times of the list pages with five million stored bets, from a real web process.

Every page is requested once in each of many passes, together with an empty page and a plain query,
so that all are measured under the same conditions.
"""

import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from statistics import median, quantiles
from typing import Any, Final

import psycopg
from django.urls import reverse

from benchmarks.data.full_casino import fill_casino
from benchmarks.figures import Figure
from benchmarks.web.list_pages import VIEWER, list_pages, person_for
from benchmarks.web.web_process import Browser, web_process
from benchmarks.workspace import Workspace
from casino.access.roles import ADMINISTRATOR

_BETS: Final = 5_000_000
_WARM_UP: Final = 2
_PASSES: Final = 20
_PLAIN: Final = "limit.plain_page"
_ROUND_TRIP: Final = "limit.round_trip"


def measure_pages(place: Workspace) -> list[Figure]:
    """Fills a database, then asks for every page."""
    with place.fresh_database() as url:
        stored = fill_casino(place, bets=_BETS)
        pages = {_PLAIN: reverse("admin:password_change"), **list_pages()}
        with web_process(place.folder) as port, psycopg.connect(url, autocommit=True) as asking:
            seconds = _ask(pages, port, asking)
    plain = median(seconds[_PLAIN])
    return [
        Figure("pages.bets", stored, "bets stored"),
        *(
            figure
            for name, times in seconds.items()
            for figure in _figures(f"pages.{name}", times, plain)
        ),
    ]


def _ask(
    pages: Mapping[str, str], port: int, asking: psycopg.Connection[Any]
) -> dict[str, list[float]]:
    """Seconds of each page in each pass, and of a bare question."""
    people = {name: Browser(port, name) for name in (VIEWER, ADMINISTRATOR)}
    seconds_by_page = defaultdict(list)
    for number in range(_WARM_UP + _PASSES):
        for name, seconds in _pass(pages, people, asking):
            if number >= _WARM_UP:
                seconds_by_page[name].append(seconds)
    return dict(seconds_by_page)


def _pass(
    pages: Mapping[str, str], people: Mapping[str, Browser], asking: psycopg.Connection[Any]
) -> Iterator[tuple[str, float]]:
    started = time.perf_counter()
    asking.execute("SELECT 1").fetchall()
    yield _ROUND_TRIP, time.perf_counter() - started
    for name, address in pages.items():
        yield name, people[person_for(name)].ask(address)


def _figures(name: str, seconds: list[float], plain: float) -> Iterator[Figure]:
    yield Figure(f"{name}.p50_ms", median(seconds) * 1000, "ms until the page is here")
    yield Figure(f"{name}.p95_ms", quantiles(seconds, n=20)[-1] * 1000, "the same, of 19 in 20")
    yield Figure(f"{name}.max_ms", max(seconds) * 1000, "the longest")
    yield Figure(f"{name}.ratio_plain", median(seconds) / plain, "times a page with nothing stored")
