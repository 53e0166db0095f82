/** Blob store in a folder. */
export { openContentsFolder } from './contents-folder.ts';
export { probeFolder } from './durable-files.ts';
export { openFileBlobs } from './file-blobs.ts';
export { type BlobCacheOptions, cacheBlobs } from './kept-contents.ts';
