package net.sluice.emulator.server.p4runtime.program;

import java.util.Map;
import net.sluice.emulator.server.p4runtime.entity.EntityKind;
import p4.v1.P4RuntimeOuterClass.Entity.EntityCase;

/** A server's refusals of entities, and the size of its answers. */
public interface EntityRules {
  /** Those of a server that refuses what the specification lets it refuse. */
  EntityRules SPECIFIED =
      new EntityRules() {
        @Override
        public Map<EntityCase, EntityKind> strict(
            Map<EntityCase, EntityKind> kinds, Binding binding) {
          return kinds;
        }

        @Override
        public int chunk() {
          return 512;
        }
      };

  /** The kinds of entities with what the server refuses. */
  Map<EntityCase, EntityKind> strict(Map<EntityCase, EntityKind> kinds, Binding binding);

  /** Entities per message of a read's answer; {@link Integer#MAX_VALUE} for one message a query. */
  int chunk();
}
