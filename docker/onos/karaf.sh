#!/bin/sh
# Puts Karaf 4.3.7 into a stock ONOS 2.7.0, in place of its Karaf 4.2, which does not start on Java 17.
# Usage: karaf.sh ONOS KARAF, with ONOS's directory and the target directory of karaf/pom.xml.
set -eu

onos=$1
karaf=$2
old=$(echo "$onos"/apache-karaf-4.2.*)
new=$onos/apache-karaf-4.3.7

if [ ! -d "$old" ]; then
  echo "karaf.sh: $onos has no Karaf 4.2" >&2
  exit 2
fi
cp -r "$karaf/apache-karaf-4.3.7" "$new"
cp -rn "$karaf/assembly/system/." "$new/system/"

# ONOS's bundles and what they need; what there is of both versions of Karaf lies side by side.
cp -rn "$old/system/." "$new/system/"
cp "$old/lib/onos-tools-package-branding.jar" "$new/lib/"

# ONOS's configuration, but for what names the bundles that Karaf itself starts with.
for file in keys.properties users.properties shell.init.script org.apache.karaf.command.acl.onos.cfg \
  org.apache.karaf.kar.cfg org.apache.karaf.log.cfg org.apache.felix.fileinstall-deploy.cfg org.ops4j.pax.url.mvn.cfg \
  org.ops4j.pax.web.cfg; do
  cp "$old/etc/$file" "$new/etc/"
done
sed -e '/features\/enterprise\//d' -e '/features\/spring\//d' -e 's/4\.2\.[0-9][0-9]*/4.3.7/g' \
  -e 's|wrap/[0-9.]*|wrap/2.6.10|' "$old/etc/org.apache.karaf.features.cfg" > "$new/etc/org.apache.karaf.features.cfg"

# A features file of ONOS's that names the old Karaf's would bring bundles back that cannot read classes of Java 17.
find "$new/system/org/onosproject" -name '*-features.xml' -exec \
  sed -i 's|\(org\.apache\.karaf\.features/[a-z]*\)/4\.2\.[0-9]*|\1/4.3.7|' {} +

sed -i 's/apache-karaf-4\.2\.[0-9][0-9]*/apache-karaf-4.3.7/g' "$onos/bin/onos" "$onos/bin/onos-service"
rm -r "$old"
