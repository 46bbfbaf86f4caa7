"""Other packages against the reference vectors: `python -m benchmarks.peers` writes docs/peers.md."""
