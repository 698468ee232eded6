"""From the log to the receiver: in order, complete, whatever order records were committed in."""

from collections.abc import Callable
from ssl import SSLContext
from uuid import UUID

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from compliance.siem.backlog import current_backlogs
from compliance.siem.models import SiemCursor
from compliance.siem.send_events import MOST_EVENTS, begin_receiver, send_next_events
from compliance.siem.syslog import SyslogReceiver
from compliance.siem.tls import NotSent
from compliance.trail.batches import record_id
from compliance.trail.log.log_reader import log_size
from compliance.trail.log.whole_log import RecordsMissing
from compliance.trail.models import AuditRecord, PendingBatch
from tests.compliance.siem.siem_servers import SyslogServer
from tests.compliance.siem.test_mapping import require_valid
from tests.compliance.trail.logs import NOW, append, append_signed, tamper, write
from tests.compliance.trail.lost_logs import continued, lose, signing_persons
from tests.ports import free_port

pytestmark = pytest.mark.django_db

Send = Callable[[], int]


@pytest.fixture(autouse=True)
def _no_rows() -> None:
    """No digests of rows that migrations wrote."""
    tamper("DELETE FROM trail_pendingrow")


@pytest.fixture
def send(receiver: SyslogReceiver) -> Send:
    """Sends everything; returns the number of events."""
    begin_receiver(receiver, at_end=False)

    def sent() -> int:
        total = 0
        while number := send_next_events(receiver, now=timezone.now):
            total += number
        return total

    return sent


def ids_of(*batches: tuple[UUID, int]) -> list[str]:
    """The ids of the records of batches."""
    return [str(record_id(batch, n)) for batch, size in batches for n in range(size)]


def test_a_batch_of_many_records_is_sent_in_parts(send: Send, syslog: SyslogServer) -> None:
    """Batches of one, of more than is sent at once, of two."""
    sizes = (1, MOST_EVENTS * 2 + 7, 2)
    batches = [(write(size), size) for size in sizes]
    append()

    sent = send()

    assert sent == sum(sizes)
    assert syslog.uids == ids_of(*batches)
    assert [event["metadata"]["sequence"] for event in syslog.events] == list(range(sum(sizes)))
    for event in syslog.events[:: MOST_EVENTS // 5]:
        require_valid(event)


def test_a_record_that_was_committed_late_is_sent(send: Send, syslog: SyslogServer) -> None:
    """Its id is the lesser one: a cursor over ids would have passed it."""
    late, early = write(2), write(3)
    PendingBatch.objects.get(batch_id=late).delete()  # as long as its transaction runs
    append()
    send()
    PendingBatch.objects.create(batch_id=late)
    append()

    send()

    assert syslog.uids == ids_of((early, 3), (late, 2))


def test_nothing_is_sent_before_it_is_signed(send: Send, syslog: SyslogServer) -> None:
    """The signed log is what others can verify."""
    write(3)

    assert send() == 0
    assert syslog.connections == 0


def test_a_new_receiver_may_begin_at_the_end(
    receiver: SyslogReceiver, syslog: SyslogServer
) -> None:
    """And a known one does not skip anything, however it is started."""
    write(3)
    append()
    begin_receiver(receiver, at_end=True)
    later = write(2)
    append()
    begin_receiver(receiver, at_end=True)

    send_next_events(receiver, now=timezone.now)

    assert syslog.uids == ids_of((later, 2))


def test_what_is_not_confirmed_is_sent_again(
    send: Send, syslog: SyslogServer, receiver: SyslogReceiver
) -> None:
    """And the cursor says why, until it is."""
    batch = write(4)
    append()
    syslog.says_close_notify = False
    for _attempt in range(2):
        with pytest.raises(NotSent):
            send()
    failing = SiemCursor.objects.get()
    syslog.says_close_notify = True
    send()

    assert failing.seen == 0
    assert "close_notify" in failing.error
    assert failing.failing_since is not None
    assert syslog.uids == ids_of((batch, 4)) * 3
    done = SiemCursor.objects.get()
    assert (done.seen, done.error, done.failing_since) == (4, "", None)


def test_receivers_have_cursors_of_their_own(
    send: Send, syslog: SyslogServer, trusted: SSLContext
) -> None:
    """One that is away does not stop the other."""

    class Other(SyslogReceiver):
        name = "http"  # type: ignore[misc]  # a second one

    away = Other("localhost", free_port(), trusted)
    begin_receiver(away, at_end=False)
    write(2)
    append()
    with pytest.raises(NotSent):
        send_next_events(away, now=timezone.now)

    assert send() == 2
    backlogs = {it.receiver: it.records for it in current_backlogs()}
    assert backlogs == {"http": 2, "syslog": 0}


def test_a_receiver_that_is_given_up_is_forgotten(send: Send) -> None:
    """With its alert; one that there is not is an error that names the others."""
    with pytest.raises(CommandError, match="--forget: found http; needed one of: syslog"):
        call_command("send_audit_events", "--forget", "http")

    call_command("send_audit_events", "--forget", "syslog", verbosity=0)

    assert current_backlogs() == []


class TestALogWithAGap:
    def test_goes_on_after_what_two_persons_declared_lost(
        self, send: Send, syslog: SyslogServer
    ) -> None:
        """The sequence leaves the lost numbers out; the declaration comes first."""
        signing_persons()
        tamper("DELETE FROM trail_pendingrow")
        witnessed = lose(300, 2, after=[260])
        send()
        seen = len(syslog.events)

        continued(witnessed)
        after = write(1)
        append_signed(at=timezone.now())
        send()

        actions = [event["metadata"]["event_code"] for event in syslog.events[seen:]]
        assert actions[:2] == ["LOG_GAP_PROPOSED", "LOG_GAP_CONFIRMED"]
        sequence = [event["metadata"]["sequence"] for event in syslog.events]
        assert sequence[seen] == sequence[seen - 1] + 1 + 302
        assert ids_of((after, 1))[0] in syslog.uids
        assert SiemCursor.objects.get().seen == log_size()

    def test_that_nobody_declared_is_not_passed(self, send: Send, syslog: SyslogServer) -> None:
        """Somebody has deleted a record: those before it are sent, none after it."""
        batch = write(3)
        append()
        tamper("DELETE FROM trail_auditrecord WHERE id = %s", record_id(batch, 1))

        for _attempt in range(2):
            with pytest.raises(RecordsMissing, match="found no records 1 to 1 of the log"):
                send()

        assert syslog.uids == ids_of((batch, 1))
        assert "found no records 1 to 1" in SiemCursor.objects.get().error

    def test_at_the_end_is_not_passed(self, send: Send) -> None:
        """The last record is missing: the log's head says that there is one."""
        write(2)
        append()
        send()
        batch = write(1)
        append()
        tamper("DELETE FROM trail_auditrecord WHERE id = %s", batch)

        with pytest.raises(RecordsMissing, match="found no records 2 to 2"):
            send()


class TestARecordThatIsMeantToStopTheOthers:
    @pytest.mark.parametrize(
        "tampering",
        [
            "at = 'infinity'",
            "at = '-infinity'",
            "details = '{'",
            "details = repeat('[', 100000)",
            "action = E'\\u00e9 \\n<1>'",
            "actor = E'\\u2028\\n'",
        ],
    )
    def test_is_sent_with_them(self, send: Send, syslog: SyslogServer, tampering: str) -> None:
        """Any role can write it, so that nobody may hide behind it."""
        batch = write(3, at=NOW)
        append()
        record = record_id(batch, 1)
        tamper(f"UPDATE trail_auditrecord SET {tampering} WHERE id = %s", record)

        send()

        assert syslog.uids == ids_of((batch, 3))
        assert AuditRecord.objects.count() == 3
        for event in syslog.events:
            require_valid(event)
