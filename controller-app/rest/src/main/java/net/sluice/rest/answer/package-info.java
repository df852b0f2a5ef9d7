/** What the API answers: declarations, plans and status as JSON. */
package net.sluice.rest.answer;
