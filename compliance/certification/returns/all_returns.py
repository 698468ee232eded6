"""The returns of several rule sets, computed by all processors."""

import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import NamedTuple

from compliance.certification.returns.alternative_readings import OtherReading, other_readings
from compliance.certification.returns.certified_returns import CertifiedReturn, certified_returns
from compliance.certification.returns.weights_document import OperatorWeights
from rounds.rules.catalogue import RULE_SETS
from rounds.rules.rule_set import RuleSet


class Returns(NamedTuple):
    """Of a rule set: as it is declared, and under the readings that were not adopted."""

    certified: tuple[CertifiedReturn, ...]
    others: tuple[OtherReading, ...]


def all_returns(
    rule_sets: Sequence[RuleSet],
    weights: Mapping[str, OperatorWeights],
    *,
    exposed_rounds: int = 0,
) -> Iterator[Returns]:
    """The returns of each rule set, in their order, as they are computed.

    ``weights`` are by name of the rule set; ``exposed_rounds`` is as in ``certified_returns``. A
    process of its own computes each, as many at once as there are processors.
    """
    at_once = min(len(rule_sets), os.cpu_count() or 1)
    names = [rules.name for rules in rule_sets]
    # A rule set cannot be sent to another process: its name is, and what its weights consist of.
    parts = [weights[name][1:] if name in weights else None for name in names]
    rounds = [exposed_rounds] * len(names)
    if at_once == 1:
        yield from map(_returns, names, parts, rounds)
        return
    with ProcessPoolExecutor(at_once, mp_context=get_context("spawn")) as processes:
        yield from processes.map(_returns, names, parts, rounds)


def _returns(name: str, parts: tuple[object, ...] | None, exposed_rounds: int) -> Returns:
    rules = RULE_SETS[name]
    weights = None if parts is None else OperatorWeights(rules, *parts)  # type: ignore[arg-type]
    certified = certified_returns(rules, weights, exposed_rounds=exposed_rounds)
    return Returns(tuple(certified), tuple(other_readings(rules)))
