"""Hardware and model checkers: SystemVerilog assertions, Spin, Storm."""

from __future__ import annotations

import re
from itertools import product
from typing import assert_never

from assent.errors import FragmentError
from assent.logic.ast import (
    Abs,
    Arithmetic,
    Atom,
    Compare,
    Constant,
    Dist,
    Formula,
    Negative,
    Next,
    Signal,
    Term,
    walk,
)
from assent.logic.export.base import (
    Export,
    Head,
    Syntax,
    Target,
    bound,
    comment,
    meanings,
    name_atoms,
    renamed,
)
from assent.logic.export.ltl_tools import untimed
from assent.logic.export.rewrite import rewrite
from assent.logic.export.stl_tools import signals
from assent.logic.render import decimal
from assent.logic.timescale import bounds_of

# ---- SystemVerilog assertions ------------------------------------------------------------------------------------

_SVA = Syntax(
    {"not": "not", "and": "and", "or": "or", "implies": "implies", "iff": "iff", "next": "s_nexttime",
     "always": "always", "eventually": "s_eventually", "until": "s_until", "weak": "until", "true": "1'b1",
     "false": "1'b0"},
    lambda within: f" [{bound(within.low)}:{bound(within.high)}]",
    spaced=True,
)  # fmt: skip
_SV_WORDS = (
    "accept_on alias always always_comb always_ff always_latch and assert assign assume automatic before "
    "begin bind bins binsof bit break buf bufif0 bufif1 byte case casex casez cell chandle checker class "
    "clk clocking cmos config const constraint context continue cover covergroup coverpoint cross deassign "
    "default defparam design disable dist do edge else end endcase endchecker endclass endclocking "
    "endconfig endfunction endgenerate endgroup endinterface endmodule endpackage endprimitive endprogram "
    "endproperty endspecify endsequence endtable endtask enum event eventually expect export extends extern "
    "final first_match for force foreach forever fork forkjoin formula function generate genvar global "
    "highz0 highz1 if iff ifnone ignore_bins illegal_bins implements implies import incdir include initial "
    "inout input inside instance int integer interconnect interface intersect join join_any join_none large "
    "let liblist library local localparam logic longint macromodule matches medium modport module nand "
    "negedge nettype new nexttime nmos nor noshowcancelled not notif0 notif1 null or output package packed "
    "parameter phi phi_holds pmos posedge primitive priority program property protected pull0 pull1 "
    "pulldown pullup pulsestyle_ondetect pulsestyle_onevent pure rand randc randcase randsequence rcmos "
    "real realtime ref reg reject_on release repeat restrict return rnmos rpmos rtran rtranif0 rtranif1 "
    "s_always s_eventually s_nexttime s_until s_until_with scalared sequence shortint shortreal "
    "showcancelled signed small soft solve specify specparam static string strong strong0 strong1 struct "
    "super supply0 supply1 sync_accept_on sync_reject_on table tagged task this throughout time "
    "timeprecision timeunit tran tranif0 tranif1 tri tri0 tri1 triand trior trireg type typedef union "
    "unique unique0 unsigned until until_with untyped use uwire var vectored virtual void wait wait_order "
    "wand weak weak0 weak1 while wildcard wire with within wor xnor xor"
).split()


def sva(formula: Formula, head: Head) -> Export:
    """A module with one property that is asserted once, from the first clock edge on."""
    plain = rewrite(formula, {"implies", "iff", "next", "weak"})
    reals = _legal(signals(formula))
    names = name_atoms(formula, reserved=[*_SV_WORDS, *reals.values()])

    def atom(a: Atom) -> str:
        if isinstance(a, Compare):
            return f"({_sv_term(a.left, reals)} {a.op} {_sv_term(a.right, reals)})"
        return names[a]

    text = _SVA.show(plain, atom)
    flags: dict[Atom, str] = {a: name for a, name in names.items() if not isinstance(a, Compare)}
    ports = ["input logic clk", *(f"input logic {name}" for name in flags.values())]
    ports += [f"input real {name}" for name in reals.values()]
    notes = ("one step is a rising edge of clk", *renamed(flags))
    body = (
        "module formula (\n  " + ",\n  ".join(ports) + "\n);\n"
        f"  property phi;\n    @(posedge clk) {text};\n  endproperty\n"
        "  initial phi_holds: assert property (phi);\nendmodule\n"
    )
    said = meanings(flags) | {spelt: name for name, spelt in reals.items()}
    return Export("sva", comment("//", head, notes) + body, "formula.sv", text, said, notes[:1])


def _legal(names: list[str]) -> dict[str, str]:
    """A distinct SystemVerilog name for each signal, its own wherever that is legal."""
    chosen: dict[str, str] = {}
    for name in names:
        plain = re.sub(r"\W", "_", name, flags=re.ASCII)
        spelt = plain if plain == name and name.lower() not in _SV_WORDS else f"s_{plain}"
        while spelt in chosen.values():
            spelt += "_"
        chosen[name] = spelt
    return chosen


def _sv_term(term: Term, reals: dict[str, str]) -> str:
    match term:
        case Signal(name):
            return reals[name]
        case Dist(a, b):
            return reals[f"dist_{a}_{b}"]
        case Constant(value):
            return f"({decimal(value)})" if value < 0 else decimal(value)
        case Arithmetic(op, left, right):
            return f"({_sv_term(left, reals)} {op} {_sv_term(right, reals)})"
        case Negative(arg):
            return f"(0 - {_sv_term(arg, reals)})"
        case Abs(arg):
            inner = _sv_term(arg, reals)
            return f"(({inner}) < 0 ? 0 - ({inner}) : ({inner}))"
        case _:
            assert_never(term)


# ---- Spin --------------------------------------------------------------------------------------------------------

_SPIN = Syntax(
    {"not": "!", "and": "&&", "or": "||", "implies": "->", "iff": "<->", "always": "[]", "eventually": "<>",
     "until": "U", "release": "V", "true": "true", "false": "false"}
)  # fmt: skip
_SPIN_WORDS = (
    "active always assert atomic bit bool break byte chan c_code c_decl c_expr c_state c_track d_proctype "
    "d_step do else empty enabled environment equivalent eval eventually false fi for full get_priority "
    "goto hidden if implies in init inline int len local ltl mtype nempty never nfull np_ od of pc_value "
    "phi pid priority printf printm proctype provided release return run select set_priority short show "
    "skip started stronguntil timeout trace true typedef U V W X unless unsigned until weakuntil xr xs"
).split()
MAX_FLAGS = 6
"""An environment that may do anything has 2 to this power alternatives at most."""


def spin(formula: Formula, head: Head) -> Export:
    """A model whose environment may set the propositions to anything in each step, and the formula as its ltl claim."""
    if bounds_of(formula) or any(isinstance(node, Next) for node in walk(formula)):
        raise FragmentError("Spin knows neither next nor time: only formulas without next and intervals")
    plain = rewrite(formula, {"implies", "iff", "release"})
    names = name_atoms(formula, reserved=_SPIN_WORDS)
    text = _SPIN.show(plain, lambda atom: names[atom])
    flags = list(names.values())
    declared = f"bool {', '.join(flags)};\n" if flags else ""
    notes = ["started is false only before the first step of the environment"]
    if len(flags) > MAX_FLAGS:
        steps = "  :: d_step { started = true }\n"
        notes.append("put a process of your own that sets the propositions in the environment's place")
    else:
        steps = "".join(
            "  :: d_step { started = true"
            + "".join(f"; {name} = {str(value).lower()}" for name, value in zip(flags, values, strict=True))
            + " }\n"
            for values in product((False, True), repeat=len(flags))
        )
    model = (
        f"{comment('//', head, (*notes, *renamed(names)))}{declared}bool started = false;\n\n"
        f"active proctype environment() {{\n  do\n{steps}  od\n}}\n\n"
        f"ltl phi {{ (!(started)) U (started && ({text})) }}\n"
    )
    return Export("spin", model, "formula.pml", text, meanings(names), tuple(notes))


# ---- Storm -------------------------------------------------------------------------------------------------------

_STORM = Syntax(
    {"not": "!", "and": "&", "or": "|", "next": "X ", "always": "G ", "eventually": "F ", "until": "U",
     "true": "true", "false": "false"}
)  # fmt: skip


def storm(formula: Formula, head: Head) -> Export:
    """A property: the formula holds with probability 1. Its atoms are labels of the model."""
    plain = untimed(formula, frozenset(("next",)))
    names = name_atoms(formula)
    text = f"P>=1 [ {_STORM.show(plain, lambda atom: chr(34) + names[atom] + chr(34))} ]"
    notes = ("names in quotes are labels of your model",)
    top = comment("//", head, (*notes, *renamed(names)))
    return Export("storm", f"{top}{text};\n", "formula.props", text, meanings(names), notes)


TARGETS = (
    Target("sva", "SystemVerilog assertions", "LTL and STL with comparisons; one step is a clock edge", sva),
    Target("spin", "Spin (Promela)", "LTL without next and intervals", spin),
    Target("storm", "Storm", "LTL inside P>=1; bounded intervals are unrolled into X", storm),
)
