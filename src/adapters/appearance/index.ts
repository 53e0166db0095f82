/** Font files for visible seals. */
export { readStampFonts } from './font-files.ts';
