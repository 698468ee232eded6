"""Programs with generated clients deliver, read and dispute (issue 21).

The Makefile installs the generators, pinned, into ``.venv``; each program has only what its
generator needs. They play the same part, so that they are held to the same answers.
"""

import json
import shutil
import subprocess
import tarfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import pytest
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from casino.api.client.version import __version__
from casino.api.index import openapi_document
from casino.embedded.server_paths import CLONE
from compliance.exports.services.issue_dossier import sign_dossiers
from rounds.models import Round
from tests.casino.api.api_client import issued
from tests.casino.api.web_server import served
from tests.casino_in_play import by_now, open_table, settle
from tests.compliance.exports.exported_days import key_in
from tests.documents import baccarat_round
from tests.studio_signatures import Signer, require_signatures_at

_HERE: Final = Path(__file__).parent
_PYTHON: Final = CLONE / ".venv" / "api-tools" / "bin"
_NODE: Final = CLONE / ".venv" / "api-node" / "node_modules"

Generator = Callable[[Path, Path], Sequence[str | Path]]


def ran(*command: str | Path, cwd: Path) -> str:
    """What a command printed; it must succeed."""
    completed = subprocess.run(
        command, cwd=cwd, capture_output=True, text=True, timeout=120, check=False
    )
    assert completed.returncode == 0, completed.stdout + completed.stderr
    return completed.stdout


def python_program(description: Path, folder: Path) -> Sequence[str | Path]:
    """The command of the program with the client of openapi-python-client."""
    tool = _PYTHON / "openapi-python-client"
    into = ("--meta", "none", "--output-path", str(folder / "sabot_client"))
    ran(tool, "generate", "--path", description, *into, cwd=folder)
    return [_PYTHON / "python", shutil.copy(_HERE / "program.py", folder)]


def typescript_program(description: Path, folder: Path) -> Sequence[str | Path]:
    """The command of the program with the npm package ``sabot-client``, compiled strictly."""
    (folder / "node_modules").symlink_to(_NODE)
    for name in ("package.json", "tsconfig.json", "program.ts"):
        shutil.copy(_HERE / name, folder)
    types = folder / "sabot-client" / "index.d.ts"
    ran(_NODE / ".bin" / "openapi-typescript", description, "-o", types, cwd=folder)
    ran(_NODE / ".bin" / "tsc", cwd=folder)
    return ["node", folder / "program.js"]


@pytest.mark.slow
def test_the_npm_package_has_the_types_of_this_release(tmp_path: Path) -> None:
    """Those that the program is compiled with, under the version of the Python client."""
    (tmp_path / "openapi.json").write_text(json.dumps(openapi_document()))
    tool = _NODE / ".bin" / "openapi-typescript"
    ran(tool, "openapi.json", "-o", "expected.d.ts", cwd=tmp_path)

    packed = ran("make", "--silent", "client-types", cwd=CLONE).splitlines()[-1]

    assert packed == f"var/sabot-client-{__version__}.tgz"
    with tarfile.open(CLONE / packed) as package:
        assert package.getnames() == ["package/package.json", "package/index.d.ts"]
        types = package.extractfile("package/index.d.ts")
        assert types is not None
        assert types.read() == (tmp_path / "expected.d.ts").read_bytes()


@pytest.mark.slow
@pytest.mark.usefixtures("fresh_casino")
@pytest.mark.parametrize("generator", [python_program, typescript_program])
def test_a_generated_client_takes_a_round_to_its_dossier(
    generator: Generator, tmp_path: Path
) -> None:
    """It delivers a signed round, reads it, disputes a bet and downloads the dossier."""
    description = tmp_path / "openapi.json"
    description.write_text(json.dumps(openapi_document()))
    command = generator(description, tmp_path)
    open_table()
    require_signatures_at()
    signer = Signer()
    signer.registered()
    pem = signer.private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    key = key_in(tmp_path, "operator")

    with served(tmp_path, processes=1) as address:
        who = (address, issued().token, pem.decode(), signer.key_id)

        def step(name: str, *arguments: object) -> Any:
            return json.loads(ran(*command, name, *who, *map(str, arguments), cwd=tmp_path))

        delivered = step("deliver", json.dumps(baccarat_round("r-1")))
        settle()
        disputed = step("dispute", "r-1")
        sign_dossiers(key=key, now=by_now)
        downloaded = step("download", disputed["dispute"], disputed["dossier"])

    assert delivered == {"verdict": "accepted", "problem": "/api/v1/problems/round-in-conflict"}
    assert Round.objects.get().arrival_anomalies == []
    assert disputed == {
        "rounds": ["r-1"],
        "bets": [["b1", 2000], ["b3", 500]],
        "state": "opened",
        "evidence": "application/pdf",
        "dispute": "D-0001",
        "dossier": disputed["dossier"],
    }
    assert downloaded == {"status": "signed", "intact": True}
