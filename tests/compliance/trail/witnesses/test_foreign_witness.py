"""A witness that is not ours cosigns the log, and a verifier that is not ours accepts ours.

Both are packages of requirements-peers.txt, on an implementation of the forms of their own.
"""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
import requests
from django.conf import settings
from django.db import transaction

from casino.embedded.server_paths import CLONE
from compliance.trail.log.proofs import prove_record
from compliance.trail.log.stored_tree import NotInLog
from compliance.trail.log.tiles import last_checkpoint
from compliance.trail.models import AuditRecord
from compliance.trail.witnesses.ask_witnesses import ask_witnesses
from compliance.trail.witnesses.cosignatures import WitnessKey
from tests.compliance.trail.logs import NOW, append, write
from tests.compliance.trail.witnesses.running_witness import (
    LOG,
    RunningWitness,
    running_witnesses,
)
from tests.ports import free_port
from tests.processes import wait_until

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

_PROGRAMS: Final = CLONE / ".venv" / "peers" / "bin"
_ORIGIN: Final = LOG.split("+")[0]


def run(*command: object) -> "subprocess.CompletedProcess[str]":
    """A program of the packages."""
    words = [str(_PROGRAMS / str(command[0])), *map(str, command[1:])]
    return subprocess.run(words, capture_output=True, text=True, check=False)


@pytest.fixture
def foreign(tmp_path: Path) -> Iterator[WitnessKey]:
    """The witness of the package, alone in the policy."""
    config = tmp_path / "witness.json"
    made = run("aics-witness", "init", "--config", config, "--name", "foreign.example/w1")
    [text] = [word for word in made.stdout.split() if word.startswith("foreign.example/w1+")]
    content = json.loads(config.read_text())
    content["logs"] = [{"origin": _ORIGIN, "vkeys": [LOG], "extension_lines": True}]
    config.write_text(json.dumps(content))
    url = f"127.0.0.1:{free_port()}"
    command = [str(_PROGRAMS / "aics-witness"), "serve", "--config", str(config), "--listen", url]
    before = settings.LOG_POLICY
    with (tmp_path / "log").open("w") as log, subprocess.Popen(command, stderr=log) as process:
        try:
            wait_until(lambda: is_up(f"http://{url}/healthz"), what="the witness answers")
            settings.LOG_POLICY = f"witness foreign {text} http://{url}\nquorum foreign\n"
            yield WitnessKey.parse(text)
        finally:
            settings.LOG_POLICY = before
            process.kill()


def is_up(address: str) -> bool:
    """Whether something answers there."""
    try:
        return requests.get(address, timeout=5).ok
    except requests.ConnectionError:
        return False


class TestAForeignWitness:
    def test_cosigns_the_log_as_it_grows(self, foreign: WitnessKey) -> None:
        """By our proofs of growth, and proofs are final by its signatures."""
        for records in (1, 1, 5, 300, 256, 17):
            write(records)
            append()

            assert ask_witnesses() == 1
        proof = prove_record(AuditRecord.objects.earliest("id").id, is_final=True)
        assert proof["head"]["sequence"] == 1
        assert [line.split(" ")[1] for line in proof["cosignatures"]] == [foreign.name]

    @pytest.mark.parametrize("sizes", [(7, 7), (7, 9), (9, 7)])
    def test_refuses_another_history(
        self, foreign: WitnessKey, sizes: tuple[int, int], caplog: pytest.LogCaptureFixture
    ) -> None:
        """Of the same size, longer or shorter."""
        before = transaction.savepoint()
        write(sizes[0])
        append()
        ask_witnesses()
        transaction.savepoint_rollback(before)
        write(sizes[1], at=NOW.replace(minute=1))
        append()

        assert ask_witnesses() == 0
        assert "witness foreign.example/w1 REFUSES the log" in caplog.text
        with pytest.raises(NotInLog):
            last_checkpoint()


class TestAForeignVerifier:
    def test_accepts_what_our_witnesses_signed(self, tmp_path: Path) -> None:
        """With both keys; not with a larger quorum, or a changed note."""
        with running_witnesses(tmp_path, "one", "two") as witnesses:
            lines = "\n".join(each.line for each in witnesses)
            settings.LOG_POLICY = f"{lines}\ngroup g all one two\nquorum g\n"
            write(300)
            append()
            ask_witnesses()
            note = last_checkpoint()
        origin, size, rest = note.split("\n", 2)
        longer = f"{origin}\n{int(size) + 1}\n{rest}"
        verdicts = [
            verified(tmp_path, note, witnesses, "2"),
            verified(tmp_path, note, witnesses, "3"),
            verified(tmp_path, note, witnesses[:1], "2"),
            verified(tmp_path, longer, witnesses, "2"),
        ]

        assert verdicts == [True, False, False, False]


def verified(folder: Path, note: str, witnesses: list[RunningWitness], quorum: str) -> bool:
    """Whether the package's verifier accepts the checkpoint."""
    file = folder / "note"
    file.write_text(note)
    keys = [word for each in witnesses for word in ("--witness-key", each.key)]
    log = ("--origin", _ORIGIN, "--log-key", LOG)
    ended = run("aics-tlog", "verify-checkpoint", "--note", file, *log, *keys, "--quorum", quorum)
    return ended.returncode == 0
