#!/usr/bin/env bash
# Builds the package with the address and undefined-behaviour sanitizers in a directory of its own, and plays random games
# at the bounds of the rule set under them (expectation E-12). Needs gcc on Linux, and Cython and NumPy installed.
#   tools/sanitize.sh [games per rule set]        PYTHON chooses the interpreter, CC the compiler
set -euo pipefail
cd "$(dirname "$0")/.."

python=${PYTHON:-python3}
export CC=${CC:-gcc}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cp -r csrc ds_sim setup.py pyproject.toml README.md LICENSE "$scratch"
cp tools/play_bounds.py "$scratch"
cd "$scratch"
find . \( -name '*.so' -o -name '*.o' -o -name '__pycache__' \) -prune -exec rm -rf {} +

# setup.py compiles with -O3 of its own; frame pointers make reports readable.
export CFLAGS="-g -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer"
export LDFLAGS="-fsanitize=address,undefined"
"$python" setup.py --quiet build_ext --inplace

# Python itself is not built with them: the runtime has to come first, and its own leaks do not matter.
LD_PRELOAD="$("$CC" -print-file-name=libasan.so) $("$CC" -print-file-name=libubsan.so)" \
ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 PYTHONMALLOC=malloc \
    "$python" play_bounds.py "${1:-16}"
echo "no findings"
