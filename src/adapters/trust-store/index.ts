/** Trust profiles and their lists in the data directory. */
export { folderTrustStore } from './folder-trust-store.ts';
