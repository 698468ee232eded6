"""Beat's scheduler (CELERY_BEAT_SCHEDULER): goes on when the clock of its host is set back."""

from typing import Any

from celery.beat import PersistentScheduler


class SteadyScheduler(PersistentScheduler):
    """Celery's, for which what was last sent in the future counts as sent now.

    Celery would send nothing until the clock has reached the time of the last task again: for ten
    minutes, if the clock was ten minutes ahead. A task at a time of day may be sent twice, as
    tasks may be anyway.
    """

    def tick(self, *args: Any, **kwargs: Any) -> float:
        """Sends what is due; returns the seconds until the next call."""
        now = self.app.now()
        ahead = [it for it in self.schedule.values() if it.last_run_at and it.last_run_at > now]
        if ahead:
            for entry in ahead:
                entry.last_run_at = now
            self._heap = None  # the times of the next tasks, computed from those of the last ones
        seconds: float = super().tick(*args, **kwargs)
        return seconds
