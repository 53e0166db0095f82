import { expect, test } from 'vitest';
import { verifyDocument } from '../../src/index.ts';
import { attacks } from './pdf-changes/attacks.table.ts';
import { inTurn, testAttacks, testControls, verifying } from './pdf-changes/cases.ts';
import { signedDocument } from './pdf-changes/documents.ts';

// Attacks after a signature, and updates that must pass: a fifth of all, with both forms of
// cross-reference data. pdf-changes.slow.test.ts runs each of them with every permission.
const oneOfFive: typeof inTurn = (all, index) => (index % 5 === 0 ? inTurn(all, index) : []);
testAttacks(oneOfFive);
testControls(oneOfFive);

const attackNamed = (group: string, name: string) => {
  const found = attacks[group]?.find((attack) => attack.name === name);
  if (found === undefined) throw new Error(`no attack ${name}`);
  return found;
};

test('a forgery is reported whatever else the conclusion is', async () => {
  const document = await signedDocument('table', 'none');
  const bytes = attackNamed('pages', 'a replaced content stream').make(document);
  for (const [options, subIndication] of [
    [{ ...verifying, at: new Date('2040-01-01T00:00:00Z') }, /^(?:OUT_OF_BOUNDS|TRY_LATER)/],
    [{ ...verifying, trust: [] }, /^NO_CERTIFICATE_CHAIN_FOUND$/],
  ] as const) {
    const [seal] = (await verifyDocument(bytes, options)).signatures;
    if (seal === undefined || !('byteRange' in seal)) throw new Error('no seal');
    expect(seal.subIndication).toMatch(subIndication);
    expect(seal.findings.map(({ code }) => code)).toContain('document.changed');
    expect(seal.changes).toMatchObject({
      level: 'other',
      permitted: false,
      list: [{ level: 'other', message: 'the content of page 1 was replaced', page: 1 }],
    });
  }
});

test('a later signature over the text of a page passes, and is reported with its page', async () => {
  const document = await signedDocument('table', 'none');
  const bytes = attackNamed('additions', 'a visible signature over the text').make(document);
  const report = await verifyDocument(bytes, verifying);
  expect(report.indication).toBe('TOTAL-PASSED');
  expect(report.signatures[0]?.findings).toContainEqual({
    code: 'document.look.covers',
    severity: 'warning',
    message: 'the signature "Second", added later, may cover content of page 1',
  });
});

test('a signature that covers the whole file has no changes', async () => {
  const { bytes } = await signedDocument('table', 2);
  const [seal] = (await verifyDocument(bytes, verifying)).signatures;
  expect(seal).toMatchObject({ changes: { level: 'none', permitted: true, list: [] } });
});
