"""What models are asked, how the answers are read, and what is remembered of it."""
