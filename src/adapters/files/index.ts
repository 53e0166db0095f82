/** Documents in files. */
export { type FileSource, fileSource } from './file-source.ts';
export { makeFolders } from './make-folders.ts';
