"""Calibration: scores and labels in, rules with a promise out.

Arrays in, typed rules out; no model and no logic is known here.
"""

from typing import TYPE_CHECKING

from assent.rooms import later

if TYPE_CHECKING:
    from assent.calibrate.control import capped, cluster_crc, crc, pair_weighted_crc, split
    from assent.calibrate.groups import GroupRules, group_rules, small_groups
    from assent.calibrate.rules import Infeasible, Rule, Threshold

__all__ = [
    "GroupRules",
    "Infeasible",
    "Rule",
    "Threshold",
    "capped",
    "cluster_crc",
    "crc",
    "group_rules",
    "pair_weighted_crc",
    "small_groups",
    "split",
]
__getattr__ = later(
    __name__,
    {
        **dict.fromkeys(("capped", "cluster_crc", "crc", "pair_weighted_crc", "split"), "control"),
        **dict.fromkeys(("GroupRules", "group_rules", "small_groups"), "groups"),
        **dict.fromkeys(("Infeasible", "Rule", "Threshold"), "rules"),
    },
)
