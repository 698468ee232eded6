"""What ``make mutants`` changes, and the tests that have to notice."""

from typing import Final, NamedTuple


class Target(NamedTuple):
    """A package and its quick tests."""

    tests: tuple[str, ...]
    without: tuple[str, ...]
    seconds: int = 30
    """Of the processor, which a mutant has beyond twice what all tests take."""

    @property
    def arguments(self) -> list[str]:
        """For pytest: no output held back by a process that forks, and no limit of elapsed time.

        On a busy machine a test would run into that without any change. No tests with a database:
        each process that survives so far would make one.
        """
        chosen = [
            "-m",
            "not slow and not django_db",
            *(f"--ignore={path}" for path in self.without),
        ]
        options = ["-q", "-s", "-p", "no:cacheprovider", "--timeout=0"]
        return [*options, *chosen, *self.tests]


TARGETS: Final = {
    "rounds/rules": Target(
        tests=("tests/rounds/rules", "tests/rounds/contract", "tests/rounds/test_replay.py"),
        # It compares the code with its own past and would kill nearly everything.
        without=("tests/rounds/rules/test_seals.py",),
    ),
}
