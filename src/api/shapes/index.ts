/** Values of the use cases in the names of the API, and back. */

export * from './login.ts';
export * from './process.ts';
