"""Formulas: read, write, say, compare, evaluate, export."""
