"""What is forged is refused by the page of verification files in the words of the command."""

import base64
import contextlib
import io
import re
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Worker

from casino.backoffice.verification_files.browser.signatures import InBrowser, NotVerified
from compliance.exports import verify_bundle
from tests.attacks.exports.forged.dossiers import GENUINE
from tests.attacks.exports.forged.totals import GENUINE_TOTALS
from tests.attacks.exports.forged.witnesses import GENUINE_WITNESSED
from tests.attacks.exports.test_every_refusal import FORGED, shop
from tests.attacks.exports.workshop import Arguments, Workshop
from tests.casino.backoffice.verification_files.page_tabs import (
    built_page,
    offline_tab,
    open_file,
)

__all__ = ["shop"]
_OWN_WORDS: Final = re.compile(r" \(openssl: .*\)$|\[Errno \d+\] ", re.MULTILINE)
"""What openssl adds about itself, and the numbers that systems give their errors."""
_RUN: Final = """
([words, files]) => {
  for (const [path, content] of Object.entries(files)) {
    python.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    python.FS.writeFile(path, Uint8Array.from(atob(content), (c) => c.charCodeAt(0)));
  }
  python.globals.set("words", python.toPy(words));
  const printed = python.runPython(`
import contextlib, io
from casino.backoffice.verification_files.browser.signatures import InBrowser
from compliance.exports import verify_bundle
with contextlib.redirect_stdout(io.StringIO()) as printed:
    status = verify_bundle.main(words, InBrowser())
f"{status} {printed.getvalue()}"
`);
  for (const path of Object.keys(files)) python.FS.unlink(path);
  return printed;
}
"""


def said(words: Arguments, by: verify_bundle.Openssl | None = None) -> str:
    """Exit status and output, without openssl's own words."""
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        status = verify_bundle.main(words, by)
    return _OWN_WORDS.sub("", f"{status} {printed.getvalue()}")


def said_in_tab(worker: Worker, words: Arguments) -> str:
    """The same, in Chromium: the files are written where the words name them."""
    paths = [word for word in words if word.startswith("/") and Path(word).is_file()]
    files = {path: base64.b64encode(Path(path).read_bytes()).decode() for path in paths}
    return _OWN_WORDS.sub("", worker.evaluate(_RUN, [words, files]))


def everything_made(shop: Workshop) -> dict[str, Arguments]:
    """What is forged, and what is genuine."""
    forged = {name: forged.make(shop) for name, forged in FORGED.items()}
    genuine = GENUINE | GENUINE_WITNESSED | GENUINE_TOTALS
    return forged | {name: make(shop) for name, make in genuine.items()}


@pytest.mark.slow
def test_each_forgery_is_refused_in_the_same_words(shop: Workshop) -> None:
    """By Python in the place of openssl; and what is genuine is accepted."""
    differing = {}
    unknown = []
    for name, words in everything_made(shop).items():
        needed = said(words)
        try:
            found = said(words, InBrowser())
        except NotVerified:
            unknown.append(name)
        else:
            if found != needed:
                differing[name] = found, needed

    assert differing == {}
    assert unknown == []


@pytest.mark.slow
def test_each_forgery_is_refused_in_chromium(shop: Workshop, tmp_path: Path) -> None:
    """By the Python of the page, whose standard library has no OpenSSL."""
    made = everything_made(shop)
    with offline_tab() as tab:
        open_file(tab, tmp_path / "page.html", built_page())
        [worker] = tab.workers
        differing = {
            name: (found, needed)
            for name, words in made.items()
            if (found := said_in_tab(worker, words)) != (needed := said(words))
        }

    assert differing == {}
