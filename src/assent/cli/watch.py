"""Can the calibration still be trusted? A stream of decisions or evidence against the policy it ran under.

Scores feed the drift alarm, one row a cluster; rows that carry "wrong" (0 or 1, labelled later) feed a
bound for the risk that holds however often one looks. Used by ``assent doctor --stream``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from assent.errors import DataError, PolicyError

if TYPE_CHECKING:
    from assent.policy.policy import Policy

FALSE_ALARM = "0.01"


def watched(file: str, policies: Mapping[str, Policy]) -> str:
    """What the stream says about each policy; raises ``PolicyError`` where it is no longer to be trusted."""
    from assent.calibrate.drift import RiskSequence, watch
    from assent.io.lines import read_rows

    rows = [(line, raw) for line, raw in read_rows(file)]
    said = []
    for logic, policy in policies.items():
        if not policy.scores:
            raise PolicyError(f"the {logic} policy holds no calibration scores: calibrate again to watch it")
        mine = [(line, raw) for line, raw in rows if (raw.get("evidence") or raw).get("logic") == logic]
        alarm = watch(policy.scores, list(_scores(file, mine, policy)), gamma=FALSE_ALARM)
        if alarm.alarm:
            raise PolicyError(
                f"the {logic} scores have changed since calibration ({alarm.items} items; a false alarm ever has "
                f"probability {FALSE_ALARM} at most): do not trust the policy, label new rows and calibrate again"
            )
        part = f"{logic}: no sign of drift in {alarm.items} items"
        risk = RiskSequence()
        for line, raw in mine:
            if "wrong" in raw:
                risk.add(_accepted_and_wrong(file, line, raw))
        if risk.n:
            low, high = risk.interval()
            if risk.above(policy.alpha):
                raise PolicyError(f"the {logic} risk is at least {low:.3f}, above alpha = {policy.alpha:g}")
            part += f", risk between {low:.3f} and {high:.3f} by {risk.n} labels"
        said.append(part)
    return "; ".join(said) or "there is no policy to watch"


def _scores(file: str, rows: list[tuple[int, dict[str, Any]]], policy: Policy) -> Iterator[float]:
    """The deciding score of every row that passed the gate, the first of each cluster only."""
    from assent.calibrate.fusion import fuse_one

    seen: set[str] = set()
    for line, raw in rows:
        evidence = raw.get("evidence") or raw
        if evidence.get("censored"):
            raise DataError(
                "scores cut short by lazy scoring cannot be watched: run 'batch --full'", file=file, line=line
            )
        scores, cluster = evidence.get("scores") or {}, evidence.get("cluster")
        if not scores or str(cluster) in seen:
            continue
        if cluster is not None:
            seen.add(str(cluster))
        if policy.fusion is not None and policy.channel not in scores:
            yield fuse_one(policy.fusion, scores)
        elif policy.channel in scores:
            yield float(scores[policy.channel])
        else:
            raise DataError(f"the channel {policy.channel!r} was not recorded", file=file, line=line)


def _accepted_and_wrong(file: str, line: int, raw: Mapping[str, Any]) -> bool:
    if raw["wrong"] not in (0, 1) or "decision" not in raw:
        raise DataError('a labelled row needs "decision" and "wrong" (0 or 1)', file=file, line=line)
    return bool(raw["wrong"]) and raw["decision"] == "accepted"
