#!/usr/bin/env bash
# Compiles the P4 programs into p4c-out/ and stamps the result with the sources it was made from.
#
# The build checks the stamp: artefacts of other sources than those beside them are an error. The output is the same
# wherever it is made: the compiler runs here and is given relative names only.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "${BASH_SOURCE[0]}")"

# One hash over the sources of the v1model program: of each file its hash and name, sorted by name.
sources_sha256() {
  find shared v1model -type f \( -name '*.p4' -o -name '*.inc' \) -print0 | sort -z | xargs -0 sha256sum | sha256sum | cut -d' ' -f1
}

if [ "${1:-}" = --stamp ]; then
  sources_sha256
  exit
fi
if [ $# -gt 0 ]; then
  echo "usage: p4/compile.sh [--stamp]" >&2
  exit 2
fi
if ! command -v p4c-bm2-ss >/dev/null 2>&1; then
  echo "p4/compile.sh: p4c-bm2-ss is not on PATH; install p4c (https://github.com/p4lang/p4c) or add its directory to PATH" >&2
  exit 3
fi

out=p4c-out/v1model
mkdir -p "$out"
work=$(mktemp -d "$out/.compile.XXXXXX")
trap 'rm -rf "$work"' EXIT
# Taken before compiling: a source that changes meanwhile must not be stamped as compiled.
stamp=$(sources_sha256)
p4c-bm2-ss --arch v1model --p4runtime-files "$work/sluice.p4info.txtpb" -o "$work/sluice.json" v1model/sluice.p4
if grep -q '"filename" : "/' "$work/sluice.json"; then
  echo "p4/compile.sh: p4c wrote absolute file names into sluice.json, so the output would differ from machine to machine" >&2
  exit 1
fi
# A build never sees new artefacts under an old stamp or the other way round: without a stamp it fails.
rm -f "$out/SOURCES.sha256"
mv "$work/sluice.json" "$work/sluice.p4info.txtpb" "$out/"
printf '%s\n' "$stamp" >"$out/SOURCES.sha256"
