#!/usr/bin/env bash
# Compiles the P4 programs into p4c-out/ and stamps the result with the sources it was made from.
#
#   compile.sh          the v1model program, and in aggregate/ that with aggregates' markers, with p4c's back end for bmv2
#   compile.sh --tna    the programs for Tofino, with p4c's back end for it, and what they take of the chip
#   compile.sh --model  the program for Tofino, and in wire/ that for wires, in their frame of v1model, with p4c's back end for bmv2
#   compile.sh --stamp [v1model|tna|tna/model]
#
# The build checks the stamps: artefacts of other sources than those beside them are an error. The output is the same
# wherever it is made: the compiler runs here and is given relative names only.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "${BASH_SOURCE[0]}")"

# One hash over the sources of a program: of each file its hash and name, sorted by name. The model is made of what it models, not the other
# way round.
sources_sha256() {
  local other=
  [ "$1" = tna/model ] || other=tna/model
  find shared "${1%/model}" -path "$other" -prune -o -type f \( -name '*.p4' -o -name '*.inc' \) -print0 | sort -z | xargs -0 sha256sum |
    sha256sum | cut -d' ' -f1
}

need() {
  command -v "$1" >/dev/null 2>&1 && return
  echo "p4/compile.sh: $1 is not on PATH; install p4c (https://github.com/p4lang/p4c)$2 or add its directory to PATH" >&2
  exit 3
}

# PROGRAM: where it is compiled, and the stamp of what it is compiled from.
begin() {
  out=p4c-out/$1
  mkdir -p "$out"
  work=$(mktemp -d "$out/.compile.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  # Taken before compiling: a source that changes meanwhile must not be stamped as compiled.
  stamp=$(sources_sha256 "$1")
}

# A build never sees new artefacts under an old stamp or the other way round: without a stamp it fails.
replace() {
  rm -f "$out/SOURCES.sha256"
  for artefact in "$@"; do
    rm -rf "$out/${artefact##*/}"
    mv "$artefact" "$out/"
  done
  printf '%s\n' "$stamp" >"$out/SOURCES.sha256"
}

# DIRECTORY PROGRAM [OPTION...]
bmv2_program() {
  p4c-bm2-ss --arch v1model --p4runtime-files "$1/sluice.p4info.txtpb" -o "$1/sluice.json" "$2/sluice.p4" "${@:3}"
  if grep -q '"filename" : "/' "$1/sluice.json"; then
    echo "p4/compile.sh: p4c wrote absolute file names into sluice.json, so the output would differ from machine to machine" >&2
    exit 1
  fi
  # A gRPC server takes 4 MiB unless told otherwise, and with blanks a program is longer.
  python3 compact_json.py "$1/sluice.json"
}

compile_v1model() {
  need p4c-bm2-ss ''
  need python3 ''
  begin v1model
  mkdir "$work/aggregate"
  bmv2_program "$work" v1model
  bmv2_program "$work/aggregate" v1model -DAGGREGATE
  replace "$work/sluice.json" "$work/sluice.p4info.txtpb" "$work/aggregate"
}

compile_model() {
  need p4c-bm2-ss ''
  need python3 ''
  begin tna/model
  mkdir "$work/wire"
  bmv2_program "$work" tna/model -DINSTANCES=2 -DCODEL
  bmv2_program "$work/wire" tna/model -DINSTANCES=2 -DWIRE
  replace "$work/sluice.json" "$work/sluice.p4info.txtpb" "$work/wire"
}

# ASSEMBLY: whether a state of the ingress parser selects by something.
selects() {
  awk '/^parser ingress:/ { inside = 1 } /^deparser ingress:/ { inside = 0 } inside && /^ *match: \[ (half|byte)/ { found = 1 } END { exit !found }' "$1"
}

# SOURCE NAME TARGET ARCH INSTANCES [OPTION...]: one program. What does not fit ends here, with the resource that p4c says ran out.
compile_tna_program() {
  local source=$1 name=$2 target=$3 arch=$4 instances=$5
  echo "p4/compile.sh: $name: $source for $target, $instances marker instances a pipe"
  mkdir -p "$work/$name"
  # Stratum knows counters as P4Runtime's own, not as externs of the vendor's.
  if ! p4c --target "$target" --arch "$arch" -g -DINSTANCES="$instances" "${@:6}" --p4runtime-files "$work/$name.p4info.txtpb" \
    --p4runtime-force-std-externs --bf-rt-schema "$work/$name.bf-rt.json" -o "$work/$name" "tna/$source" >"$work/$name.log" 2>&1; then
    grep -E 'error|Error|does not fit|exceed' "$work/$name.log" >&2 || tail -n 20 "$work/$name.log" >&2
    echo "p4/compile.sh: $name does not fit or does not compile; nothing was changed" >&2
    exit 1
  fi
  # p4c 1.2.5.11 to at least 1.2.5.16 lose what a parser selects by: every select becomes a wildcard, and what is built reads all packets alike.
  if ! selects "$work/$name"/pipe/*.bfa; then
    echo "p4/compile.sh: $name: $compiler lost the selects of the parsers, so that no packet would be read rightly; take another release." \
      "Nothing was changed" >&2
    exit 1
  fi
  mkdir -p "$work/out/$name"
  mv "$work/$name.p4info.txtpb" "$work/out/$name/sluice.p4info.txtpb"
  python3 tna/fit_summary.py "$work/$name" "$work/out/$name/sluice.p4info.txtpb" "$instances" "$compiler" >"$work/out/$name/sluice.fit"
  python3 tna/pipeline_config.py "$work/$name" "$work/$name.bf-rt.json" "$work/out/$name/sluice.pb.bin"
}

compile_tna() {
  need p4c ' with its back end for Tofino'
  need python3 ''
  begin tna
  compiler=$(p4c --version | awk '{ print $1, $2; exit }')
  compile_tna_program sluice.p4 tofino-one tofino tna 1
  compile_tna_program sluice.p4 tofino tofino tna 7
  compile_tna_program sluice.p4 tofino-codel tofino tna 4 -DCODEL
  compile_tna_program wire/sluice.p4 tofino-wire tofino tna 5
  # With clots, which keep headers out of the pipeline, p4c's assembler fails.
  compile_tna_program sluice.p4 tofino2 tofino2 t2na 7 -Xp4c=--no-clot
  # The most limits that a pipe holds, and paper 004's 700,000 over four pipes beside the meters that it compares with.
  local shaper=limit/shape/shaper.p4
  compile_tna_program $shaper tofino-shaper tofino tna 0 -DBANKS=4 -DLIMITS=376832
  compile_tna_program $shaper tofino2-shaper tofino2 t2na 0 -DBANKS=6 -DLIMITS=565248 -Xp4c=--no-clot
  compile_tna_program $shaper tofino-shaper-tuple tofino tna 0 -DBANKS=2 -DLIMITS=175000 -DFIVE_TUPLE
  compile_tna_program $shaper tofino-meters-tuple tofino tna 0 -DLIMITS=175000 -DFIVE_TUPLE -DMETERS
  replace "$work"/out/*
}

case $#:${1:-} in
  0:) compile_v1model ;;
  1:--tna) compile_tna ;;
  1:--model) compile_model ;;
  1:--stamp | 2:--stamp) sources_sha256 "${2:-v1model}" ;;
  *)
    echo "usage: p4/compile.sh [--tna | --model | --stamp [v1model|tna|tna/model]]" >&2
    exit 2
    ;;
esac
