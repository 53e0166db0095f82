/** Version of the engine: changes whenever rates do. Part of every index and audit row. */
export const engineVersion = 'names-10';
