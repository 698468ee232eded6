"""The signed log: the Merkle tree over all audit records, its heads, proofs and key (RFC 9162)."""
