/** Document files and their folders. */
export { SMALL_BYTES, syncFolder, writeAtomically, writeNewFile } from './atomic-write.ts';
export { type ClosedFolder, closeFolder, findOpenFolders, type OpenEntry } from './close-folder.ts';
export { type FileSource, fileSource } from './file-source.ts';
export {
  type FolderMark,
  type FolderRequest,
  type HeldFolder,
  holdFolder,
  markFolder,
} from './held-folder.ts';
export {
  type FileObject,
  foundInstead,
  openNamed,
  pipeChunks,
  readNamed,
  readNamedNow,
  readPipe,
} from './named-file.ts';
export {
  createAnew,
  createFile,
  type FilePlace,
  fillFile,
  giveName,
  makeFolders,
  openFound,
  openPlace,
  openPlaced,
  readFound,
  statPlaced,
} from './own-files.ts';
