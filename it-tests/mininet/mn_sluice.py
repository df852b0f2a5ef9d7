"""Switches and the topology for Mininet's own command:

    sudo mn --custom it-tests/mininet/mn_sluice.py --controller none --switch sluice --topo single,2
"""

import os
import sys

# mn runs this file's text, without its name.
for _each in (os.path.dirname(os.path.abspath(name)) for name in sys.argv[1:] if "mn_sluice" in name):
    sys.path.insert(0, _each)

from sluice_mininet.switches import SWITCHES  # pylint: disable=wrong-import-position

switches = SWITCHES
