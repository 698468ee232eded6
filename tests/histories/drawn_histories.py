"""Histories that Hypothesis draws from a state machine on a real database."""

from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test


def explore(
    machine: type[RuleBasedStateMachine],
    *,
    histories: int,
    steps: int,
    first: int = 1,
    shrinks: bool = True,
) -> None:
    """Plays so many histories from the seed ``first``, and raises what a wrong one raises.

    That one is the shortest, unless it is enough that there is one. Without limits of time: each
    history begins with a database of its own.
    """
    run_state_machine_as_test(
        seed(first)(machine),
        settings=settings(
            max_examples=histories,
            stateful_step_count=steps,
            deadline=None,
            database=None,
            print_blob=False,
            suppress_health_check=list(HealthCheck),
            phases=(Phase.generate, Phase.shrink) if shrinks else (Phase.generate,),
        ),
    )
