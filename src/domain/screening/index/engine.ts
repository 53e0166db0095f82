/**
 * Version of the engine: changes with everything that changes rates. Part of every index and audit
 * row.
 */
export const engineVersion = 'names-10';
