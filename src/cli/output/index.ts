/** Streams, manners and text for terminals. */
export { helpWidth, layTable, wrapText } from './layout.ts';
export {
  byteCount,
  commonName,
  counted,
  printable,
  shellWord,
  shortTime,
  shownName,
  terminalText,
  wholeSecond,
} from './printable.ts';
export { hasColour, loadStyle, type Style } from './style.ts';
export { type Manner, openTalk, type Talk } from './talk.ts';
