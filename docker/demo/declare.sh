#!/bin/sh
# Declares two policies and two subscribers over REST, and prints what the controller says of them.
set -eu

call() {
  method=$1 path=$2
  shift 2
  echo "$method $path $*"
  if [ -n "${SLUICE_USER:-}" ]; then set -- -u "$SLUICE_USER" "$@"; fi
  curl -fsS -X "$method" -H 'Content-Type: application/json' "$@" "$SLUICE_API$path"
  echo
}

call PUT '/policies/gold?waitMillis=60000' -d '{"throughputValue": {"builtIn": "gold"}}'
call PUT '/policies/silver?waitMillis=60000' -d '{"throughputValue": {"builtIn": "silver"}}'
call PUT '/subscribers/alice?waitMillis=60000' \
  -d '{"policy": "gold", "prefixes": ["10.0.0.1/32"], "attachment": {"port": 0, "tree": 0}}'
call PUT '/subscribers/bob?waitMillis=60000' \
  -d '{"policy": "silver", "prefixes": ["10.0.0.3/32"], "attachment": {"port": 0, "tree": 0}}'
call GET /subscribers/alice
call GET /subscribers/alice/counters
call GET /status
