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
  const { indication, signatures } = await verifyDocument(attack.make(document), verifying);
  expect(indication).not.toBe('TOTAL-PASSED');
  if (attack.hides === true) return;
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
});
