"""Proofs that records are in the signed log (docs/proof.md), as the API returns them."""

from dataclasses import dataclass
from typing import Annotated


@dataclass(frozen=True, kw_only=True)
class SignedHead:
    """A signed head of the log."""

    sequence: int
    at: Annotated[int, "Microseconds since 1970, UTC"]
    size: Annotated[int, "Records in the log"]
    root: str
    chain: Annotated[str, "The last link of the chain of heads"]
    key_id: str
    origin: Annotated[str, "The log's name if the head is signed as a checkpoint, or empty"]
    signature: str


@dataclass(frozen=True, kw_only=True)
class RecordProof:
    """An audit record with its inclusion proof."""

    proof: Annotated[str, "The format of the proof"]
    record: Annotated[str, "The record as it was signed, JSON"]
    leaf_index: int
    path: tuple[str, ...]
    head: SignedHead
    public_key: Annotated[str, "The key that signed the head"]
    cosignatures: Annotated[
        tuple[str, ...],
        "What witnesses signed, a line each of C2SP tlog-cosignature; none: none is needed, or yet",
    ]
    tlog_proof: Annotated[
        str | None, "The same as a file of C2SP tlog-proof; null: the head has no origin"
    ]
