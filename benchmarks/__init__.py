"""Speed as ratios: ours against a peer or a bare loop, measured side by side in one run."""
