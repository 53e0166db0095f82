/** Electronic identities: a folder for each scheme, and the simulator of them all. */
export * from './simulator/index.ts';
