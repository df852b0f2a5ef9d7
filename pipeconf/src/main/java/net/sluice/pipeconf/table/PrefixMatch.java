package net.sluice.pipeconf.table;

import net.sluice.intents.model.IpPrefix;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/** The only field of a table's match: a prefix, in the way that the table can say it. */
interface PrefixMatch {
  /** Adds the match on a prefix. */
  void match(IpPrefix prefix, TableEntry.Builder into);

  /** The prefix that an entry matches. */
  IpPrefix read(TableEntry entry);
}
