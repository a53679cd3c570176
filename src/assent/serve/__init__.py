"""The service: the same pipeline over HTTP, with workers, a ledger, tokens and limits (``assent[serve]``).

``settings`` is what it is told, ``service`` the work behind every door (HTTP, pages, agents), ``table`` the operations
that routes and the OpenAPI document are made from, ``app`` where everything is mounted, ``workers`` and ``worker`` the
processes that compute.
"""
