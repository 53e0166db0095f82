import { expect, test } from 'vitest';
import { verifyDocument } from '../../../src/index.ts';
import type { Attack } from './attack.ts';
import { attacks } from './attacks.table.ts';
import { controls } from './controls.table.ts';
import { type Permission, pki, type Shape, signedDocument } from './documents.ts';

/** How the documents are verified. */
export const verifying = {
  trust: [pki.member('root').der],
  at: new Date(pki.nowMs),
  revocationMode: 'ignore',
} as const;

interface Setting {
  readonly shape: Shape;
  readonly permission: Permission;
}
type Settings = readonly Setting[];
const shapes: readonly Shape[] = ['table', 'streams'];
const permissions: readonly Permission[] = ['none', 1, 2, 3];
const settings: Settings = shapes.flatMap((shape) =>
  permissions.map((permission) => ({ shape, permission })),
);

/** Every setting that an update applies to. */
export const everywhere = (all: Settings): Settings => all;

/** One setting of each shape, with permissions that alternate between updates. */
export const inTurn = (all: Settings, index: number): Settings =>
  shapes.flatMap((shape, shift) => {
    const of = all.filter((setting) => setting.shape === shape);
    return of.length === 0 ? [] : [of[(index + shift) % of.length] as Setting];
  });

type Choice = (all: Settings, index: number) => Settings;
interface Row extends Setting {
  readonly title: string;
}

function rowsOf<Update extends Pick<Attack, 'name' | 'under' | 'shape'>>(
  updates: readonly Update[],
  choose: Choice,
): readonly (Row & { readonly update: Update })[] {
  return updates.flatMap((update, index) => {
    const { under = permissions, shape } = update;
    const all = settings.filter(
      (setting) => under.includes(setting.permission) && (shape ?? setting.shape) === setting.shape,
    );
    return choose(all, index).map((setting) => ({
      ...setting,
      title: `${update.name} (${setting.shape}, P ${setting.permission})`,
      update,
    }));
  });
}

/** Tests that attacks are stopped in the chosen settings. */
export function testAttacks(choose: Choice): void {
  const named = Object.entries(attacks).flatMap(([group, list]) =>
    list.map((attack) => ({ ...attack, name: `${group}: ${attack.name}` })),
  );
  test.each(rowsOf(named, choose))(
    '$title: does not pass',
    async ({ update, shape, permission }) => {
      const document = await (update.signed ?? signedDocument)(shape, permission);
      const bytes = update.make(document);
      if (update.hides === true) {
        const report = await verifyDocument(bytes, verifying).catch((error) => error);
        const { code, indication } = report;
        expect(code ?? indication).toMatch(/^(?:INDETERMINATE|TOTAL-FAILED|pdf\.|limit)/);
        return;
      }
      const { indication, signatures } = await verifyDocument(bytes, verifying);
      expect(indication).not.toBe('TOTAL-PASSED');
      const seal = signatures.find((one) => 'field' in one && one.field === document.judged);
      expect(seal).toMatchObject({ intact: true, indication: 'INDETERMINATE' });
      const told = seal?.findings.find(({ code }) => code === 'document.changed');
      expect(told?.message ?? '').toMatch(update.told);
    },
  );
}

/** Tests that permitted updates pass in the chosen settings. */
export function testControls(choose: Choice): void {
  test.each(rowsOf(controls, choose))('$title: passes', async ({ update, shape, permission }) => {
    const document = await (update.signed ?? signedDocument)(shape, permission);
    const report = await verifyDocument(update.make(document), verifying);
    const seal = report.signatures.find((one) => 'field' in one && one.field === document.judged);
    if (seal === undefined || !('byteRange' in seal)) throw new Error('no seal');
    expect(seal.findings.filter(({ code }) => code.startsWith('document.'))).toEqual([]);
    expect(seal).toMatchObject({ indication: 'TOTAL-PASSED' });
    expect(seal.changes).toMatchObject({ level: update.level, permitted: true });
    expect(report.indication).toBe('TOTAL-PASSED');
    const isRead = seal.changes?.list.some(({ kind }) => kind === 'value' || kind === 'annotation');
    expect(report.coverage).toBe(isRead === true ? 'partial' : 'full');
  });
}
