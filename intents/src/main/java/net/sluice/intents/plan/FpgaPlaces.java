package net.sluice.intents.plan;

import net.sluice.intents.model.Attachment;
import net.sluice.intents.plan.FpgaSetting.BucketSize;
import net.sluice.intents.plan.FpgaSetting.ClassShares;
import net.sluice.intents.plan.FpgaSetting.CustomerBurst;
import net.sluice.intents.plan.FpgaSetting.CustomerCodel;
import net.sluice.intents.plan.FpgaSetting.CustomerDepth;
import net.sluice.intents.plan.FpgaSetting.QueueDepth;
import net.sluice.intents.plan.FpgaSetting.RateWord;
import net.sluice.intents.plan.FpgaSetting.StoreWord;

/** Numbers the settings of an FPGA, see {@link FpgaSetting#place}. */
final class FpgaPlaces {
  private static final int TREES = QueueId.treeIndex(Attachment.MAX_PORT, Attachment.MAX_TREE) + 1;
  private static final int CUSTOMERS = TREES * QueueId.CUSTOMERS;
  private static final int BUCKET_SIZES = CUSTOMERS + TREES + Attachment.MAX_PORT + 1;
  private static final int QUEUE_DEPTHS = BUCKET_SIZES + FpgaLevel.values().length;
  private static final int STORE = QUEUE_DEPTHS + QueueId.CLASSES;
  private static final int CLASS_SHARES = STORE + 4;
  private static final int CUSTOMER_BURSTS = CLASS_SHARES + CUSTOMERS;
  private static final int CUSTOMER_CODEL = CUSTOMER_BURSTS + CUSTOMERS;
  private static final int CUSTOMER_DEPTHS = CUSTOMER_CODEL + CUSTOMERS;

  /** Number of places. */
  static final int END = CUSTOMER_DEPTHS + CUSTOMERS;

  private FpgaPlaces() {}

  static int of(FpgaSetting setting) {
    if (setting instanceof RateWord s) {
      return switch (s.level()) {
        case CUSTOMER -> s.index();
        case TREE -> CUSTOMERS + s.index();
        case PORT -> CUSTOMERS + TREES + s.index();
      };
    } else if (setting instanceof ClassShares s) {
      return CLASS_SHARES + s.customer();
    } else if (setting instanceof CustomerBurst s) {
      return CUSTOMER_BURSTS + s.customer();
    } else if (setting instanceof BucketSize s) {
      return BUCKET_SIZES + s.level().ordinal();
    } else if (setting instanceof StoreWord s) {
      return STORE + s.index();
    } else if (setting instanceof CustomerCodel s) {
      return CUSTOMER_CODEL + s.customer();
    } else if (setting instanceof CustomerDepth s) {
      return CUSTOMER_DEPTHS + s.customer();
    }
    return QUEUE_DEPTHS + ((QueueDepth) setting).queueClass();
  }
}
