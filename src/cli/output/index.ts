/** Streams, output modes and text for terminals. */

export { type Console, type OutputMode, openConsole } from './console.ts';
export { helpWidth, layTable, wrapText } from './layout.ts';
export {
  byteCount,
  counted,
  printable,
  shellWord,
  shortTime,
  shownName,
  terminalText,
  wholeSecond,
} from './printable.ts';
export { hasColour, loadStyle, type Style } from './style.ts';
