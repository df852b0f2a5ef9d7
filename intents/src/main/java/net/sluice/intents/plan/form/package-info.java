/**
 * The form of an entry: its fields, each with its name, its value, whether it is part of the match,
 * and how people are told it. An entry declares its form once; its key, its key number, its line in
 * a plan and its encoding for a target follow from that.
 */
package net.sluice.intents.plan.form;
