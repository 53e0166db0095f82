/**
 * Compares our XML parser and canonical forms with libxml2 on generated and mutated documents.
 *
 *     node scripts/run-ts.mjs scripts/xml-fuzz.ts SEED COUNT
 *
 * Prints the number of comparisons and each known kind of difference. Exit code 1 for an unknown
 * difference, 2 for invalid arguments. The same seed generates the same documents.
 */
import { runFuzz } from './xml-fuzz/run.ts';

const SHOWN = 20;

const numbers = process.argv.slice(2).map(Number);
const [seed = Number.NaN, count = Number.NaN] = numbers;
if (numbers.length !== 2 || !numbers.every(Number.isSafeInteger)) {
  console.error('usage: node scripts/run-ts.mjs scripts/xml-fuzz.ts SEED COUNT');
  process.exitCode = 2;
} else {
  const { tally, explained, unexplained } = runFuzz(seed, count);
  for (const { document, difference } of unexplained.slice(0, SHOWN)) {
    console.log(`UNKNOWN ${difference.what}`);
    console.log(`  document ${JSON.stringify(Buffer.from(document).toString('utf8'))}`);
    console.log(`  ours     ${JSON.stringify(difference.ours)}`);
    console.log(`  libxml2  ${JSON.stringify(difference.theirs)}`);
  }
  console.log({ seed, ...tally, unexplained: unexplained.length });
  for (const [because, times] of explained) console.log(`${times} × ${because}`);
  process.exitCode = unexplained.length > 0 ? 1 : 0;
}
