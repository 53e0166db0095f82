/** Routes that the reader of the signing page requests: its files, the document, the text. */
export { registerReaderFiles } from './reader-files.ts';
export { registerShownDocument } from './shown-document.ts';
export { presentText, registerShownText, textAddress, textFault } from './shown-text.ts';
