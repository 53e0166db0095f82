/** Contents of documents in a folder. */
export { openContentsFolder } from './contents-folder.ts';
export { openFileBlobs } from './file-blobs.ts';
export { type KeptContentsOptions, keepContents } from './kept-contents.ts';
export { probeFolder } from './probe-folder.ts';
