#!/bin/sh
# Puts an archive in the place of the one that the instances of a cluster have, whatever its version.
#
# upgrade.sh ARCHIVE HOST[:PORT]...
#
# HOST[:PORT]   REST address of each instance of the cluster, port 8181 unless said otherwise
# ONOS_WEB_USER, ONOS_WEB_PASS   the login, onos and rocks unless said otherwise
#
# ONOS says that an application is uninstalled before its files are gone, on each instance at its own pace. Installed before
# that, the archive is refused with 409, or an instance hands the files of the old version to another one. So all are waited for.
set -eu

app=net.sluice
[ $# -ge 2 ] && [ -f "$1" ] || {
  echo "usage: $0 ARCHIVE HOST[:PORT]...    with every instance of the cluster" >&2
  exit 2
}
archive=$1
shift

fail() {
  echo "$0: $*" >&2
  exit 1
}

url() {
  case $1 in
    *:*) echo "http://$1/onos" ;;
    *) echo "http://$1:8181/onos" ;;
  esac
}

ask() {
  curl -sS -m 60 -u "${ONOS_WEB_USER:-onos}:${ONOS_WEB_PASS:-rocks}" "$@"
}

# Status of an answer; 000 without one.
status() {
  ask -o /dev/null -w '%{http_code}' "$@" || true
}

# Waits until the answer of an address is one of those wanted, or none of those if they begin with "!".
await() {
  left=180
  while :; do
    got=$(status "$1")
    case "$2:$got" in
      !*:000) ;;
      !*) case " ${2#!} " in *" $got "*) ;; *) return ;; esac ;;
      *) case " $2 " in *" $got "*) return ;; esac ;;
    esac
    left=$((left - 1))
    [ $left -gt 0 ] || fail "$3; $1 answers $got"
    sleep 1
  done
}

for instance in "$@"; do
  [ "$(status "$(url "$instance")/v1/applications")" = 200 ] ||
    fail "$instance does not answer as an instance of ONOS; nothing has been changed"
done
# ACTIVE is an instance that takes part in the cluster. Some never become READY: what would say so of them has not started.
there=$(ask "$(url "$1")/v1/cluster" | grep -oE '"status":"(READY|ACTIVE)"' | wc -l)
[ "$there" -eq $# ] ||
  fail "$# instances are named, and $there are in the cluster; allowed: each of those; nothing has been changed"

got=$(status -X DELETE "$(url "$1")/v1/applications/$app")
[ "$got" = 204 ] || fail "the application is not uninstalled: $1 answers $got"
for instance in "$@"; do
  await "$(url "$instance")/v1/applications/$app/bits" '!200' "$instance still has the files of the old version"
done
got=$(status -X POST -H 'Content-Type: application/octet-stream' --data-binary "@$archive" \
  "$(url "$1")/v1/applications?activate=true")
[ "$got" = 200 ] || fail "the archive is not installed: $1 answers $got; the old version is gone"
for instance in "$@"; do
  await "$(url "$instance")/sluice/v1/status" '200 503' "the application does not start on $instance"
  echo "$instance runs $archive"
done
