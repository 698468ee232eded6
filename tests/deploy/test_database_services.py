"""The files of ``deploy/`` for PostgreSQL agree with each other: backups, failover, a pool."""

import re
from configparser import ConfigParser
from itertools import pairwise
from typing import Any, Final

import yaml
from django.db import DEFAULT_DB_ALIAS

from casino.databases import databases
from casino.embedded.server_paths import CLONE
from compliance.storage.replica import REPLICA

DEPLOY: Final = CLONE / "deploy"
DOCS: Final = CLONE / "docs" / "administrator"
UNITS: Final = sorted((DEPLOY / "systemd").glob("pgbackrest-*@.*"))
_URL: Final = "postgres://sabot_web:secret@database1,database2/sabot"


def ini(path: str) -> ConfigParser:
    """A file of ``deploy/`` with sections."""
    config = ConfigParser(interpolation=None, delimiters="=")
    config.read(DEPLOY / path)
    return config


def archive_settings() -> dict[str, str]:
    """The settings of PostgreSQL for its archive."""
    text = (DEPLOY / "pgbackrest" / "archive.conf").read_text()
    return {
        name: value.strip("'") for name, value in re.findall(r"^(\w+) = (.+)$", text, re.MULTILINE)
    }


class TestBackups:
    def test_are_encrypted_and_kept_in_both_repositories(self) -> None:
        """With placeholders in the stead of secrets."""
        config = ini("pgbackrest/pgbackrest.conf")
        settings = config["global"]

        for repository in ("repo1", "repo2"):
            assert settings[f"{repository}-cipher-type"] == "aes-256-cbc"
            assert settings[f"{repository}-cipher-pass"].startswith("CHANGE-ME")
            assert int(settings[f"{repository}-retention-full"]) >= 2
        assert settings["repo1-cipher-pass"] != settings["repo2-cipher-pass"]
        assert config.sections() == ["global", "sabot"]

    def test_name_one_stanza_everywhere(self) -> None:
        """In the archive, the units and the guide."""
        texts = [path.read_text() for path in UNITS if path.suffix == ".service"]
        texts += [archive_settings()["archive_command"], (DOCS / "backup.md").read_text()]

        stanzas = [set(re.findall(r"--stanza=(\w+)", text)) for text in texts]

        assert stanzas == [{"sabot"}] * len(texts)

    def test_units_come_with_their_timer(self) -> None:
        """And the guide enables each for both repositories."""
        names = {path.stem for path in UNITS}
        guide = (DOCS / "backup.md").read_text()

        assert sorted(path.suffix for path in UNITS) == [".service"] * 3 + [".timer"] * 3
        for name in names:
            assert f"{name}1.timer" in guide
            assert f"{name}2.timer" in guide

    def test_units_leave_postgresql_its_shared_memory(self) -> None:
        """They run as its account: systemd would remove it when a backup ends."""
        folder = DEPLOY / "systemd" / "pgbackrest-.service.d"
        [drop_in] = (path.read_text() for path in folder.glob("*.conf"))

        assert "User=postgres" in drop_in
        assert "RemoveIPC=no" in drop_in

    def test_lose_as_much_as_the_guide_says(self) -> None:
        """Without a replica: the longest time until a commit is archived."""
        seconds = archive_settings()["archive_timeout"].removesuffix("s")

        assert f"{seconds} s" in (DOCS / "backup.md").read_text()


class TestFailover:
    def test_promotes_none_but_a_synchronous_replica(self) -> None:
        """What was acknowledged is on it."""
        config = bootstrap()

        assert config["synchronous_mode"] is True
        assert config["postgresql"]["parameters"]["synchronous_commit"] == "on"

    def test_leaves_the_primary_time_to_stop_first(self) -> None:
        """Patroni's own condition for its three times; less would let two primaries live."""
        config = bootstrap()

        assert config["ttl"] >= config["loop_wait"] + 2 * config["retry_timeout"]

    def test_archives_as_a_single_server_does(self) -> None:
        """With the same settings."""
        parameters = bootstrap()["postgresql"]["parameters"]

        assert parameters.items() >= archive_settings().items()

    def test_takes_as_long_as_the_guide_says(self) -> None:
        """Until another server may be promoted."""
        assert f"{bootstrap()['ttl']} s" in (DOCS / "failover.md").read_text()


class TestThePool:
    def test_gives_its_sessions_the_settings_of_sabot(self) -> None:
        """Those that connections without a pool bring along."""
        pools = ini("pgbouncer/pgbouncer.ini")["databases"]
        expected = databases({}, replica_url=_URL)

        for pool, alias in (("sabot", DEFAULT_DB_ALIAS), ("sabot_replica", REPLICA)):
            words = expected[alias]["OPTIONS"]["options"].split()
            needed = {value for flag, value in pairwise(words) if flag == "-c"}
            found = {
                f"{name}={value}" for name, value in re.findall(r"SET (\w+) = (\w+)", pools[pool])
            }
            assert found == needed

    def test_notices_a_lost_server_as_sabot_does(self) -> None:
        """The same times."""
        settings = ini("pgbouncer/pgbouncer.ini")["pgbouncer"]
        options: dict[str, Any] = databases({})[DEFAULT_DB_ALIAS]["OPTIONS"]

        assert settings["pool_mode"] == "transaction"
        assert int(settings["tcp_keepidle"]) == options["keepalives_idle"]
        assert int(settings["tcp_keepintvl"]) == options["keepalives_interval"]
        assert int(settings["tcp_keepcnt"]) == options["keepalives_count"]
        assert int(settings["tcp_user_timeout"]) == options["tcp_user_timeout"]
        assert int(settings["server_connect_timeout"]) == options["connect_timeout"]


def bootstrap() -> dict[str, Any]:
    """What Patroni keeps in etcd for both servers."""
    text = (DEPLOY / "patroni" / "patroni.yml").read_text()
    found: dict[str, Any] = yaml.safe_load(text)["bootstrap"]["dcs"]
    return found
