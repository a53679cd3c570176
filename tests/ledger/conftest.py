"""Both databases."""

from ledger_places import new_place, place, server

__all__ = ["new_place", "place", "server"]
