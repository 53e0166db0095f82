import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isInnsigliError, type XmlSignatureReport } from '../../src/index.ts';
import { verifyDocument } from '../support/verify-document.ts';

const corpora = join(import.meta.dirname, '../../../shared/corpora');

/**
 * Signatures of each set: intact or not according to us, and the verdict of the other
 * implementation.
 */
const expected = {
  'dss-xades': {
    'intact, agrees': 9,
    'intact, none': 8,
    'broken, agrees': 2,
    'broken, disagrees': 1,
    'broken, none': 1,
  },
  xmlsec: {
    'intact, agrees': 6,
    'intact, none': 12,
    'broken, disagrees': 3,
    'broken, none': 21,
  },
  santuario: {
    'intact, agrees': 21,
    'intact, disagrees': 9,
    'intact, none': 32,
    'broken, disagrees': 19,
    'broken, none': 60,
  },
} as const;

test.each(Object.entries(expected))(
  'the second opinion on signatures of %s is as expected, and leaves the indication unchanged',
  async (name, counts) => {
    const root = join(corpora, name);
    if (!existsSync(root)) return console.warn(`SKIPPED: no ../shared/corpora/${name}`);
    const found: Record<string, number> = {};
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' });
    for (const file of files.filter((each) => each.endsWith('.xml'))) {
      const bytes = readFileSync(join(root, file));
      const [before, after] = [await signaturesOf(bytes, false), await signaturesOf(bytes, true)];
      for (const [index, each] of after.entries()) {
        const key = `${each.intact ? 'intact' : 'broken'}, ${opinionOf(each)}`;
        found[key] = (found[key] ?? 0) + 1;
        expect(each.indication).toBe(before[index]?.indication);
      }
    }
    expect(found).toEqual(counts);
  },
  120_000,
);

/** Without an anchor none passes, so no conclusion could be lowered. */
async function signaturesOf(
  bytes: Uint8Array,
  secondOpinion: boolean,
): Promise<readonly XmlSignatureReport[]> {
  try {
    const report = await verifyDocument(bytes, { secondOpinion });
    return report.format === 'xml' ? report.signatures : [];
  } catch (error) {
    if (!isInnsigliError(error)) throw error;
    return [];
  }
}

function opinionOf({ findings }: XmlSignatureReport): string | undefined {
  const prefix = 'signature.second-opinion.';
  const codes = findings.map(({ code }) => code).filter((code) => code.startsWith(prefix));
  expect(codes).toHaveLength(1);
  return codes[0]?.slice(prefix.length);
}
