#!/bin/sh
# What `make demo` runs: offline, without keys. Exit code 3 of a verb is an abstention or a difference, not a failure.
set -eu
: "${BIN:=.venv/bin}"
here=$(dirname "$0")

run() {
    printf '\n$ assent'
    for word in "$@"; do case $word in *[!A-Za-z0-9_./,=-]*) printf " '%s'" "$word" ;; *) printf ' %s' "$word" ;; esac; done
    printf '\n'
    "$BIN/assent" "$@" || [ $? -eq 3 ]
}

run translate 'Whenever the door is open, the alarm must be on within 5 seconds.' --logic stl --vocabulary "$here/vocabulary.toml"
run translate 'The pump must stay off until the valve is open.' --logic ltl --vocabulary "$here/vocabulary.toml"
run translate 'Keep the cup left of the plate for the first 10 seconds.' --logic spatial --vocabulary "$here/vocabulary.toml"
run translate 'Tell me a joke about robots.' --logic ltl --vocabulary "$here/vocabulary.toml"
run explain 'G(door_open -> F[0,5] alarm_on)'
run compare 'G(p -> F q)' 'G p -> F q'
run export 'G(door_open -> F[0,5] alarm_on)' --to rtamt --instruction 'Whenever the door is open, the alarm must be on within 5 seconds.'
