import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Kind, signedFiles } from '../../scripts/agreement/files.ts';
import { createRandom, type Random } from '../../scripts/xml-fuzz/random.ts';
import { isInnsigliError } from '../../src/base/errors.ts';
import { splitSignedData } from '../../src/formats/cms/index.ts';
import { type VerificationReport, verifyDocument } from '../../src/index.ts';

// Files from many products: with one covered bit flipped, the signature is not intact. This needs
// no anchors, and a signature that is not intact never passes.

/** A part of a file covered by an intact signature, and the index of that signature. */
interface Covered {
  readonly from: number;
  readonly to: number;
  readonly name: string;
}

type Report<Format> = Extract<VerificationReport, { readonly format: Format }>;

const partsOf: Readonly<
  Record<'pdf' | 'xml' | 'cms', (bytes: Buffer, report: VerificationReport) => readonly Covered[]>
> = {
  pdf: (_, report) =>
    intactOf((report as Report<'pdf'>).signatures).flatMap(([each, name]) => {
      const [, first = 0, second = 0, rest = 0] = each.byteRange;
      return [
        { from: 0, to: first, name },
        { from: second, to: second + rest, name },
      ];
    }),
  xml: (bytes, report) =>
    intactOf((report as Report<'xml'>).signatures).flatMap(([{ offsetBytes }, name]) => {
      const from = bytes.indexOf('SignedInfo', offsetBytes) - 1;
      const to = bytes.indexOf('SignedInfo', bytes.indexOf('</', from)) + 'SignedInfo'.length;
      return from < 0 || to < from ? [] : [{ from, to, name }];
    }),
  cms: (bytes, report) =>
    intactOf((report as Report<'cms'>).signatures).flatMap(([, name]) => {
      const [attributes, , value] =
        splitSignedData(bytes).signers[Number(name)]?.fields.slice(-3) ?? [];
      return [attributes, value].flatMap((part) => {
        const from = part === undefined ? -1 : bytes.indexOf(part);
        return part === undefined || from < 0 ? [] : [{ from, to: from + part.length, name }];
      });
    }),
};

type AnyReport = VerificationReport['signatures'][number];

function intactOf<One extends AnyReport>(list: readonly One[]) {
  return list.flatMap((one, index) =>
    one.intact === true ? [[one, nameOf(one, index)] as const] : [],
  );
}

/** A change may reorder the signatures of a PDF. */
function nameOf(report: AnyReport, index: number): string {
  return 'field' in report ? report.field : String(index);
}

const counts = [
  ['pdf', 10],
  ['xml', 6],
  ['cms', 20],
] as const satisfies readonly (readonly [Kind, number])[];

test.each(counts)(
  'a signature of the corpora (%s) is not intact with a bit flipped',
  async (kind, flips) => {
    if (!existsSync('../shared/corpora')) return console.warn('SKIPPED: no ../shared/corpora');
    const random = createRandom(Number(process.env['FC_SEED'] ?? 20_260_302));
    let changes = 0;
    for (const file of signedFiles(kind)) {
      const bytes = readFileSync(file);
      const parts = bytes.length > 2_000_000 ? [] : await coveredIn(kind, bytes);
      for (let round = 0; parts.length > 0 && round < flips; round++) {
        const { name, at, changed } = change(bytes, random.pick(parts), random);
        const report = await reportOn(changed);
        changes++;
        const found = report?.signatures.find((each, index) => nameOf(each, index) === name);
        expect(found?.intact ?? false, `${file}, byte ${at}`).toBe(false);
      }
    }
    expect(changes).toBeGreaterThan(200);
  },
  600_000,
);

async function coveredIn(kind: 'pdf' | 'xml' | 'cms', bytes: Buffer): Promise<readonly Covered[]> {
  const report = await reportOn(bytes);
  return report?.format === kind ? partsOf[kind](bytes, report) : [];
}

function change(bytes: Buffer, { from, to, name }: Covered, random: Random) {
  const at = from + random.below(to - from);
  const changed = Buffer.from(bytes);
  changed[at] = (changed[at] as number) ^ (1 << random.below(8));
  return { name, at, changed };
}

async function reportOn(bytes: Uint8Array): Promise<VerificationReport | undefined> {
  try {
    return await verifyDocument(bytes, { revocationMode: 'ignore' });
  } catch (error) {
    if (isInnsigliError(error)) return undefined;
    throw error;
  }
}
