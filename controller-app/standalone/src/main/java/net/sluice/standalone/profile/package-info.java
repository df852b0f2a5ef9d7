/** The commands that show target profiles and what is generated from them. */
package net.sluice.standalone.profile;
