"""Schemathesis against the service's own OpenAPI document: no 5xx, no answer that is not documented."""

from __future__ import annotations

import os
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from served import Served

schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is not installed")

EXAMPLES = int(os.environ.get("ASSENT_SCHEMA_EXAMPLES", "8"))
"""Requests for each operation; more of them with the variable."""


def chosen_checks() -> list[Any]:
    from schemathesis import checks

    wanted = ("not_a_server_error", "status_code_conformance", "content_type_conformance",
              "response_schema_conformance", "negative_data_rejection", "unsupported_method")  # fmt: skip
    found = {check.__name__: check for check in checks.CHECKS.get_all()}
    assert set(wanted) <= set(found), sorted(found)
    return [found[name] for name in wanted]


@pytest.mark.parametrize("mode", ["positive", "negative"])
def test_every_answer_is_documented(service: Served, mode: str) -> None:
    from schemathesis import GenerationMode

    schema = schemathesis.openapi.from_url(f"{service.address}/openapi.json")
    schema.config.base_url = service.address
    refusals = schema.config.checks.negative_data_rejection
    refusals.expected_statuses = [
        *refusals.expected_statuses,
        "413",
    ]  # too large is refused before it is read
    tried = 0
    for operation in schema.get_all_operations():
        made = operation.ok()
        if mode == "negative" and not (made.body or made.query or made.path_parameters):
            continue  # there is nothing to get wrong

        @settings(
            max_examples=EXAMPLES,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            phases=[Phase.explicit, Phase.generate],
            derandomize=True,
        )
        @given(case=made.as_strategy(generation_mode=GenerationMode(mode)))
        def one(case: Any) -> None:
            nonlocal tried
            tried += 1
            case.call_and_validate(checks=chosen_checks(), timeout=250)

        one()
    assert tried >= EXAMPLES
