/** Facts about containers and files beside signatures, for the command line. */
export { givenContainer } from '../app/documents/container/input.ts';
export { uncoveredFiles } from '../app/documents/detached-files.ts';
export { entryNameFault, foreignNameFault, readZip } from '../formats/zip/index.ts';
