// The first file of a process that `innsigli serve` starts to read the text of one document.
import { textProcess } from '../dist/texts/text-process.mjs';

textProcess(new URL('text-thread.mjs', import.meta.url));
