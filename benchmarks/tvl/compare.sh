#!/bin/sh
# Compares this tree with an earlier commit on the large specifications: instructions per structure, as cachegrind counts them.
#   benchmarks/tvl/compare.sh COMMIT [SPECIFICATION...]
# HEAPWISE_BEFORE and HEAPWISE_AFTER name binaries that are built already. Both run on the specifications of this tree.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
commit=${1:?usage: compare.sh COMMIT [SPECIFICATION...]}
shift
[ $# -gt 0 ] || set -- sorted_tree_delete four_trees three_trees concurrent_stack merge_by_calls
work=$(mktemp -d)
trap 'git -C "$root" worktree remove --force "$work/tree" 2>/dev/null || true; rm -rf "$work"' EXIT
before=${HEAPWISE_BEFORE:-}
after=${HEAPWISE_AFTER:-}
if [ -z "$before" ]; then
  git -C "$root" worktree add --quiet --detach "$work/tree" "$commit"
  (cd "$work/tree" && CARGO_TARGET_DIR="$work/before" cargo build --quiet --release -p heapwise-cli)
  before="$work/before/release/heapwise"
fi
if [ -z "$after" ]; then
  (cd "$root" && CARGO_TARGET_DIR="$work/after" cargo build --quiet --release -p heapwise-cli)
  after="$work/after/release/heapwise"
fi

# run BINARY SPECIFICATION: "structures instructions"
run() {
  valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file=/dev/null "$1" tvla "$here/$2.tvp" >"$work/out" 2>"$work/err" || [ $? -le 3 ]
  structures=$(sed -n 's/^total: \([0-9]*\) .*/\1/p' "$work/out")
  instructions=$(sed -n 's/.*I *refs: *\([0-9,]*\)/\1/p' "$work/err" | tr -d ,)
  if [ -z "$structures" ] || [ -z "$instructions" ]; then
    echo "$2: no result" >&2
    cat "$work/out" "$work/err" >&2
    exit 1
  fi
  echo "$structures $instructions"
}

printf '%-20s %12s %12s %16s %16s %8s\n' specification structures "structures'" instructions/s. "instructions/s.'" ratio
for name in "$@"; do
  set -- $(run "$before" "$name") $(run "$after" "$name")
  awk -v name="$name" -v a="$1" -v b="$2" -v c="$3" -v d="$4" \
    'BEGIN { printf "%-20s %12d %12d %16.0f %16.0f %8.2f\n", name, a, c, b / a, d / c, (b / a) / (d / c) }'
done
