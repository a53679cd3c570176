"""The page: HTML made here, behaviour in ES modules under ``static``, nothing loaded from elsewhere.

``markup`` escapes everything that is put into a page; ``frame`` and ``views`` hold what anybody may load, which carries
no data; what a view shows comes as a fragment of HTML from the operations in ``fragments``, under the same checks as
every other operation. Drawing runs in the workers (``work``). ``routes`` is what ``app.create_app`` mounts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.routing import BaseRoute

    from assent.serve.service import Service


def routes(service: Service) -> list[BaseRoute]:
    """The pages of a service, their files, and what they ask."""
    from assent.serve.pages.mounted import mounted

    return mounted(service)
