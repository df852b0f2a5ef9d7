"""What p4c's back end for Tofino says of a compiled program, as the lines of a sluice.fit file.

    fit_summary.py OUTPUT_DIRECTORY P4INFO INSTANCES COMPILER

INSTANCES is 0 for a program without markers, which then tells its limits a pipe.

Reads the compiler's resources.json (memory of every stage) and context.json (tables and their places).
"""

import json
import pathlib
import re
import sys

STAGES = {"tofino": 12, "tofino2": 20}


def find(root, name):
    found = sorted(root.rglob(name))
    if not found:
        sys.exit(f"fit_summary.py: the compiler wrote no {name}; it is written with -g")
    return json.loads(found[0].read_text())


def used(elements):
    return sum(1 for element in elements if element.get("usages"))


def line(number, sram, map_ram, tcam, meter_alu):
    return f"{number} sram={sram} map-ram={map_ram} tcam={tcam} meter-alu={meter_alu}"


def places(table):
    stages = table["match_attributes"].get("stage_tables", [])
    return [stage for stage in stages if stage["stage_number"] >= 0]


def main():
    root = pathlib.Path(sys.argv[1])
    # P4Info names the pipe first, the compiler's own files do not.
    info = pathlib.Path(sys.argv[2]).read_text()
    named = {name.removeprefix("pipe.") for name in re.findall(r'^tables \{\n  preamble \{\n    id: \d+\n    name: "([^"]+)"', info, re.M)}
    instances = int(sys.argv[3])
    context = find(root, "context.json")
    target = context["target"]
    stages = {
        int(stage["stage_number"]): stage
        for stage in find(root, "resources.json")["resources"]["mau"]["mau_stages"]
    }
    if max(stages) >= STAGES[target]:
        sys.exit(f"fit_summary.py: {max(stages) + 1} stages are needed, {target} has {STAGES[target]}")
    matches = [table for table in context["tables"] if table["table_type"] == "match" and places(table)]
    subscribers = sum(table["size"] for table in matches if table["name"].endswith(".SubscriberRate4"))
    print(f"target = {target}")
    print(f"compiler = {sys.argv[4]}")
    if instances:
        print(f"marker.instances = {instances}")
        print(f"marker.instance-subscribers = {subscribers // instances}")
    else:
        print(f"limits = {sum(table['size'] for table in matches if table['name'].endswith('.RateLimiter'))}")
    for pipeline in ("ingress", "egress"):
        held = {place["stage_number"] for table in matches if table["direction"] == pipeline for place in places(table)}
        print(f"stages.{pipeline} = {max(held, default=-1) + 1}")
    first = stages[0]
    print(
        "blocks = "
        + line(
            STAGES[target],
            first["rams"]["nRows"] * first["rams"]["nColumns"],
            first["map_rams"]["nRows"] * first["map_rams"]["nUnits"],
            first["tcams"]["nRows"] * first["tcams"]["nColumns"],
            first["meter_alus"]["nAlus"],
        )
    )
    for number in range(STAGES[target]):
        if number not in stages:
            print("stage = " + line(number, 0, 0, 0, 0))
            continue
        stage = stages[number]
        print(
            "stage = "
            + line(
                number,
                used(stage["rams"]["srams"]),
                used(stage["map_rams"]["maprams"]),
                used(stage["tcams"]["tcams"]),
                used(stage["meter_alus"]["meters"]),
            )
        )
    for table in matches:
        if table["name"] in named:
            held = sorted({place["stage_number"] for place in places(table)})
            allocated = sum(place["size"] for place in places(table))
            print(
                f"table = {table['name']} pipeline={table['direction']} stages={','.join(map(str, held))}"
                f" requested={table['size']} allocated={allocated}"
            )


main()
