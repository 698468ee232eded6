"""`make release`, installed as the administrator's guide says, and changed afterwards."""

import json
import os
import shutil
import signal
import subprocess
import sys
import venv
from functools import partial
from hashlib import sha256
from importlib.metadata import distribution
from pathlib import Path
from shutil import which
from typing import Final

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from casino.embedded.process import ended_on_failure, spawn
from compliance.storage.database_roles.role import DatabaseRole
from compliance.trail.log.key_file import make_key
from compliance.trail.models import AuditRecord
from deploy.release.pins import versions_in
from tests.compliance.release.small_release import public_key
from tests.databases import url_as
from tests.deploy.sources import commit_sources, make
from tests.processes import wait_until

pytestmark = pytest.mark.slow
_WORKER: Final = ("python", "-m", "celery", "-A", "casino", "worker", "-c", "1")
_OPENSSL: Final = which("openssl") or "openssl"


def write_page(sources: Path) -> None:
    """What `make verification-page` has made there before: it takes a browser's Python."""
    (sources / "var").mkdir()
    (sources / "var/verification-page.html").write_text("<!doctype html>")


class Release:
    """What `make release` has made, its key, and an environment where it is installed."""

    def __init__(self, folder: Path) -> None:
        self.sources = commit_sources(folder / "sources")
        write_page(self.sources)
        self.made, self.home = self.sources / "var/release", folder / "sabot-0.1.0"
        self.key: Ed25519PrivateKey = make_key(folder / "release.pem")
        completed = make(self.sources, "release", f"KEY={folder / 'release.pem'}")
        assert completed.returncode == 0, completed.stderr
        self.said = completed.stdout
        self._install()

    @property
    def packages(self) -> Path:
        """Where it is installed."""
        [folder] = self.home.glob("lib/python*/site-packages")
        return folder

    def run(self, *command: str, **variables: str) -> "subprocess.CompletedProcess[str]":
        """Runs a program of the environment."""
        return subprocess.run(
            [str(self.home / "bin" / command[0]), *command[1:]],
            cwd=self.home,
            env=self.environment(**variables),
            capture_output=True,
            text=True,
            check=False,
        )

    def environment(self, **variables: str) -> dict[str, str]:
        """Its variables."""
        own = {"RELEASE_KEYS": public_key(self.key), "SABOT_VAR": str(self.home.parent / "var")}
        return {**os.environ, "DJANGO_SETTINGS_MODULE": "casino.settings", **own, **variables}

    def _install(self) -> None:
        """The pinned packages as they are installed here, by links, and the wheel by pip."""
        venv.create(self.home, with_pip=False)
        for name in versions_in(self.made / "requirements.lock"):
            _link(name, self.packages)
        options = ("--quiet", "--no-deps", "--no-index")
        pip = [sys.executable, "-m", "pip", "--python", str(self.home / "bin/python")]
        [wheel] = self.made.glob("*.whl")
        subprocess.run([*pip, "install", *options, str(wheel)], check=True)
        for name in ("release.json", "release.json.sig"):
            shutil.copy(self.made / name, self.home)


def _link(package: str, to: Path) -> None:
    """Links the files of a package that is installed here; another Python's is not."""
    try:
        files = distribution(package).files or ()
    except ModuleNotFoundError:
        return
    for file in files:
        if file.parts[0] != ".." or file.parent.name == "bin":
            target = to / file
            target.parent.mkdir(parents=True, exist_ok=True)
            installed = Path(str(file.locate())).resolve()
            if not target.exists() and installed.is_file():
                _link_or_copy(installed, target)


def _link_or_copy(file: Path, target: Path) -> None:
    try:
        os.link(file, target)
    except OSError:  # on another disk
        shutil.copy2(file, target)


def has_recorded(process: str, number: int) -> bool:
    """Whether a process of this kind has recorded so many differences at its start."""
    records = AuditRecord.objects.filter(action="RELEASE_DIFFERS", actor=f"starting {process}")
    return number in [record.details["count"] for record in records]


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    """Made and installed once for all tests; each undoes its changes."""
    return Release(tmp_path_factory.mktemp("release"))


class TestTheArchive:
    def test_is_the_same_when_made_again(self, release: Release, tmp_path: Path) -> None:
        """Elsewhere, with other rights and times, and with files that git does not know."""
        again = commit_sources(tmp_path / "again")
        write_page(again)
        (again / "casino/local.pyc").write_bytes(b"")
        (again / "casino/apps.py").chmod(0o600)
        os.utime(again / "casino/urls.py", (1, 1))
        make_key(tmp_path / "other.pem")

        completed = make(again, "release", f"KEY={tmp_path / 'other.pem'}")

        assert completed.returncode == 0, completed.stderr
        made = {path.name: path.read_bytes() for path in release.made.iterdir()}
        found = {path.name: path.read_bytes() for path in (again / "var/release").iterdir()}
        assert found.pop("release.json.sig") != made.pop("release.json.sig")
        assert sorted(found) == [
            "release.json",
            "requirements.lock",
            "sabot-0.1.0-py3-none-any.whl",
            "sbom.json",
            "verification-page.html",
        ]
        assert {name for name in made if made[name] != found[name]} == set()

    def test_lists_what_is_in_it(self, release: Release) -> None:
        """The digests before anything is installed."""
        listed = json.loads((release.made / "release.json").read_bytes())["artifacts"]

        found = {
            path.name: {
                "sha256": sha256(path.read_bytes()).hexdigest(),
                "size": path.stat().st_size,
            }
            for path in release.made.iterdir()
            if not path.name.startswith("release.json")
        }

        assert listed == found

    def test_is_verified_with_openssl(self, release: Release, tmp_path: Path) -> None:
        """As the guide says, without Sabot."""
        key = str(release.made.parents[2] / "release.pem")
        public = str(tmp_path / "release.pub")
        subprocess.run([_OPENSSL, "pkey", "-in", key, "-pubout", "-out", public], check=True)
        verify = [_OPENSSL, "pkeyutl", "-verify", "-pubin", "-inkey", public, "-rawin"]
        files = ["-in", "release.json", "-sigfile", "release.json.sig"]

        done = subprocess.run([*verify, *files], cwd=release.made, check=False)

        assert done.returncode == 0
        assert f"RELEASE_KEYS={public_key(release.key)}" in release.said

    def test_needs_a_key_and_a_commit(self, release: Release) -> None:
        """It says which."""
        without_key = make(release.sources, "release")
        (release.sources / "casino/more.py").write_text("")
        uncommitted = make(release.sources, "release", "KEY=none")
        (release.sources / "casino/more.py").unlink()

        assert "KEY: found none" in without_key.stdout
        assert "a release needs a commit" in uncommitted.stdout
        assert 0 not in {without_key.returncode, uncommitted.returncode}


class TestTheInstalledRelease:
    def test_is_what_was_signed(self, release: Release) -> None:
        """Every package, compiled file and script in it."""
        verified = release.run("sabot-manage", "verify_release")

        assert verified.returncode == 0, verified.stderr
        assert verified.stdout.startswith("the files of the release 0.1.0, list ")

    def test_names_what_was_changed(self, release: Release) -> None:
        """In Sabot, in a package, in a script, and beside them."""
        changed = {
            release.packages / "casino/templates/admin/login.html": b"<p>",
            release.packages / "kombu/utils/text.py": b"",
            release.home / "bin/sabot-manage": b"",
        }
        kept = {path: path.read_bytes() for path in changed if path.exists()}
        added = release.packages / "evil.pth"
        assert len(kept) == len(changed)
        for path in (*kept, added):
            path.unlink(missing_ok=True)
            path.write_bytes(changed.get(path, b""))

        verified = release.run("python", "-m", "casino", "verify_release")

        added.unlink()
        for path, content in kept.items():
            path.write_bytes(content)
            path.chmod(0o755)
        assert verified.returncode == 1
        assert [line.partition(": found")[0] for line in verified.stderr.splitlines()[:-1]] == [
            "casino/templates/admin/login.html",
            "package kombu: kombu/utils/text.py",
            "package sabot: ../../../bin/sabot-manage",
            "evil.pth",
            f"kombu/utils/__pycache__/text.{sys.implementation.cache_tag}.pyc",
        ]

    @pytest.mark.parametrize("broker", ["valkey"], indirect=True)
    def test_is_compared_by_each_process(
        self, release: Release, fresh_casino: str, broker: str, tmp_path: Path
    ) -> None:
        """Web process, ingest and worker, each with its role, when it starts."""
        commands = {
            ("web process", DatabaseRole.WEB): (
                "python",
                "-c",
                "import time, casino.wsgi; time.sleep(60)",
            ),
            ("ingest", DatabaseRole.FEED): ("sabot-manage", "ingest", os.devnull),
            ("worker", DatabaseRole.WORKER): _WORKER,
            ("worker", DatabaseRole.EXPORTER): _WORKER,
        }
        for number, ((process, role), command) in enumerate(commands.items(), start=1):
            (release.packages / f"rounds/evil_{number}.py").write_text("")
            running = spawn(
                [str(release.home / "bin" / command[0]), *command[1:]],
                log=tmp_path / f"{number}.log",
                ends_with_us=signal.SIGKILL,
                env=release.environment(DATABASE_URL=url_as(role, fresh_casino)),
                cwd=release.home,
            )

            with ended_on_failure(running, signal.SIGKILL):
                wait_until(
                    partial(has_recorded, process, number),
                    what=f"{process} has recorded {number} differences",
                )
            running.kill()
            running.wait()

            log = (tmp_path / f"{number}.log").read_text()
            assert "This host runs other files than those of the release: rounds/evil_1.py" in log
        for file in release.packages.glob("rounds/evil_*.py"):
            file.unlink()
