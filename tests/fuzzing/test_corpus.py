"""What fuzzing has found stays found: every input in the repository, without the fuzzer."""

import random
from pathlib import Path

import pytest

from tests.fuzzing.target import KEPT, kept_inputs, load_target
from tests.fuzzing.targets import TARGETS, bundles, proofs, rules
from tests.fuzzing.verifier import run_verifier

_MOST_SEEDS = 20
_MUTATIONS = 20
_KEPT = [(name, path) for name in TARGETS for path in kept_inputs(name)]


@pytest.mark.parametrize(("name", "path"), _KEPT, ids=lambda value: getattr(value, "name", value))
def test_an_input_that_is_kept_is_no_finding(name: str, path: Path) -> None:
    """Each of them was one, or reaches what no other reaches."""
    load_target(name).check(path.read_bytes())


@pytest.mark.parametrize("name", TARGETS)
def test_no_seed_is_a_finding(name: str) -> None:
    """Nor is what becomes of it by the changes of the target."""
    target, rng = load_target(name), random.Random(7)
    known = [*target.seeds(), *(path.read_bytes() for path in kept_inputs(name))]
    seeds = rng.sample(known, min(_MOST_SEEDS, len(known)))

    for seed in seeds:
        target.check(seed)
    for _mutation in range(_MUTATIONS if target.mutate else 0):
        assert target.mutate is not None
        target.check(target.mutate(rng.choice(seeds), rng))


def test_every_target_has_inputs_to_begin_with() -> None:
    """And every folder of inputs has its target."""
    assert all([*load_target(name).seeds(), *kept_inputs(name)] for name in TARGETS)
    assert {path.name for path in KEPT.iterdir()} <= set(TARGETS)


def test_what_was_signed_is_right() -> None:
    """The control of two targets: they judge files that the verifier accepts."""
    zips = [path for path in kept_inputs("bundles") if path.name in bundles.SIGNED]
    proved = [path for path in kept_inputs("proofs") if path.name in proofs.SIGNED]

    statuses = [run_verifier(path.read_bytes(), *bundles.ARGUMENTS).status for path in zips]
    statuses += [run_verifier(path.read_bytes(), *proofs.ARGUMENTS).status for path in proved]

    assert statuses == [0] * (len(bundles.SIGNED) + len(proofs.SIGNED))


def test_the_rules_settle_most_seeds() -> None:
    """The control of another one: it judges payouts, not refusals alone."""
    judged = [one for seed in rules.seeds() for one in rules.judged_lines(seed)]

    assert sum(bool(one.verdict.grades) for one in judged) > len(judged) / 2
