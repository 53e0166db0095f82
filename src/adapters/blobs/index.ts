/** Blob store in a folder. */

export { type BlobCacheOptions, cacheBlobs } from './cached-blobs.ts';
export { openContentsFolder } from './contents-folder.ts';
export { probeFolder } from './durable-files.ts';
export { openFileBlobs } from './file-blobs.ts';
