"""Writes a JSON file anew without blanks: what is short on one line, what is longer an element a line, so that changes can still be read."""

import json
import sys

LONGEST_LINE = 200


def text(value):
    short = json.dumps(value, separators=(",", ":"))
    if len(short) <= LONGEST_LINE or not isinstance(value, (dict, list)):
        return short
    if isinstance(value, dict):
        return "{\n" + ",\n".join(json.dumps(key) + ":" + text(each) for key, each in value.items()) + "\n}"
    return "[\n" + ",\n".join(text(each) for each in value) + "\n]"


with open(sys.argv[1], encoding="utf-8") as file:
    content = json.load(file)
with open(sys.argv[1], "w", encoding="utf-8") as file:
    file.write(text(content) + "\n")
