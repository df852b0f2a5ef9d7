"""finsy in a role that has a part of the program 'entities'. Arguments: address, P4Info, device config."""
import asyncio
import pathlib
import sys

import finsy as fy
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

address, p4info, config = sys.argv[1:4]


def role_config_class():
    """Stratum's message, of which only some fields are wanted."""
    file = descriptor_pb2.FileDescriptorProto(name="p4_role_config.proto", package="stratum", syntax="proto3")
    message = file.message_type.add(name="P4RoleConfig")
    for number, name, label, kind in (
        (1, "exclusive_p4_ids", descriptor_pb2.FieldDescriptorProto.LABEL_REPEATED, descriptor_pb2.FieldDescriptorProto.TYPE_UINT32),
        (5, "can_push_pipeline", descriptor_pb2.FieldDescriptorProto.LABEL_OPTIONAL, descriptor_pb2.FieldDescriptorProto.TYPE_BOOL),
    ):
        message.field.add(name=name, number=number, label=label, type=kind)
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("stratum.P4RoleConfig"))


def check(what, actual, expected):
    if actual != expected:
        sys.exit("%s: expected %r, got %r" % (what, expected, actual))
    print("ok:", what)


async def main():
    schema = fy.P4Schema(pathlib.Path(p4info))
    role = role_config_class()(exclusive_p4_ids=[schema.tables["exact_table"].id], can_push_pipeline=True)
    options = fy.SwitchOptions(
        p4info=pathlib.Path(p4info),
        p4blob=pathlib.Path(config),
        device_id=5,
        initial_election_id=20,
        role_name="keys",
        role_config=role,
    )
    async with fy.Switch("one", address, options) as switch:
        check("primary in a role", (switch.is_primary, switch.role_name), (True, "keys"))
        await switch.insert(
            [
                fy.P4TableEntry(
                    "exact_table",
                    match=fy.P4TableMatch({"hdr.probe.small": 7, "hdr.probe.medium": 1}),
                    action=fy.P4TableAction("answer", value=42),
                )
            ]
        )
        # The program begins with entries of other tables, which are none of this role's.
        check("what the role reads", [e.table_id async for e in switch.read(fy.P4TableEntry())], ["exact_table"])
        try:
            await switch.insert(
                [
                    fy.P4TableEntry(
                        "options",
                        match=fy.P4TableMatch({"hdr.probe.small": 8}),
                        action=fy.P4TableAction("answer", value=1),
                        priority=4,
                    )
                ]
            )
            sys.exit("an entry of another role's table was taken")
        except fy.P4ClientError as refusal:
            check("refusal", "the role has no access to id" in str(refusal), True)
    print("done")


asyncio.run(main())
