/** JSON that is written as it is wanted. */
package net.sluice.northbound.json;
