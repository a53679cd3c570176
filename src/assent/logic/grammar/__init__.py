"""How formulas are spelt: tokens, wrappings, infix and prefix notation."""
