"""Our own corpus: formulas said in English by a stochastic grammar, endless and reproducible by seed."""
