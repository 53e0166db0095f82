/** Documents in files, for the faces that read and write them. */
export { type FileSource, fileSource } from '../adapters/files/index.ts';
