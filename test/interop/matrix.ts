import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { report, unless } from './checks.ts';
import { cutSignatures } from './evidence-cutter.ts';
import { crashReasons, errorCodeOf, type InnsigliCli } from './innsigli-cli.ts';
import { eachOf } from './tools.ts';

/** A file that innsigli sealed, and what judges should find. */
export interface SealedFile {
  readonly path: string;
  /** For the lines of the report. */
  readonly name: string;
  readonly input: string;
  readonly inputLength: number;
  readonly level: Level;
  /** Field of our signature. */
  readonly field: string;
  /** Signatures and document time-stamps that the input has. */
  readonly signaturesBefore: number;
  /** True when those were made by innsigli too. */
  readonly allOurs: boolean;
  /** Why the AdES process of pyHanko cannot pass although all is well. */
  readonly adesObstacle?: string;
  /** Anchors of all its signatures, PEM. */
  readonly roots: readonly string[];
  readonly covered: Covered;
  /** Opens the file. */
  readonly password?: string;
  /** Why some judges cannot be asked, when it is not the algorithm. */
  readonly obstacle?: string;
}

/** Which judges know the algorithm. */
export interface Covered {
  readonly pdfsig: boolean;
  readonly mutool: boolean;
  readonly openssl: boolean;
  readonly pyhanko: boolean;
  readonly dss: boolean;
}

/** All of them. */
export const everyJudge: Covered = {
  pdfsig: true,
  mutool: true,
  openssl: true,
  pyhanko: true,
  dss: true,
};

/** PAdES levels as innsigli names them. */
export const levels = ['B-B', 'B-T', 'B-LT', 'B-LTA'] as const;

/** One of {@link levels}. */
export type Level = (typeof levels)[number];

/** What `innsigli verify` is told of signatures at a level: those below B-LT hold no status. */
export function revocationOf(level: string): readonly string[] {
  return level === 'B-B' || level === 'B-T' ? ['--revocation', 'ignore'] : [];
}

/** A key to seal with: options of the command and who can judge it. */
export interface SealKey {
  readonly name: string;
  readonly options: readonly string[];
  readonly roots: readonly string[];
  readonly covered: Covered;
}

/** The keys of the development trust. */
export function developmentKeys(root: string): SealKey[] {
  const roots = [root];
  return [
    { name: 'rsa-2048', options: ['--development-key', 'rsa'], roots, covered: everyJudge },
    { name: 'p-256', options: ['--development-key', 'ec'], roots, covered: everyJudge },
    {
      name: 'rsa-pss',
      options: ['--development-key', 'rsa', '--pss'],
      roots,
      covered: { ...everyJudge, mutool: false },
    },
  ];
}

/** The kinds of PDF structure that are sealed with every key at every level. */
export const inputKinds: Readonly<Record<string, string>> = {
  table: 'fixtures/pdf/agreement.pdf',
  'xref-stream': 'fixtures/pdf/xref-stream.pdf',
  'object-streams': 'fixtures/pdf/agreement-object-streams.pdf',
  hybrid: 'fixtures/pdf/hybrid.pdf',
  linearized: 'fixtures/pdf/linearized.pdf',
};

/** More structures, sealed with one key at the highest level. */
export const furtherInputs: Readonly<Record<string, string>> = {
  incremental: 'fixtures/pdf/incremental.pdf',
  'empty-field': 'fixtures/pdf/form-with-empty-signature-field.pdf',
  'text-field': 'fixtures/pdf/form-with-text-field.pdf',
  'form-indirect': 'fixtures/pdf/form-indirect.pdf',
  'form-indirect-arrays': 'fixtures/pdf/form-indirect-arrays.pdf',
  'inherited-attributes': 'fixtures/pdf/inherited-page-attributes.pdf',
  'object-streams-small': 'fixtures/pdf/object-streams.pdf',
  'xref-stream-wide': 'fixtures/pdf/xref-stream-wide.pdf',
  'xref-stream-predictor': 'fixtures/pdf/xref-stream-predictor.pdf',
  crlf: 'fixtures/pdf/crlf.pdf',
  'no-id': 'fixtures/pdf/no-id.pdf',
  'version-2.0': 'fixtures/pdf/version-2.0.pdf',
};

/** One seal to make. */
export interface SealOrder {
  readonly name: string;
  readonly input: string;
  readonly output: string;
  readonly level: Level;
  readonly key: SealKey;
  readonly more?: readonly string[];
  /** The file that is sealed once more; its judges and anchors matter too. */
  readonly over?: SealedFile;
}

/** Makes the seals and gives those that succeeded; each failure is a failed check. */
export async function sealAll(
  cli: InnsigliCli,
  orders: readonly SealOrder[],
): Promise<SealedFile[]> {
  const made = await eachOf(orders, (order) => sealOne(cli, order));
  return made.filter((file) => file !== undefined);
}

async function sealOne(cli: InnsigliCli, order: SealOrder): Promise<SealedFile | undefined> {
  const { name, input, output, level, key, more = [], over } = order;
  const options = ['--json', 'seal', input, '-o', output, '--level', level];
  const answer = await cli.run([...options, ...key.options, ...more]);
  const field = /"field"\s*:\s*"([^"]+)"/.exec(answer.stdout)?.[1];
  const fine = answer.code === 0 && field !== undefined && existsSync(output);
  const said = `rc ${answer.code} ${errorCodeOf(answer)}: ${answer.stderr.trim().slice(0, 300)}`;
  report(`seal ${name}`, fine ? [] : [said, ...crashReasons(answer)]);
  if (!fine) return undefined;
  return {
    path: output,
    name,
    input,
    inputLength: statSync(input).size,
    level,
    field,
    signaturesBefore: cutSignatures(readFileSync(input)).length,
    allOurs: over !== undefined,
    roots: [...new Set([...key.roots, ...(over?.roots ?? [])])],
    covered: over === undefined ? key.covered : bothCover(key.covered, over.covered),
  };
}

function bothCover(a: Covered, b: Covered): Covered {
  return {
    pdfsig: a.pdfsig && b.pdfsig,
    // mutool and pyHanko are asked about all signatures of the file, the others about ours.
    mutool: a.mutool && b.mutool,
    openssl: a.openssl,
    pyhanko: a.pyhanko && b.pyhanko,
    dss: a.dss,
  };
}

/** Every key × level × kind, and the further inputs with the first key. */
export function matrixOrders(
  keys: readonly SealKey[],
  kinds: Readonly<Record<string, string>>,
  folder: string,
): SealOrder[] {
  return keys.flatMap((key) =>
    levels.flatMap((level) =>
      Object.entries(kinds).map(([kind, input]) => {
        const name = `${key.name} ${level} ${kind}`;
        return {
          name,
          input,
          level,
          key,
          output: join(folder, `${name.replaceAll(' ', '_')}.pdf`),
        };
      }),
    ),
  );
}

/** Seals over seals: a second and a third on files of the matrix, each with another key. */
export function repeatedOrders(
  sealed: readonly SealedFile[],
  keys: readonly SealKey[],
  folder: string,
): SealOrder[] {
  const first = sealed.filter((file) => / (table|object-streams)$/.test(file.name));
  return first.flatMap((file, index) => {
    const key = keys[(index + 1) % keys.length];
    if (key === undefined) return [];
    const level = levels[(index * 3 + 1) % levels.length] ?? 'B-LTA';
    const name = `${key.name} ${level} over ${file.name}`;
    const output = join(folder, `${name.replaceAll(' ', '_')}.pdf`);
    return [{ name, input: file.path, output, level, key, over: file }];
  });
}

/** Certification signatures with each permission, at the level that each one allows. */
export function certifyOrders(key: SealKey, folder: string): SealOrder[] {
  return (['p1', 'p2', 'p3'] as const).map((permission) => {
    const level = permission === 'p1' ? 'B-T' : 'B-LTA';
    const name = `${key.name} ${level} certify ${permission}`;
    const output = join(folder, `certify-${permission}.pdf`);
    const input = 'fixtures/pdf/agreement.pdf';
    return { name, input, output, level, key, more: ['--certify', permission] };
  });
}

const looks: Readonly<Record<string, readonly string[]>> = {
  plain: ['--visible', '--reason', 'Samþykkt', '--language', 'is'],
  qr: ['--qr', '--name', 'Łukasz Żółć', '--language', 'pl', '--corner', 'bottom-right'],
  everywhere: ['--all-pages', '--text', '# {name}\\n{time}', '--rect', '40,40,240,100'],
};

/** Visible seals in each look, and a second one on top. */
export function visibleOrders(key: SealKey, folder: string): SealOrder[] {
  return Object.entries(looks).flatMap(([look, more]) =>
    ['agreement', 'xref-stream'].map((input) => {
      const name = `${key.name} B-LTA visible ${look} ${input}`;
      const output = join(folder, `${name.replaceAll(' ', '_')}.pdf`);
      return { name, input: `fixtures/pdf/${input}.pdf`, output, level: 'B-LTA', key, more };
    }),
  );
}

/** `innsigli archive` on lower levels, and twice on the result: it renews. */
export async function archiveAll(
  cli: InnsigliCli,
  sealed: readonly SealedFile[],
  folder: string,
): Promise<SealedFile[]> {
  const candidates = sealed.filter((file) => / B-(B|T|LT|LTA) table$/.test(file.name));
  const made = await eachOf(candidates, async (file) => {
    const once = join(folder, `archived_${file.name.replaceAll(' ', '_')}.pdf`);
    const twice = once.replace('.pdf', '_twice.pdf');
    const trust = file.roots.flatMap((root) => ['--trust', root]);
    const results: SealedFile[] = [];
    for (const [from, to] of [
      [file.path, once],
      [once, twice],
    ] as const) {
      const answer = await cli.run(['archive', from, '-o', to, ...trust]);
      const name = `${file.name} archived${to === twice ? ' twice' : ''}`;
      const said = `rc ${answer.code}: ${answer.stderr.trim().slice(0, 300)}`;
      if (!report(`archive ${name}`, answer.code === 0 ? [] : [said])) break;
      results.push({
        ...file,
        path: to,
        name,
        input: from,
        inputLength: statSync(from).size,
        level: 'B-LTA',
        signaturesBefore: cutSignatures(readFileSync(from)).length,
        allOurs: true,
        ...(file.level === 'B-B'
          ? { adesObstacle: 'pyHanko asks for a signature time-stamp' }
          : {}),
      });
    }
    return results;
  });
  return made.flat();
}

/** `innsigli verify` on the files: TOTAL-PASSED for every one. */
export async function verifyOwn(
  cli: InnsigliCli,
  what: string,
  files: readonly SealedFile[],
): Promise<void> {
  const isProved = (file: SealedFile) => revocationOf(file.level).length === 0;
  await verifyGroup(cli, what, files, ['--revocation', 'ignore']);
  const proved = files.filter((file) => isProved(file) && file.signaturesBefore === 0);
  await verifyGroup(cli, `${what} at B-LT and B-LTA`, proved, []);
}

async function verifyGroup(
  cli: InnsigliCli,
  what: string,
  files: readonly SealedFile[],
  rule: readonly string[],
): Promise<void> {
  if (files.length === 0) return;
  const roots = [...new Set(files.flatMap((file) => file.roots))];
  const trust = roots.flatMap((root) => ['--trust', root]);
  const paths = files.map((file) => file.path);
  const timeoutMs = 300_000;
  const answer = await cli.run(['--json', 'verify', ...paths, ...trust, ...rule], { timeoutMs });
  const said = conclusionsOf(answer.stdout);
  const passed = said.filter((indication) => indication === 'TOTAL-PASSED').length;
  report(
    `innsigli verify, ${files.length} ${what}`,
    unless({
      [`rc 0 (${answer.code} ${answer.stderr.trim().slice(0, 200)})`]: answer.code === 0,
      [`all TOTAL-PASSED (${passed} of ${said.length})`]: passed === said.length && passed > 0,
    }),
  );
}

interface Conclusion {
  readonly indication: string;
}

/** Those of the documents and of their signatures. */
function conclusionsOf(stdout: string): readonly string[] {
  if (!stdout.startsWith('{')) return [];
  const { documents = [] } = JSON.parse(stdout) as {
    readonly documents?: readonly {
      readonly report?: Conclusion & { readonly signatures: readonly Conclusion[] };
    }[];
  };
  return documents.flatMap(({ report: found }) =>
    found === undefined ? ['none'] : [found, ...found.signatures].map((one) => one.indication),
  );
}
