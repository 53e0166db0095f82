/** Documents in files, and folders for them. */
export { type ClosedFolder, closeFolder, findOpenFolders, type OpenEntry } from './close-folder.ts';
export { type FileSource, fileSource } from './file-source.ts';
export { makeFolders } from './make-folders.ts';
