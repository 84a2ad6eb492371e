#!/bin/sh
# Plays the worked study of docs/study.md into the folder given, and writes its reports. May be killed and run again.
set -eu
here=$(dirname "$0")
out=${1:?usage: studies/run.sh FOLDER}
for play in uniform greedy expert; do
    ds-sim campaign run "$here/$play.toml" --out "$out/$play"
    ds-sim report "$out/$play"
done
