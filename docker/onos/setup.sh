#!/bin/sh
# Installs Sluice in ONOS, tells ONOS of the switch, and waits until Sluice answers.
set -eu

onos() { curl -fsS -u "$ONOS_USER" "$@"; }

# Activating brings in what the application requires.
onos -o /dev/null -X POST -H 'Content-Type: application/octet-stream' \
  --data-binary @/setup/sluice.oar "$ONOS/applications?activate=true"
onos -o /dev/null -X POST -H 'Content-Type: application/json' \
  --data-binary @/setup/netcfg.json "$ONOS/network/configuration"

# ONOS calls an application active whose bundle has not resolved: what counts is whether it answers.
api=${ONOS%/v1}/sluice/v1
left=60
until onos -o /dev/null "$api/status" 2>/dev/null; do
  left=$((left - 1))
  if [ "$left" -eq 0 ]; then
    echo "setup: $api/status does not answer" >&2
    exit 1
  fi
  sleep 2
done
echo "setup: Sluice answers at $api"
