/** Reasons to refuse a declaration, and the checks that need nothing but the declaration. */
package net.sluice.intents.validate;
