"""What stratum_bmv2 takes: its flags, its chassis configuration, and what it asks of both."""

import re

BOOL, INT32, UINT32, STRING = "bool", "int32", "uint32", "string"

# name: (type, default), as Stratum's sources define them.
FLAGS = {
    "initial_pipeline": (STRING, "/etc/stratum/dummy.json"),
    "device_id": (UINT32, 1),
    "cpu_port": (UINT32, 64),
    "console_logging": (BOOL, True),
    "bmv2_log_level": (STRING, "info"),
    "external_stratum_urls": (STRING, "0.0.0.0:9339,0.0.0.0:9559"),
    "local_stratum_url": (STRING, "localhost:9559"),
    "warmboot": (BOOL, False),
    "persistent_config_dir": (STRING, "/etc/stratum/"),
    "grpc_keepalive_time_ms": (INT32, 600000),
    "grpc_keepalive_timeout_ms": (INT32, 20000),
    "grpc_keepalive_min_ping_interval": (INT32, 10000),
    "grpc_keepalive_permit": (INT32, 1),
    "grpc_max_recv_msg_size": (UINT32, 256 * 1024 * 1024),
    "grpc_max_send_msg_size": (UINT32, 0),
    "chassis_config_file": (STRING, ""),
    "gnmi_capabilities_file": (STRING, "/etc/stratum/gnmi_caps.pb.txt"),
    "forwarding_pipeline_configs_file": (STRING, "/etc/stratum/pipeline_cfg.pb.txt"),
    "write_req_log_file": (STRING, "/var/log/stratum/p4_writes.pb.txt"),
    "read_req_log_file": (STRING, "/var/log/stratum/p4_reads.pb.txt"),
    "max_num_controllers_per_node": (INT32, 5),
    "max_num_controller_connections": (INT32, 20),
    "max_num_errors_to_track": (INT32, 10),
    "auth_policy_file_path": (STRING, ""),
    "membership_info_file_path": (STRING, ""),
    "enable_authorization": (BOOL, False),
    "file_change_poll_timeout_ms": (INT32, 100),
    "ca_cert_file": (STRING, ""),
    "server_key_file": (STRING, ""),
    "server_cert_file": (STRING, ""),
    "client_key_file": (STRING, ""),
    "client_cert_file": (STRING, ""),
    "phal_config_file": (STRING, ""),
    "logtostderr": (BOOL, False),
    "logtosyslog": (BOOL, False),
    "alsologtostderr": (BOOL, False),
    "stderrthreshold": (INT32, 2),
    "minloglevel": (INT32, 0),
    "v": (INT32, 0),
    "colorlogtostderr": (BOOL, False),
}
LOG_LEVELS = ("trace", "debug", "info", "warn", "error", "off")

# message: {field: type}; of common.proto what a soft switch's configuration can have.
UINT64, MESSAGE_TEXT = "uint64", "string"
SCHEMA = {
    "ChassisConfig": {
        "description": MESSAGE_TEXT,
        "chassis": "Chassis",
        "nodes": "Node",
        "singleton_ports": "SingletonPort",
    },
    "Chassis": {"platform": "Platform", "name": MESSAGE_TEXT},
    "Node": {"id": UINT64, "name": MESSAGE_TEXT, "slot": INT32, "index": INT32},
    "SingletonPort": {
        "id": UINT32,
        "name": MESSAGE_TEXT,
        "slot": INT32,
        "port": INT32,
        "channel": INT32,
        "speed_bps": UINT64,
        "config_params": "PortConfigParams",
        "node": UINT64,
    },
    "PortConfigParams": {"admin_state": "AdminState", "mtu": INT32},
}
REPEATED = {"nodes", "singleton_ports"}
ENUMS = {
    "Platform": {"PLT_UNKNOWN", "PLT_P4_SOFT_SWITCH"},
    "AdminState": {
        "ADMIN_STATE_UNKNOWN",
        "ADMIN_STATE_ENABLED",
        "ADMIN_STATE_DISABLED",
        "ADMIN_STATE_DIAG",
    },
}
_RANGES = {INT32: (-(2**31), 2**31 - 1), UINT32: (0, 2**32 - 1), UINT64: (0, 2**64 - 1)}
_TOKEN = re.compile(r'\s*(?:#[^\n]*\n\s*)*("(?:[^"\\\n]|\\.)*"|[A-Za-z_][A-Za-z0-9_]*|-?\d+|[{}:])')


class Complaint(Exception):
    """Stratum would not start with this."""


def flags(arguments):
    """The flags of a command line, read as gflags does: {name: value}, defaults included."""
    values = {name: default for name, (_, default) in FLAGS.items()}
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        matched = re.fullmatch(r"--?([A-Za-z0-9_]+)(?:=(.*))?", word, re.DOTALL)
        if not matched:
            raise Complaint("ignoring extraneous non-option argument: " + word)
        name, text = matched.groups()
        if name not in FLAGS:
            raise Complaint("unknown command line flag '%s'" % name)
        kind = FLAGS[name][0]
        if text is None and kind != BOOL:
            if not rest:
                raise Complaint("flag '%s' is missing its argument" % name)
            text = rest.pop(0)
        values[name] = _value(name, kind, text)
    if values["bmv2_log_level"] not in LOG_LEVELS:
        raise Complaint("invalid value %s for -bmv2_log_level" % values["bmv2_log_level"])
    urls = [url for url in values["external_stratum_urls"].split(",") if url]
    if not urls:
        raise Complaint("no external URL was given")
    if values["local_stratum_url"] in urls:
        raise Complaint("the local URL is among the external URLs")
    if not values["persistent_config_dir"]:
        raise Complaint("persistent_config_dir flag needs to be explicitly given")
    return values


def _value(name, kind, text):
    if kind == STRING:
        return text
    if kind == BOOL:
        if text in (None, "true", "1", "t", "yes", "y"):
            return True
        if text in ("false", "0", "f", "no", "n"):
            return False
    elif re.fullmatch(r"-?\d+", text):
        low, high = _RANGES[kind]
        if low <= int(text) <= high:
            return int(text)
    raise Complaint("illegal value '%s' specified for %s flag '%s'" % (text, kind, name))


def message(text, kind="ChassisConfig"):
    """A message in protobuf's text format, as far as such configurations use it."""
    tokens, position = [], 0
    while text[position:].strip():
        matched = _TOKEN.match(text, position)
        if not matched:
            raise Complaint("cannot read %r" % text[position:].strip()[:20])
        tokens.append(matched.group(1))
        position = matched.end()
    found = _fields(tokens, kind)
    if tokens:
        raise Complaint("unexpected '%s'" % tokens[0])
    return found


def _fields(tokens, kind):
    found = {}
    while tokens and tokens[0] != "}":
        name = tokens.pop(0)
        if name not in SCHEMA[kind]:
            raise Complaint("message type \"%s\" has no field named \"%s\"" % (kind, name))
        if name in found and name not in REPEATED:
            raise Complaint("non-repeated field \"%s\" is specified multiple times" % name)
        value = _field(tokens, name, SCHEMA[kind][name])
        if name in REPEATED:
            found.setdefault(name, []).append(value)
        else:
            found[name] = value
    return found


def _field(tokens, name, kind):
    colon = tokens[:1] == [":"]
    if colon:
        tokens.pop(0)
    if kind in SCHEMA:
        if tokens[:1] != ["{"]:
            raise Complaint("expected '{' after " + name)
        tokens.pop(0)
        inner = _fields(tokens, kind)
        if tokens[:1] != ["}"]:
            raise Complaint("expected '}' at the end of " + name)
        tokens.pop(0)
        return inner
    if not colon or not tokens:
        raise Complaint("expected ':' and a value after " + name)
    token = tokens.pop(0)
    if kind == MESSAGE_TEXT and token.startswith('"'):
        return token[1:-1]
    if kind in ENUMS and token in ENUMS[kind]:
        return token
    if kind in _RANGES and re.fullmatch(r"-?\d+", token):
        low, high = _RANGES[kind]
        if low <= int(token) <= high:
            return int(token)
    raise Complaint("%s is no value of %s" % (token, name))


def chassis(given):
    """(node id, [(port id, interface)]) of a configuration that bmv2 can be run with."""
    with open(given["chassis_config_file"], encoding="utf-8") as text:
        config = message(text.read())
    if config.get("chassis", {}).get("platform") != "PLT_P4_SOFT_SWITCH":
        raise Complaint("the platform is not PLT_P4_SOFT_SWITCH")
    nodes = config.get("nodes", [])
    if [node.get("id") for node in nodes] != [given["device_id"]]:
        raise Complaint("device / node id mismatch with bmv2 runner")
    ports = []
    for port in config.get("singleton_ports", []):
        if port.get("node") != given["device_id"]:
            raise Complaint("node %s is not known" % port.get("node"))
        if port.get("id", 0) in [number for number, _ in ports] + [given["cpu_port"]]:
            raise Complaint("port %s is there already" % port.get("id", 0))
        if port.get("config_params", {}).get("admin_state") == "ADMIN_STATE_ENABLED":
            # NAME, or ANYTHING@NAME
            ports.append((port.get("id", 0), port.get("name", "").rpartition("@")[2]))
    return given["device_id"], ports
