/** Properties of containers, CMS files and detached files, for the command line. */
export { isAugmentedCms } from '../app/documents/cms/is-augmented-cms.ts';
export { givenContainer } from '../app/documents/container/input.ts';
export { uncoveredFiles } from '../app/documents/detached-files.ts';
export { entryNameFault, foreignNameFault, readZip } from '../formats/zip/index.ts';
