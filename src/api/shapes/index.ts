/** Values of the use cases in the words of the interface, and back. */

export * from './login.ts';
export * from './process.ts';
