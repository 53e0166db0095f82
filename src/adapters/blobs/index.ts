/** Contents of documents in a folder. */
export { openFileBlobs } from './file-blobs.ts';
