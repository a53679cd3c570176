"""Models: one small protocol, everything else wraps it."""
