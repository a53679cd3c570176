"""Review: what a person is asked about a decision, and what the answer makes of it."""
