/** The proof of who calls the API: tokens, certificates, and what becomes of wrong ones. */
package net.sluice.standalone.guard;
