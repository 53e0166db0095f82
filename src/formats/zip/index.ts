/** ZIP archives: a strict reader, a writer, and updates that keep the data of other entries. */
export { entryNameFault, foreignNameFault } from './entry-names.ts';
export {
  looksLikeZip,
  readZip,
  type ZipArchive,
  type ZipEntry,
  type ZipMethod,
} from './read-zip.ts';
export { updateZip } from './update-zip.ts';
export { writeZip, type ZipFile } from './write-zip.ts';
