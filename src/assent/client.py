"""A client for ``assent serve``: the verbs and types of the front door, over HTTP.

    with assent.Client("http://127.0.0.1:8765") as client:
        decision = client("Whenever the door is open, the alarm is on within 5 s", vocabulary=names)

Every decision is asked for under a key of its own, so that a request that broke off is repeated without being decided
or paid twice.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from types import TracebackType
from typing import TYPE_CHECKING, TypedDict, Unpack

import httpx

from assent import errors
from assent.errors import AssentError, FormulaError, ServiceError
from assent.logic.ast import Atom, Formula, Logic
from assent.logic.equivalence.verdict import Equivalence, Verdict
from assent.logic.explain import Explanation
from assent.logic.export.base import Export
from assent.logic.parse import read, read_together
from assent.logic.recorded import Outcome
from assent.logic.semantics import Trace
from assent.records import Decision
from assent.records.rows import decision_of

if TYPE_CHECKING:
    from assent.ledger.entries import Body
    from assent.vocabulary import Vocabulary

ADDRESS = "http://127.0.0.1:8765"
AGAIN = frozenset({429, 502, 503})
"""Statuses after which a request is repeated."""
_KINDS: dict[str, Callable[[str], AssentError]] = {
    "usage": errors.UsageError,
    "fragment": errors.FragmentError,
    "policy": errors.PolicyError,
    "data": errors.DataError,
    "configuration": errors.ConfigurationError,
}


class AskOptions(TypedDict, total=False):
    """What may be said beside an instruction; what is left out or None is the service's own choice."""

    logic: Logic | str | None
    vocabulary: Mapping[str, object] | Vocabulary | None
    domain: str | None
    alpha: float | None


class KeyedOptions(AskOptions, total=False):
    """``AskOptions`` and the key under which one instruction is asked."""

    key: str | None


class Client:
    """A service at an address. ``token`` is a bearer token; ``attempts`` counts repetitions of what passes."""

    def __init__(
        self, address: str = ADDRESS, *, token: str | None = None, timeout: float = 60.0, attempts: int = 4
    ) -> None:
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        self._http = httpx.Client(base_url=address, headers=headers, timeout=timeout)
        self._attempts = attempts

    # ---- instructions ----------------------------------------------------------------------------------------

    def __call__(
        self,
        text: str,
        *,
        logic: Logic | str | None = None,
        vocabulary: Mapping[str, object] | Vocabulary | None = None,
        domain: str | None = None,
        alpha: float | None = None,
        key: str | None = None,
    ) -> Decision:
        """Decide one instruction; ``key`` names the request where you want to repeat it yourself."""
        return self.translate(text, logic=logic, vocabulary=vocabulary, domain=domain, alpha=alpha, key=key)[
            0
        ]

    def translate(
        self, text: str, *, key: str | None = None, **options: Unpack[AskOptions]
    ) -> tuple[Decision, str]:
        """The decision and its id in the service's ledger; options as in a call."""
        head = {"Idempotency-Key": key or secrets.token_hex(16)}
        row = self._post("/v1/translate", {"text": text, **_options(options)}, head)
        return decision_of(row), str(row["decision_id"])

    async def decide(self, text: str, **options: Unpack[KeyedOptions]) -> Decision:
        """The same for programs that are asynchronous."""
        return await asyncio.to_thread(self, text, **options)

    def batch(
        self, cases: Iterable[str | Mapping[str, object]], **options: Unpack[AskOptions]
    ) -> Iterator[Decision]:
        """Decisions for many instructions, in order, as they come; a case that cannot be decided raises."""
        body = {
            "cases": [case if isinstance(case, str) else dict(case) for case in cases],
            **_options(options),
        }
        head = {"Idempotency-Key": secrets.token_hex(16)}
        try:
            with self._http.stream("POST", "/v1/batch", json=body, headers=head) as response:
                if response.status_code != 200:
                    response.read()
                    raise _error(response)
                for line in response.iter_lines():
                    row = json.loads(line)
                    if "error" in row:
                        raise _KINDS.get(row["kind"], ServiceError)(f"{row['id']}: {row['error']}")
                    yield decision_of(row)
        except httpx.HTTPError as error:
            raise ServiceError(f"the service does not answer: {error}") from error

    def resolve(self, decision_id: str, formula: Formula | str | None) -> str:
        """Keep what is meant (None: none of the readings); the label's id. It may train, and never calibrates."""
        choice: dict[str, object] = {"none": True} if formula is None else {"formula": str(formula)}
        return str(self._post("/v1/resolve", {"decision_id": decision_id, **choice})["label"])

    def decisions(self, **only: str) -> Iterator[Body]:
        """Every decision in the ledger (``decision="abstained"``, ``logic="stl"``), oldest first, as rows."""
        after: int | None = 0
        while after is not None:
            page = self._ask("GET", "/v1/decisions", params={**only, "after": str(after)})
            yield from page["decisions"]
            after = page["next"]

    def policy(self, **only: str) -> list[Body]:
        """What decides, and its promise in words, for each logic."""
        return list(self._ask("GET", "/v1/policy", params=only)["policies"])

    # ---- formulas --------------------------------------------------------------------------------------------

    def compare(
        self, first: Formula | str, second: Formula | str, *, logic: Logic | str | None = None
    ) -> Equivalence:
        """Do two formulas mean the same? A trace tells them apart where they do not."""
        texts = [str(first), str(second)]
        _, shared_logic = read_together(texts, None if logic is None else Logic(str(logic).lower()))
        body = {"first": texts[0], "second": texts[1], "logic": shared_logic.value}
        row = self._post("/v1/compare", body)
        witness = None if row["witness"] is None else _trace(row["witness"], shared_logic)
        return Equivalence(Verdict(row["verdict"]), row["method"], witness)

    def explain(
        self, formula: Formula | str, *, logic: Logic | str | None = None, unit: str | None = None
    ) -> Explanation:
        """A formula in English, as a tree and in canonical form, with warnings."""
        row = self._post("/v1/explain", {"formula": str(formula), **_options({"logic": logic, "unit": unit})})
        fields = {name: row[name] for name in Explanation.__dataclass_fields__}
        return Explanation(**{**fields, "atoms": tuple(row["atoms"]), "warnings": tuple(row["warnings"])})

    def evaluate(
        self,
        formula: Formula | str,
        trace: Mapping[str, Sequence[object]],
        *,
        logic: Logic | str | None = None,
        period: float | None = None,
    ) -> Outcome:
        """A formula on a recorded trace (columns by name, times first): truth, robustness, first violation."""
        columns = {name: list(values) for name, values in trace.items()}
        body = {"formula": str(formula), "trace": columns, **_options({"logic": logic, "period": period})}
        row = {"robustness": None, "first_violation": None, **self._post("/v1/evaluate", body)}
        return Outcome(**{**row, "period": None if row["period"] is None else Fraction(str(row["period"]))})

    def export(
        self,
        formula: Formula | str,
        target: str,
        *,
        instruction: str | None = None,
        period: float | None = None,
    ) -> Export:
        """A formula for another tool; ``str()`` of the result is its text."""
        options = _options({"instruction": instruction, "period": period})
        body = {"formula": str(formula), "target": target, **options}
        row = self._post("/v1/export", body)
        return Export(**{**row, "notes": tuple(row["notes"])})

    # ---- the wire --------------------------------------------------------------------------------------------

    def close(self) -> None:
        """End the connection."""
        self._http.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _post(self, path: str, body: Mapping[str, object], headers: Mapping[str, str] | None = None) -> Body:
        return self._ask("POST", path, body=body, headers=headers)

    def _ask(
        self,
        method: str,
        path: str,
        *,
        body: Mapping[str, object] | None = None,
        params: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Body:
        """The object that is answered; ServiceError or the error behind a problem after the last attempt.

        A request that broke off, or was answered with a status of ``AGAIN``, is repeated after ``Retry-After`` or a
        wait that doubles.
        """
        for attempt in range(1, self._attempts + 1):
            last = attempt == self._attempts
            try:
                response = self._http.request(method, path, json=body, params=params, headers=headers)
            except httpx.HTTPError as error:
                if last:
                    raise ServiceError(f"the service does not answer: {error}") from error
                time.sleep(0.1 * 2**attempt)
                continue
            if response.status_code == 200:
                row: Body = response.json()
                return row
            if last or response.status_code not in AGAIN:
                raise _error(response)
            time.sleep(_wait(response, 0.1 * 2**attempt))
        raise ServiceError("no attempt was allowed")


def _wait(response: httpx.Response, otherwise: float) -> float:
    """The seconds of ``Retry-After``, at most a minute; ``otherwise`` where the header gives no whole number."""
    seconds = response.headers.get("retry-after", "")
    return min(float(seconds), 60.0) if seconds.isdecimal() else otherwise


def _options(arguments: Mapping[str, object]) -> dict[str, object]:
    """The arguments that are not None, as JSON."""
    import msgspec

    options = {name: value for name, value in arguments.items() if value is not None}
    if "logic" in options:
        options["logic"] = str(options["logic"]).lower()
    return {name: msgspec.to_builtins(value) for name, value in options.items()}


def _error(response: httpx.Response) -> AssentError:
    """A problem as the error that the local door would raise."""
    try:
        row = response.json()
        kind, detail = str(row["kind"]), str(row["detail"])
    except (ValueError, KeyError, TypeError):
        return ServiceError(
            f"the service answers with status {response.status_code}", status=response.status_code
        )
    if kind in ("formula", "limit"):
        return FormulaError(detail, column=int(row.get("column", 1)), expected=row.get("expected"))
    if kind in _KINDS:
        return _KINDS[kind](detail)
    return ServiceError(detail, kind=kind, status=response.status_code)


def _trace(row: Body, logic: Logic) -> Trace:
    states: list[frozenset[Atom]] = []
    for stretch in row["states"]:
        atoms = frozenset(read(text, logic) for text in stretch["true"])
        states += [atoms] * (stretch["to"] - stretch["from"] + 1)  # type: ignore[list-item]
    return Trace(tuple(states), row["loop"], Fraction(row["step"]))
