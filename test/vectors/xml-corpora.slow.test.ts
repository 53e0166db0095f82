import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compareCorpus } from '../../scripts/xml-fuzz/corpus.ts';

const corpora = join(import.meta.dirname, '../../../shared/corpora');
const isAbsent = !existsSync(corpora);
const note = isAbsent ? ' (skipped: ../shared/corpora is absent)' : '';

/**
 * The full run takes minutes: `node scripts/run-ts.mjs scripts/xml-corpora.ts ../shared/corpora`.
 */
const effort = { mostSubtrees: 3, mostElements: 3_000 };

/**
 * Permitted differences from libxml2; other differences known to the fuzz test must not occur here.
 */
const expected = new Set([
  'we refuse document type declarations',
  'we refuse encodings other than UTF-8',
  'libxml2 gives no form when a relative namespace URI stands anywhere, left out or not',
]);

describe.skipIf(isAbsent)(`real XML files compared with libxml2${note}`, () => {
  it.each([
    ['dss-xades', 10],
    ['einvoice-en16931', 30],
    ['mitid', 1],
    ['pyhanko', 10],
    ['santuario', 100],
    ['xml-crypto', 20],
    ['xmlsec', 30],
  ])(
    '%s: same verdicts and the same canonical bytes',
    (name, least) => {
      const { tally, explained, unexplained } = compareCorpus(join(corpora, name), effort);
      console.log(name, JSON.stringify(tally));
      expect(unexplained).toEqual([]);
      expect([...explained.keys()].filter((because) => !expected.has(because))).toEqual([]);
      expect(tally.both).toBeGreaterThanOrEqual(least);
      expect(tally.forms).toBeGreaterThan(tally.both * 6);
    },
    60_000,
  );
});
