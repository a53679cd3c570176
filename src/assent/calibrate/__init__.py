"""Calibration: scores and labels in, rules with a promise out."""
