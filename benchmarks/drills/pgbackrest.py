"""pgBackRest with the files of `deploy/pgbackrest`, in the folder of a drill."""

import os
import secrets
import shutil
import subprocess
import sys
from configparser import ConfigParser
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from casino.embedded.account import identity_of
from casino.embedded.addresses import PORT, ROLE
from casino.embedded.cluster import Cluster
from casino.embedded.server_paths import CLONE

DEPLOY: Final = CLONE / "deploy" / "pgbackrest"
_PROGRAM: Final = "pgbackrest"
_STANZA: Final = "sabot"
_BUCKET: Final = "sabot"


class PgBackRest:
    """The repositories of a drill: a folder, and a bucket if there is an S3 server."""

    def __init__(self, folder: Path, cluster: Cluster, *, s3_url: str | None) -> None:
        if shutil.which(_PROGRAM) is None:
            sys.exit(f"{_PROGRAM} is needed: apt-get install pgbackrest")
        self._folder, self._cluster = folder / _PROGRAM, cluster
        self._config = self._folder / "pgbackrest.conf"
        self._folder.mkdir()
        (self._folder / "log").mkdir()
        self.repositories: Final = (1, 2) if s3_url else (1,)
        self._write_config(s3_url)

    def archive_from(self, data: Path) -> None:
        """Adds the settings of `deploy/pgbackrest/archive.conf` to those of the cluster."""
        settings = (DEPLOY / "archive.conf").read_text()
        with_config = f"{_PROGRAM} --config={self._config}"
        with (data / "postgresql.conf").open("a") as file:
            file.write(settings.replace(_PROGRAM + " ", with_config + " "))

    def create(self) -> None:
        """Makes the repositories and verifies that the log arrives in them."""
        self("stanza-create")
        self("check")

    def back_up(self) -> None:
        """Full backups into all repositories."""
        for repository in self.repositories:
            self("backup", "--type=full", f"--repo={repository}")

    def __call__(self, command: str, *options: str) -> str:
        """What a command prints; it must succeed."""
        done = subprocess.run(
            [_PROGRAM, f"--config={self._config}", f"--stanza={_STANZA}", *options, command],
            cwd="/",
            env={"PATH": os.environ["PATH"], "LC_ALL": "C"},
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            **identity_of(self._cluster.account),
        )
        if done.returncode != 0:
            sys.exit(
                f"pgbackrest {command} exits with {done.returncode}: {done.stdout}{done.stderr}"
            )
        return done.stdout

    def _write_config(self, s3_url: str | None) -> None:
        config = ConfigParser(interpolation=None, delimiters="=")
        config.read(DEPLOY / "pgbackrest.conf")
        settings = config["global"]
        for name in list(settings):
            if name.startswith("repo2-") and s3_url is None:
                del settings[name]
            elif name.endswith("-cipher-pass"):
                settings[name] = secrets.token_urlsafe()
        settings.update(
            {f"{name}-path": str(self._folder / name) for name in ("lock", "log", "spool")}
        )
        settings["repo1-path"] = str(self._folder / "repository")
        settings.update({} if s3_url is None else _bucket_at(s3_url))
        place = {"pg1-socket-path": str(self._cluster.place.sockets), "pg1-port": str(PORT)}
        config[_STANZA] = {"pg1-path": str(self._cluster.data), "pg1-user": ROLE, **place}
        with self._config.open("w") as file:
            config.write(file)
        if account := self._cluster.account:
            for path in (self._folder, self._folder / "log", self._config):
                os.chown(path, account.uid, account.gid)
        self._config.chmod(0o600)


def _bucket_at(url: str) -> dict[str, str]:
    """The settings for a server with a certificate of its own, as those of tests have."""
    server = urlsplit(url)
    return {
        # What another run has left there has another passphrase.
        "repo2-path": f"/drill-{secrets.token_hex(8)}",
        "repo2-s3-bucket": _BUCKET,
        "repo2-s3-endpoint": str(server.hostname),
        "repo2-storage-port": str(server.port or 443),
        "repo2-storage-verify-tls": "n",
        "repo2-s3-uri-style": "path",
        "repo2-s3-key": os.environ.get("AWS_ACCESS_KEY_ID", "drill"),
        "repo2-s3-key-secret": os.environ.get("AWS_SECRET_ACCESS_KEY", "drill"),
    }
