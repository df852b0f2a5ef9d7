/** The answers of the API: declarations, plans and status as JSON. */
package net.sluice.rest.answer;
