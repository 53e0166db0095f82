import { expect, test } from 'vitest';
import { verifyDocument } from '../../src/index.ts';
import { attacks } from './pdf-changes/attacks.table.ts';
import { controls } from './pdf-changes/controls.table.ts';
import { type Permission, pki, type Shape, signedDocument } from './pdf-changes/documents.ts';

// What is put behind a signature: each attack under each permission, and what must pass beside it.
const verifying = {
  trust: [pki.member('root').der],
  at: new Date(pki.nowMs),
  revocationMode: 'ignore',
} as const;
const shapes: readonly Shape[] = ['table', 'streams'];
const permissions: readonly Permission[] = ['none', 1, 2, 3];

const rows = Object.entries(attacks).flatMap(([group, list]) =>
  list.flatMap((attack) =>
    shapes.flatMap((shape) =>
      (attack.under ?? permissions).flatMap((permission) =>
        (attack.shape ?? shape) === shape
          ? [
              {
                title: `${group}: ${attack.name} (${shape}, P ${permission})`,
                attack,
                shape,
                permission,
              },
            ]
          : [],
      ),
    ),
  ),
);

test.each(rows)('$title: stopped', async ({ attack, shape, permission }) => {
  const document = await (attack.signed ?? signedDocument)(shape, permission);
  const bytes = attack.make(document);
  if (attack.hides === true) {
    const report = await verifyDocument(bytes, verifying).catch((error) => error);
    expect(report.code ?? report.indication).toMatch(/^(?:INDETERMINATE|TOTAL-FAILED|pdf\.|limit)/);
    return;
  }
  const { indication, signatures } = await verifyDocument(bytes, verifying);
  expect(indication).not.toBe('TOTAL-PASSED');
  const seal = signatures.find((one) => 'field' in one && one.field === document.judged);
  expect(seal).toMatchObject({ intact: true, indication: 'INDETERMINATE' });
  const told = seal?.findings.find(({ code }) => code === 'document.changed');
  expect(told?.message ?? '').toMatch(attack.told);
});

const good = controls.flatMap((control) =>
  shapes.flatMap((shape) =>
    (control.under ?? permissions).map((permission) => ({
      title: `${control.name} (${shape}, P ${permission})`,
      control,
      shape,
      permission,
    })),
  ),
);

test.each(good)('$title: passes', async ({ control, shape, permission }) => {
  const document = await (control.signed ?? signedDocument)(shape, permission);
  const report = await verifyDocument(control.make(document), verifying);
  const seal = report.signatures.find((one) => 'field' in one && one.field === document.judged);
  if (seal === undefined || !('byteRange' in seal)) throw new Error('no seal');
  expect(seal.findings.filter(({ code }) => code.startsWith('document.'))).toEqual([]);
  expect(seal).toMatchObject({ indication: 'TOTAL-PASSED' });
  expect(seal.changes).toMatchObject({ level: control.level, permitted: true });
  expect(report.indication).toBe('TOTAL-PASSED');
  const isRead = seal.changes?.list.some(({ kind }) => kind === 'value' || kind === 'annotation');
  expect(report.coverage).toBe(isRead === true ? 'partial' : 'full');
});

const attackNamed = (group: string, name: string) => {
  const found = attacks[group]?.find((attack) => attack.name === name);
  if (found === undefined) throw new Error(`no attack ${name}`);
  return found;
};

test('a forgery is told whatever else the conclusion is', async () => {
  const document = await signedDocument('table', 'none');
  const bytes = attackNamed('pages', 'the content').make(document);
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

test('a later signature over the text of a page is told with its page, and passes', async () => {
  const document = await signedDocument('table', 'none');
  const bytes = attackNamed('additions', 'a visible signature over the text').make(document);
  const report = await verifyDocument(bytes, verifying);
  expect(report.indication).toBe('TOTAL-PASSED');
  expect(report.signatures[0]?.findings).toContainEqual({
    code: 'document.look.covers',
    severity: 'warning',
    message: 'the signature «Second», added later, may cover what page 1 prints',
  });
});

test('a signature that covers the whole file has no changes', async () => {
  const { bytes } = await signedDocument('table', 2);
  const [seal] = (await verifyDocument(bytes, verifying)).signatures;
  expect(seal).toMatchObject({ changes: { level: 'none', permitted: true, list: [] } });
});
