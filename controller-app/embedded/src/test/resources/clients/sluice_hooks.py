"""What schemathesis is told of the API's media types, and that it is not to wait."""

import json

import schemathesis


@schemathesis.serializer("application/x-ndjson")
def lines(context, value):
    return value if isinstance(value, bytes) else str(value).encode()


@schemathesis.serializer("application/merge-patch+json")
def merge_patch(context, value):
    return json.dumps(value).encode()


@schemathesis.hook
def map_query(context, query):
    if query and "waitMillis" in query:
        query["waitMillis"] = 0
    return query
