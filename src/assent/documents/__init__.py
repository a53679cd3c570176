"""Requirement documents: reading them, deciding each requirement, what they say together, lock, outputs, write-back."""
