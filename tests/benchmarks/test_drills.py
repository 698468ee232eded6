"""The studios of the drills: what they count as acknowledged decides what counts as lost."""

from threading import Event

from benchmarks.drills.studio import Studio


class Sabot:
    """Takes pieces from the third attempt on."""

    def __init__(self) -> None:
        self.attempts: list[bytes] = []
        self.has_taken = Event()

    def __call__(self, lines: bytes) -> bool:
        """Whether the lines are taken."""
        self.attempts.append(lines)
        takes = len(self.attempts) >= 3
        if takes:
            self.has_taken.set()
        return takes


def test_a_piece_is_handed_over_until_it_is_acknowledged() -> None:
    """The same lines each time; its rounds count once it is, and not before."""
    sabot = Sabot()
    studio = Studio(games=["baccarat"], seed="1", deliver=sabot, lines=5, pause=60)

    studio.start()
    assert sabot.has_taken.wait(timeout=60)
    studio.stop()

    first, *others = sabot.attempts
    assert others == [first, first]
    assert b"".join(studio.dealt) == first
    [acknowledged] = studio.acknowledged
    assert len(acknowledged.rounds) == first.count(b'"round/1"') > 0


def test_a_piece_that_nobody_took_stays_without_an_acknowledgement() -> None:
    """It can be repeated, though."""
    was_called = Event()

    def refuse(_lines: bytes) -> bool:
        was_called.set()
        return False

    studio = Studio(games=["baccarat"], seed="1", deliver=refuse, lines=5, pause=0)

    studio.start()
    assert was_called.wait(timeout=60)
    studio.stop()

    assert studio.acknowledged == []
    assert len(studio.dealt) == 5
