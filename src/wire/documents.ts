/** Documents in files, for the faces that read and write them. */
export { type FileSource, fileSource, makeFolders } from '../adapters/files/index.ts';
