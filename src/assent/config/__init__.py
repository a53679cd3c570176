"""Configuration -> objects: the only room that names concrete classes."""
