"""What the study must show, read off its own tables: one line a claim, with the figure and whether it is met."""

from __future__ import annotations

from assent.evaluate.measure import Rows

Line = dict[str, str | int | float | bool | None]


def lines(numbers: dict[str, Rows]) -> Rows:
    return [*_cells(numbers), *_scores(numbers), *_oracle(numbers), *_half(numbers), *_gate(numbers)]


def _cells(numbers: dict[str, Rows]) -> Rows:
    """Cells over three s.e. under the rule that the structure calls for (clusters), and Split-CP on the same cells."""
    over = {"crc": 0, "split": 0}
    feasible = {"crc": 0, "split": 0}
    matrices = 0
    for name, rows in numbers.items():
        if name.endswith("_compliance_summary"):
            chosen = [row for row in rows if row["unit"] == "cluster"] or rows[:1]
        elif name == "systems_summary":
            chosen = rows
        else:
            continue
        matrices += len(chosen)
        for row in chosen:
            for method in over:
                over[method] += int(row[f"{method}: over three s.e."] or 0)
                feasible[method] += int(row[f"{method}: feasible"] or 0)
    if not matrices:
        return []
    return [
        {"claim": f"cells over alpha + 3 s.e., rule over clusters, {matrices} matrices", "aim": "0",
         "found": f"{over['crc']} of {feasible['crc']}", "met": over["crc"] == 0},
        {"claim": "the same cells under split conformal prediction", "aim": "–",
         "found": f"{over['split']} of {feasible['split']}", "met": None},
    ]  # fmt: skip


def _scores(numbers: dict[str, Rows]) -> Rows:
    out: Rows = []
    for name, rows in numbers.items():
        if not name.endswith("_scores") or not rows or "AUROC" not in rows[0]:
            continue
        by_score = {str(row["score"]): row for row in rows}
        ours, theirs = by_score.get("default"), by_score.get("fusion")
        if ours is None or theirs is None:
            continue
        margin = float(ours["AUROC"] or 0) - float(theirs["AUROC"] or 0)
        who = name.removesuffix("_scores")
        out.append(
            {"claim": f"{who}: AUROC of the default score over the paper's fusion, pooled", "aim": "+0.10",
             "found": f"{ours['AUROC']:.3f} - {theirs['AUROC']:.3f} = {margin:+.3f} "
                      f"[{ours.get('margin low') or 0:.3f}, {ours.get('margin high') or 0:.3f}]",
             "met": margin >= 0.10}
        )  # fmt: skip
        size = by_score.get("size")
        if size is not None:
            out.append(
                {"claim": f"{who}: the same among candidates of equal tier and size (size alone: "
                          f"{size['AUROC']:.3f} pooled)", "aim": "–",
                 "found": f"{ours['within equal size']:.3f} against {theirs['within equal size']:.3f}", "met": None}
            )  # fmt: skip
    return out


def _oracle(numbers: dict[str, Rows]) -> Rows:
    out: Rows = []
    for name, rows in numbers.items():
        if not name.endswith("_oracle"):
            continue
        for row in rows:
            if (row["score"], row["group"]) == ("default", "all"):
                for alpha in ("0.05", "0.10"):
                    share = float(row[f"share at {alpha}"] or 0)
                    out.append(
                        {"claim": f"{name.removesuffix('_oracle')}: acceptance of the default score at {alpha}, tiers "
                                  f"together, rule over {row['unit']}s, as a share of the oracle", "aim": "0.90",
                         "found": f"{row[f'acceptance at {alpha}']:.3f} / {row[f'oracle at {alpha}']:.3f} = {share:.3f}",
                         "met": share >= 0.9}
                    )  # fmt: skip
    return out


def _half(numbers: dict[str, Rows]) -> Rows:
    """Acceptance at 0.10 of the shipped policies, at least half of the oracle's in each logic."""
    return [
        {"claim": f"new domains, {row['logic']}: acceptance of the shipped policy at 0.10 as a share of the oracle",
         "aim": "0.50", "found": f"{row['share of oracle']:.3f}", "met": float(row["share of oracle"] or 0) >= 0.5}
        for row in numbers.get("shipped", [])
        if row["alpha"] == 0.10 and row["register"] == "all"
    ]  # fmt: skip


def _gate(numbers: dict[str, Rows]) -> Rows:
    return [
        {"claim": f"gate, {row['embedder']}: false deferral at delta = 0.05, and share of shifted streams deferred",
         "aim": "at most 0.05", "found": f"{row['false deferral']:.3f}, {row['mean of the kinds']:.3f}",
         "met": float(row["low"] or 0) <= 0.05}
        for row in numbers.get("gate_summary", [])
    ]  # fmt: skip
