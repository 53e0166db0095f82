/** What a face needs to know of containers and of files beside signatures. */
export { givenContainer } from '../app/documents/container/input.ts';
export { uncoveredFiles } from '../app/documents/detached-files.ts';
export { entryNameFault, foreignNameFault, readZip } from '../formats/zip/index.ts';
