"""An S3 server for tests: moto's, by HTTP in a process of its own, with keys and their rights.

moto stores whatever SHA-256 it is given. Amazon S3 compares it with the bytes first ("BadDigest";
API reference, PutObject), and so does the application in front of it here.
"""

import base64
import hashlib
import io
import json
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.request import Request, urlopen

import boto3
from botocore.config import Config

from casino.embedded.process import end_with_parent
from casino.embedded.server_paths import CLONE

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment
    from types_boto3_s3 import S3Client

UNCHECKED: Final = "x-damaged"
"""A header by which a test has other bytes stored than those of the SHA-256."""
_REGION: Final = "eu-south-1"
_BAD_DIGEST: Final = b"""<?xml version="1.0" encoding="UTF-8"?>
<Error><Code>BadDigest</Code><Message>The SHA256 you specified did not match the calculated \
checksum.</Message></Error>"""
_ALL: Final[Mapping[str, Any]] = {
    "Version": "2012-10-17",
    "Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"}],
}


class S3Key(NamedTuple):
    """A key, as boto3 finds it in the environment."""

    id: str
    secret: str

    @property
    def session(self) -> boto3.Session:
        """A session of boto3 with this key."""
        return boto3.Session(self.id, self.secret, region_name=_REGION)

    @property
    def environment(self) -> dict[str, str]:
        """The variables of a process that has the key."""
        return {
            "AWS_ACCESS_KEY_ID": self.id,
            "AWS_SECRET_ACCESS_KEY": self.secret,
            "AWS_DEFAULT_REGION": _REGION,
            "AWS_EC2_METADATA_DISABLED": "true",
        }


class S3Server:
    """A running server."""

    def __init__(self, endpoint: str) -> None:
        self.endpoint: Final = endpoint
        self._numbers = count(1)
        self._session = S3Key("anybody", "anything").session
        self.key: Final = self.new_key(_ALL)
        """Of the administrator of the store, who may do everything."""
        # From now on moto compares every signature and right.
        as_bytes = {"Content-Type": "application/octet-stream"}
        urlopen(Request(f"{endpoint}/moto-api/reset-auth", data=b"0", headers=as_bytes)).close()
        self._session = self.key.session
        without_retries = Config(retries={"max_attempts": 0})
        self.client: Final[S3Client] = self._session.client(
            "s3", endpoint_url=endpoint, config=without_retries
        )

    def new_key(self, policy: Mapping[str, Any]) -> S3Key:
        """The key of a new user with these rights."""
        iam = self._session.client("iam", endpoint_url=self.endpoint)
        name = f"user-{next(self._numbers)}"
        iam.create_user(UserName=name)
        iam.put_user_policy(UserName=name, PolicyName="own", PolicyDocument=json.dumps(policy))
        made = iam.create_access_key(UserName=name)["AccessKey"]
        return S3Key(made["AccessKeyId"], made["SecretAccessKey"])

    def new_bucket(self, *, has_lock: bool = False) -> str:
        """The name of a new bucket; one with locks has versions as well."""
        name = f"sabot-archive-{next(self._numbers)}"
        self.client.create_bucket(
            Bucket=name,
            ObjectLockEnabledForBucket=has_lock,
            CreateBucketConfiguration={"LocationConstraint": _REGION},
        )
        return name


@contextmanager
def s3_server() -> Iterator[S3Server]:
    """Starts a server; it ends with the block, or with this process."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.compliance.archive.object_storage.s3_server"],
        cwd=CLONE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONWARNINGS": "ignore"},
    )
    with process:
        try:
            assert process.stdout is not None
            yield S3Server(f"http://127.0.0.1:{int(process.stdout.readline())}")
        finally:
            process.kill()


class _Checked:
    """Compares what is uploaded with its SHA-256, before moto stores it."""

    def __init__(self, application: "WSGIApplication") -> None:
        self._application = application

    def __call__(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        stated = environ.get("HTTP_X_AMZ_CHECKSUM_SHA256")
        if stated is not None and f"HTTP_{UNCHECKED.upper().replace('-', '_')}" not in environ:
            content = environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"]))
            environ["wsgi.input"] = io.BytesIO(content)
            if base64.b64encode(hashlib.sha256(content).digest()).decode() != stated:
                start_response("400 Bad Request", [("Content-Type", "application/xml")])
                return [_BAD_DIGEST]
        return self._application(environ, start_response)


def _serve() -> None:
    """The process: prints its port, then serves until it is killed."""
    from moto.moto_server.werkzeug_app import (  # noqa: PLC0415  only this process needs it
        DomainDispatcherApplication,
        MotoRequestHandler,
        create_backend_app,
    )
    from werkzeug.serving import make_server  # noqa: PLC0415  only this process needs it

    end_with_parent(signal.SIGKILL)
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    application = _Checked(DomainDispatcherApplication(create_backend_app))
    server = make_server(
        "127.0.0.1", 0, application, threaded=True, request_handler=MotoRequestHandler
    )
    sys.stdout.write(f"{server.server_port}\n")
    sys.stdout.flush()
    server.serve_forever()


if __name__ == "__main__":
    _serve()
