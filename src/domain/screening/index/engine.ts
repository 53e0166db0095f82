/** Changes with everything that changes rates; it stands in every index and audit row. */
export const engineVersion = 'names-10';
