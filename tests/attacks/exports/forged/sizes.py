"""Files made to fill the memory of the regulator's machine, and receipts that prove nothing."""

import hashlib
import io
import json
import zipfile
from typing import Final

from compliance.exports.verify_bundle import SIGNATURES
from tests.attacks.exports.forged.bundle_files import files_of
from tests.attacks.exports.switched_off import SMALL_MEMORY
from tests.attacks.exports.workshop import LOG_KEY_ID, Arguments, Forged, Workshop
from tests.compliance.exports.packed_bundles import MANIFEST, SIGNATURE

_SPACES: Final = b" " * SMALL_MEMORY
"""White space that JSON allows everywhere, and that takes a thousandth in a ZIP."""


def _with_a_large_manifest(shop: Workshop) -> Arguments:
    files = files_of(shop)
    files[MANIFEST] += _SPACES
    return shop.repacked({**files, SIGNATURE: shop.key.sign(files[MANIFEST])})


def _with_a_long_line(shop: Workshop) -> Arguments:
    first, *others = files_of(shop)[SIGNATURES].splitlines(keepends=True)
    return shop.bundle({SIGNATURES: b"".join([first[:-1], _SPACES, b"\n", *others])})


def _compressed_otherwise(shop: Workshop) -> Arguments:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_LZMA) as archive:
        for name, content in files_of(shop).items():
            archive.writestr(name, content)
    content = packed.getvalue()
    seal = hashlib.sha256(content).hexdigest().encode()
    return [*shop.known, shop.file("lzma.zip", content + seal)]


def _with_a_large_proof(shop: Workshop) -> Arguments:
    content = json.dumps(shop.proof).encode() + _SPACES
    return ["--log-key", LOG_KEY_ID, shop.file("record.json", content)]


SIZES: Final = {
    "with a manifest that fills the memory": Forged("needed at most", _with_a_large_manifest),
    "with a line that fills the memory": Forged("has a line of more than", _with_a_long_line),
    "compressed in another way": Forged("is compressed by method 14", _compressed_otherwise),
    "proof that fills the memory": Forged("has more than", _with_a_large_proof),
    "receipt without records": Forged(
        "the receipt has no records", lambda shop: shop.record({**shop.receipt, "records": []})
    ),
    "receipt of another round": Forged(
        "the receipt of round r-9 has the record",
        lambda shop: shop.record({**shop.receipt, "round": "r-9"}),
    ),
}
