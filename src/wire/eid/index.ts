/** e-ID providers of a configuration. */
export { readEidFile } from './eid-file.ts';
export { openProviders } from './open-providers.ts';
