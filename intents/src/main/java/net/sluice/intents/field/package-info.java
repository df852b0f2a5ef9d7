/**
 * Descriptions of fields on the components of records: how the API, its document and the store have
 * them. A component is described once, and all three follow from that.
 */
package net.sluice.intents.field;
