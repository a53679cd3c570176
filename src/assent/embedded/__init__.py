"""The models that ship with the package: translator, reverse model, judge, embedder. Offline, no torch."""
