/** Contents of documents in a folder. */
export { openFileBlobs } from './file-blobs.ts';
export { type KeptContentsOptions, keepContents } from './kept-contents.ts';
