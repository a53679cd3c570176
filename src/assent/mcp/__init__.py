"""The service for agents: tools and resources of the Model Context Protocol (``assent[mcp]``).

``answers`` is what tools take and give, ``tools`` the table of them, ``choosing`` how a person is asked through the
client, ``server`` the protocol, ``run`` standard input and output or HTTP.
"""
