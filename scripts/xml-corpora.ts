/**
 * Compares our XML parser and canonical forms with libxml2 on all XML files of a folder.
 *
 *     node scripts/run-ts.mjs scripts/xml-corpora.ts DIR
 *
 * Prints the number of comparisons and each known kind of difference with its files. Exit code 1 for
 * an unknown difference, 2 for invalid arguments.
 */
import { compareCorpus } from './xml-fuzz/corpus.ts';

const SHOWN_CHARACTERS = 300;

const [folder, ...more] = process.argv.slice(2);
if (folder === undefined || more.length > 0) {
  console.error('usage: node scripts/run-ts.mjs scripts/xml-corpora.ts DIR');
  process.exitCode = 2;
} else {
  const effort = { mostSubtrees: 25, mostElements: 200_000 };
  const { tally, explained, unexplained } = compareCorpus(folder, effort);
  for (const { file, difference } of unexplained) {
    console.log(`UNKNOWN ${file}: ${difference.what}`);
    console.log(`  ours    ${JSON.stringify(difference.ours.slice(0, SHOWN_CHARACTERS))}`);
    console.log(`  libxml2 ${JSON.stringify(difference.theirs.slice(0, SHOWN_CHARACTERS))}`);
  }
  console.log({ ...tally, unexplained: unexplained.length });
  for (const [because, files] of explained) {
    console.log(`${files.length} × ${because}: ${[...new Set(files)].join(', ')}`);
  }
  process.exitCode = unexplained.length > 0 ? 1 : 0;
}
