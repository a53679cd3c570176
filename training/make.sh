#!/bin/sh
# Four models from the shipped ones, the judge's rule, and what they are worth (about five hours, one core).
# Run it again after an interruption: each model goes on from its last checkpoint.
set -e
cd "$(dirname "$0")/.."
PYTHON=${PYTHON:-.venv/bin/python}
for name in translator spatial second reverse; do
    $PYTHON training/train.py $name
done
$PYTHON training/export.py runs/translator runs/spatial runs/second runs/reverse
$PYTHON training/fit_rerank.py
$PYTHON training/fit_judge.py
$PYTHON training/evaluate.py --half all
$PYTHON training/measure_judge.py
$PYTHON training/curves.py runs/translator runs/spatial runs/second runs/reverse
