// The first file of the thread of `text-process.mjs` that reads the text of one document.
import { textThread } from '../dist/texts/text-thread.mjs';

await textThread(async () => {
  const library = await import('../dist/reader/pdf.min.mjs');
  // The other half of pdf.js: found by a global name, it starts no thread.
  await import('../dist/reader/pdf.worker.min.mjs');
  return library;
});
