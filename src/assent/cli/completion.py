"""Completion of verbs and options in a shell.

source <(assent completion bash)                                  bash, for this shell; or in ~/.bashrc
assent completion zsh > "${fpath[1]}/_assent"                     zsh
assent completion fish > ~/.config/fish/completions/assent.fish   fish
"""

from __future__ import annotations

import argparse
import json
import shlex
from importlib import import_module

from assent.cli import VERBS, Exit


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=("bash", "zsh", "fish"))
    parser.add_argument("--json", action="store_true", help="the verbs with their options, as JSON")


def run(args: argparse.Namespace) -> int:
    words = {verb: words_of(verb) for verb in VERBS}
    if args.json:
        print(json.dumps(words))
    else:
        print({"bash": _bash, "zsh": _zsh, "fish": _fish}[args.shell](words), end="")
    return Exit.DONE


def words_of(verb: str) -> list[str]:
    """The options of a verb, and the words that may stand in its first place."""
    from assent.cli import Parser

    parser = Parser(prog=verb)
    import_module(f"assent.cli.{verb}").add_arguments(parser)
    words: list[str] = []
    for action in parser._actions:
        words += action.option_strings or map(str, action.choices or ())
    return words


def _bash(words: dict[str, list[str]]) -> str:
    cases = "\n".join(f"    {verb}) words={shlex.quote(' '.join(w))} ;;" for verb, w in words.items())
    return f"""_assent() {{
  local words
  case "${{COMP_WORDS[1]}}" in
{cases}
    *) words="" ;;
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then words={shlex.quote(" ".join(words))}; fi
  COMPREPLY=($(compgen -W "$words" -- "${{COMP_WORDS[COMP_CWORD]}}"))
}}
complete -o default -F _assent assent
"""


def _zsh(words: dict[str, list[str]]) -> str:
    cases = "\n".join(f"    {verb}) compadd -- {shlex.join(w)} ;;" for verb, w in words.items())
    return f"""#compdef assent
_assent() {{
  if (( CURRENT == 2 )); then
    compadd -- {shlex.join(words)}
    return
  fi
  case "$words[2]" in
{cases}
  esac
  _files
}}
compdef _assent assent
"""


def _fish(words: dict[str, list[str]]) -> str:
    lines = [f"complete -c assent -n __fish_use_subcommand -f -a {verb} -d {shlex.quote(VERBS[verb])}"
             for verb in words]  # fmt: skip
    for verb, verb_words in words.items():
        for word in verb_words:
            flag = (
                f"-l {word[2:]}"
                if word.startswith("--")
                else f"-s {word[1:]}"
                if word[0] == "-"
                else f"-a {word}"
            )
            lines.append(f"complete -c assent -n '__fish_seen_subcommand_from {verb}' {flag}")
    return "\n".join(lines) + "\n"
