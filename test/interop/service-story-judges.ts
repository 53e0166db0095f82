import { report, skip, unless } from './checks.ts';
import type { JudgeRoom } from './local-judges.ts';
import { askJudge, run } from './tools.ts';

/** A document of a story, as it was after one of its signatures. */
export interface SignedDocument {
  readonly path: string;
  readonly name: string;
  /** Signatures that it carries, without document time-stamps. */
  readonly signatures: number;
  /** Of its newest signature. */
  readonly level: 'B-T' | 'B-LTA';
}

interface Judged<S> {
  readonly error?: string;
  readonly signatures: readonly S[];
}

interface PyhankoSignature {
  readonly field: string;
  readonly type: string;
  readonly intact?: boolean;
  readonly valid?: boolean;
  readonly trusted?: boolean;
  readonly modification?: string;
  readonly docmdpOk?: boolean;
}

interface DssSignature {
  readonly field: string | null;
  readonly level: string;
  readonly indication: string;
  readonly subIndication: string | null;
  readonly intact: boolean;
  readonly changes?: { readonly undefined: number };
  readonly errors: readonly string[];
}

interface DssAnswer extends Judged<DssSignature> {
  readonly timestamps: readonly { readonly type: string; readonly indication: string }[];
}

/** Asks pdfsig, pyHanko and DSS about every signature of the documents: all have to be valid. */
export async function judgeSigned(
  documents: readonly SignedDocument[],
  room: JudgeRoom,
): Promise<void> {
  for (const document of documents) await judgeWithPdfsig(document, room);
  const { judge } = room;
  if (judge === undefined) {
    return skip(
      `pyhanko and dss, ${documents.length} documents`,
      '../shared/tools/judge is absent',
    );
  }
  const paths = documents.map(({ path }) => path);
  const trust = ['--trust', room.anchors];
  const ask = <T>(kind: 'pyhanko' | 'dss', options: readonly string[]) =>
    askJudge<T>(judge, kind, options, paths, room.workFolder);
  const [pyhanko, dss] = [
    await ask<Judged<PyhankoSignature>>('pyhanko', trust),
    await ask<DssAnswer>('dss', [...trust, '--loopback']),
  ];
  for (const document of documents) {
    const said = { pyhanko: pyhanko.problem, dss: dss.problem };
    const byPyhanko = pyhankoReasons(document, pyhanko.answers.get(document.path));
    report(`pyhanko ${document.name}`, byPyhanko ?? [said.pyhanko ?? 'no answer']);
    const byDss = dssReasons(document, dss.answers.get(document.path));
    report(`dss ${document.name}`, byDss ?? [said.dss ?? 'no answer']);
  }
}

async function judgeWithPdfsig(document: SignedDocument, { nssDatabase }: JudgeRoom) {
  const what = `pdfsig ${document.name}`;
  if (nssDatabase === undefined) return skip(what, 'pdfsig or certutil is not installed');
  const { stdout } = await run('pdfsig', ['-nssdir', nssDatabase, document.path]);
  const blocks = stdout.split(/^Signature #\d+:/m).slice(1);
  // It knows no document time-stamps.
  const signatures = blocks.filter((block) => !/Field Name: Timestamp\d/.test(block));
  const valid = signatures.filter((block) => block.includes('Signature is Valid.'));
  const met = new Set<string>();
  const untrusted = signatures.filter((block) => {
    const signer = /Certificate Common Name: .*/.exec(block)?.[0] ?? '';
    // pdfsig 22.12 cannot judge a certificate that it has met in the same file before.
    const unknown = met.has(signer) && block.includes('Unknown issue with Certificate');
    met.add(signer);
    return !unknown && !block.includes('Certificate is Trusted.');
  });
  report(what, [
    ...countReasons(document, signatures.length),
    ...unless({
      'all signatures valid': valid.length === signatures.length,
      [`all certificates trusted ${untrusted.join(' ')}`]: untrusted.length === 0,
    }),
  ]);
}

function pyhankoReasons(document: SignedDocument, answer: Judged<PyhankoSignature> | undefined) {
  if (answer === undefined) return undefined;
  if (answer.error !== undefined) return [answer.error];
  const signatures = answer.signatures.filter(({ type }) => !/timestamp/i.test(type));
  return [
    ...countReasons(document, signatures.length),
    ...answer.signatures.flatMap((each) =>
      unless({
        [`${each.field} intact, valid and trusted`]:
          each.intact === true && each.valid === true && each.trusted === true,
        [`${each.field} passes the difference analysis (${each.modification})`]:
          each.modification !== 'OTHER' && each.docmdpOk !== false,
      }),
    ),
  ];
}

function dssReasons(document: SignedDocument, answer: DssAnswer | undefined) {
  if (answer === undefined) return undefined;
  if (answer.error !== undefined) return [answer.error];
  const wanted = `PAdES-BASELINE-${document.level.slice(2)}`;
  return [
    ...countReasons(document, answer.signatures.length),
    ...unless({ [`the newest is ${wanted}`]: answer.signatures.at(-1)?.level === wanted }),
    ...answer.signatures.flatMap((each) =>
      unless({
        [`${each.field} TOTAL-PASSED (${each.indication} ${each.subIndication ?? ''})`]:
          /^TOTAL.PASSED$/.test(each.indication),
        [`${each.field} intact`]: each.intact,
        [`${each.field} without undefined changes`]: (each.changes?.undefined ?? 0) === 0,
        [`${each.field} without errors (${each.errors.join(', ')})`]: each.errors.length === 0,
      }),
    ),
    ...answer.timestamps.flatMap(({ type, indication }) =>
      unless({ [`${type} PASSED (${indication})`]: indication === 'PASSED' }),
    ),
  ];
}

function countReasons({ signatures }: SignedDocument, found: number): string[] {
  return found === signatures ? [] : [`expected ${signatures} signatures, found ${found}`];
}
