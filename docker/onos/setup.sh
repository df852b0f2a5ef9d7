#!/bin/sh
# Installs Sluice in ONOS, tells ONOS of the switch and Sluice that it is its switch.
set -eu

onos() { curl -fsS -u "$ONOS_USER" -o /dev/null "$@"; }

# Does something again and again, for two minutes at most.
until_done() {
  left=60
  until "$@" 2>/dev/null; do
    left=$((left - 1))
    if [ "$left" -eq 0 ]; then
      echo "setup: does not succeed: $*" >&2
      "$@"
      exit 1
    fi
    sleep 2
  done
}

# Activating brings in what the application requires.
onos -X POST -H 'Content-Type: application/octet-stream' \
  --data-binary @/setup/sluice.oar "$ONOS/applications?activate=true"

# ONOS calls an application active whose bundle has not resolved: what counts is whether it answers.
api=${ONOS%/v1}/sluice/v1
until_done onos "$api/status"

onos -X POST -H 'Content-Type: application/json' \
  --data-binary @/setup/netcfg.json "$ONOS/network/configuration"

# Ports 1 and 2 towards subscribers and core are what Sluice takes a switch to have by default.
until_done onos -X POST -H 'Content-Type: application/json' \
  -d '{"device": "device:s1", "profile": "stratum-bmv2"}' \
  "$ONOS/configuration/net.sluice.onos.SluiceManager"
until_done onos "$api/status"
echo "setup: Sluice answers at $api"
