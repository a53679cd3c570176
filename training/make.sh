#!/bin/sh
# Everything from seeds: four models, local decisions, the judge's rule, and what they are worth (about eleven hours, one core).
# Run it again after an interruption: each model goes on from its last checkpoint.
set -e
cd "$(dirname "$0")/.."
PYTHON=${PYTHON:-.venv/bin/python}
$PYTHON training/train.py translator --minutes 155
for name in spatial second reverse; do
    $PYTHON training/train.py $name
done
$PYTHON training/train.py translator --without-spatial --minutes 188
[ -e runs/translator/earlier.pt ] || cp runs/translator/checkpoint.pt runs/translator/earlier.pt
$PYTHON training/train.py translator --without-spatial
$PYTHON training/export.py runs/translator runs/spatial runs/second runs/reverse
$PYTHON training/fit_align.py
$PYTHON training/fit_rerank.py
$PYTHON training/fit_judge.py
$PYTHON training/evaluate.py --half all
$PYTHON training/measure_judge.py
$PYTHON training/curves.py runs/translator runs/spatial runs/second runs/reverse
