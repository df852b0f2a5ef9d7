/**
 * Declarations as records of described fields: {@link net.sluice.core.declaration.Bodies} has them
 * as the API does. JSON, the document of the API and the store's records follow from {@link
 * net.sluice.core.declaration.Shape}.
 */
package net.sluice.core.declaration;
