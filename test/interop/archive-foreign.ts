import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { report, skip, unless } from './checks.ts';
import type { DssSigner } from './dss-signer.ts';
import { errorCodeOf, type InnsigliCli } from './innsigli-cli.ts';
import { askJudge, eachOf, run } from './tools.ts';

/** A file that somebody else has signed at level B. */
interface ForeignFile {
  readonly name: string;
  readonly path: string;
  /** What a detached signature is over. */
  readonly beside?: string;
}

interface DssAnswer {
  readonly error?: string;
  readonly signatures?: readonly {
    readonly level: string;
    readonly indication: string;
    readonly subIndication: string | null;
    readonly errors: readonly string[];
  }[];
}

const forms = [
  { format: 'pades', more: [], ending: '.pdf' },
  { format: 'xades', more: ['--packaging', 'enveloped'], ending: '.xml' },
  { format: 'xades', more: ['--packaging', 'enveloping'], ending: '.xml' },
  { format: 'xades', more: ['--packaging', 'detached'], ending: '.xml' },
  { format: 'cades', more: ['--packaging', 'enveloping'], ending: '.p7m' },
  { format: 'cades', more: ['--packaging', 'detached'], ending: '.p7s' },
  { format: 'asic-xades', more: ['--container', 's'], ending: '.asics' },
  { format: 'asic-xades', more: ['--container', 'e'], ending: '.asice' },
  { format: 'asic-cades', more: ['--container', 's'], ending: '.asics' },
  { format: 'asic-cades', more: ['--container', 'e'], ending: '.asice' },
] as const;

/**
 * Archives what DSS, pyHanko and OpenSSL have signed at level B, twice, and asks DSS about each
 * result: LTA and TOTAL-PASSED. The trust server answers for the certificates on 127.0.0.1.
 */
export async function archiveForeign(
  cli: InnsigliCli,
  signer: DssSigner,
  folder: string,
  isShort: boolean,
): Promise<void> {
  if (signer.judge === undefined) return skip('archive foreign', '../shared/tools/judge is absent');
  mkdirSync(folder, { recursive: true });
  const files = await signElsewhere(signer.judge, signer, folder, isShort);
  const trust = ['--trust', signer.root];
  const archived = await eachOf(files, async (file) => {
    const first = await archiveOnce(cli, file, trust, 'archived');
    const second = first && (await archiveOnce(cli, { ...file, path: first }, trust, 'renewed'));
    return [first, second].flatMap((path) => (path === undefined ? [] : [{ ...file, path }]));
  });
  await judgeArchives(signer.judge, archived.flat(), ['--trust', signer.root], folder);
}

async function archiveOnce(
  cli: InnsigliCli,
  { name, path, beside }: ForeignFile,
  trust: readonly string[],
  what: string,
): Promise<string | undefined> {
  const output = path.replace(/(\.\w+)$/, `.${what}$1`);
  const detached = beside === undefined ? [] : ['--detached', beside];
  const plan = await cli.run(['archive', path, '--plan', '--json', ...trust, ...detached]);
  const made = await cli.run(['--json', 'archive', path, '-o', output, ...trust, ...detached]);
  const level = /"level"\s*:\s*"([\w-]+)"/.exec(made.stdout)?.[1];
  const requests = (text: string) => /"timestampRequests"\s*:\s*(\d+)/.exec(text)?.[1];
  const good = report(
    `${what}: ${name}`,
    unless({
      [`rc 0 (${made.code} ${made.stderr.trim().slice(0, 300)})`]: made.code === 0,
      [`B-LTA (${level})`]: level === 'B-LTA',
      [`the plan says yes (${plan.code})`]: plan.code === 0,
      [`the plan says ${requests(made.stdout)} requests (${requests(plan.stdout)})`]:
        requests(plan.stdout) === requests(made.stdout),
    }),
  );
  return good ? output : undefined;
}

async function judgeArchives(
  judge: string,
  files: readonly ForeignFile[],
  options: readonly string[],
  folder: string,
): Promise<void> {
  const groups = new Map<string, ForeignFile[]>();
  for (const file of files) {
    const beside = file.beside ?? '';
    groups.set(beside, [...(groups.get(beside) ?? []), file]);
  }
  for (const [beside, some] of groups) {
    const detached = beside === '' ? [] : ['--detached', resolve(beside)];
    const asked = [...options, '--loopback', ...detached];
    const paths = some.map(({ path }) => resolve(path));
    const { answers, problem } = await askJudge<DssAnswer>(judge, 'dss', asked, paths, folder);
    if (problem !== undefined) report('dss, archived elsewhere', [problem]);
    for (const { name, path } of some) judgeOne(name, path, answers.get(resolve(path)));
  }
}

function judgeOne(name: string, path: string, answer: DssAnswer | undefined): void {
  const signatures = answer?.signatures ?? [];
  const wrong = signatures.filter(
    ({ level, indication }) => !level.endsWith('LTA') || indication !== 'TOTAL_PASSED',
  );
  const reasons = wrong.map(({ level, indication, subIndication, errors }) =>
    [level, indication, subIndication, errors[0]].filter(Boolean).join(' '),
  );
  const what = path.includes('.renewed') ? 'renewed' : 'archived';
  const none = answer?.error ?? 'no signature';
  report(`dss says LTA, ${what}: ${name}`, signatures.length === 0 ? [none] : reasons);
}

async function signElsewhere(
  judge: string,
  { key, chain, root, tsaUrl }: DssSigner,
  folder: string,
  isShort: boolean,
): Promise<readonly ForeignFile[]> {
  const p12 = join(folder, 'signer.p12');
  execFileSync('openssl', [
    ...['pkcs12', '-export', '-inkey', key, '-in', chain],
    ...['-passout', 'pass:interop', '-out', p12],
  ]);
  const xml = join(folder, 'order.xml');
  writeFileSync(xml, '<Order xmlns="urn:example"><Amount>12</Amount></Order>\n');
  const levels = isShort ? ['B'] : ['B', 'T', 'LT', 'LTA'];
  const orders = forms.flatMap((form) => levels.map((level) => ({ ...form, level })));
  const made = await eachOf(orders, async ({ format, more, ending, level }) => {
    const name = `${[format, ...more.slice(1)].join(' ')} ${level} by dss`;
    const input = format === 'pades' ? 'fixtures/pdf/agreement.pdf' : xml;
    const path = join(folder, `${name.replaceAll(' ', '-')}${ending}`);
    const options = [
      ...['make', '--format', format, '--level', level, '--p12', p12, '--password', 'interop'],
      ...['--trust', root, '--tsa', tsaUrl, ...more, resolve(input), path],
    ];
    const answer = await run(judge, options, { timeoutMs: 300_000 });
    if (!existsSync(path)) {
      report(`make ${name}`, [answer.stderr.trim().split('\n').slice(0, 3).join(' | ')]);
      return [];
    }
    return [more.includes('detached' as never) ? { name, path, beside: xml } : { name, path }];
  });
  const others = [signWithOpenssl(key, chain, xml, folder), await signWithPyhanko(p12, folder)];
  return [...made.flat(), ...others.flatMap((file) => file ?? [])];
}

/** CAdES in the streaming BER of OpenSSL, with its content. */
function signWithOpenssl(key: string, chain: string, xml: string, folder: string): ForeignFile {
  const path = join(folder, 'by-openssl.p7m');
  const issuers = join(folder, 'issuers.pem');
  const [, ...rest] = readFileSync(chain, 'utf8').split(/(?=-----BEGIN)/);
  writeFileSync(issuers, rest.join(''));
  execFileSync('openssl', [
    ...['cms', '-sign', '-cades', '-nodetach', '-stream', '-binary', '-md', 'sha256'],
    ...['-in', xml, '-signer', chain, '-certfile', issuers, '-inkey', key],
    ...['-outform', 'DER', '-out', path],
  ]);
  return { name: 'cades in BER by openssl', path };
}

const pyhankoScript = `
import sys
from pyhanko.sign import signers, fields
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
p12, source, target = sys.argv[1:4]
signer = signers.SimpleSigner.load_pkcs12(p12, passphrase=b'interop')
meta = signers.PdfSignatureMetadata(field_name='S', subfilter=fields.SigSeedSubFilter.PADES)
with open(source, 'rb') as file, open(target, 'wb') as out:
    signers.sign_pdf(IncrementalPdfFileWriter(file), meta, signer=signer, output=out)
`;

/** PAdES B-B by the pyHanko of the judges. */
async function signWithPyhanko(p12: string, folder: string): Promise<ForeignFile | undefined> {
  const cache = process.env['INNSIGLI_JUDGES'] ?? join(homedir(), '.cache/innsigli-judges');
  const found = existsSync(cache) ? readdirSync(cache).find((each) => /^pyhanko-/.test(each)) : '';
  const python = join(cache, found ?? '', 'bin/python');
  if (!existsSync(python)) {
    skip('archive pades by pyhanko', 'pyHanko of the judges is not built');
    return undefined;
  }
  const path = join(folder, 'by-pyhanko.pdf');
  const script = join(folder, 'sign.py');
  writeFileSync(script, pyhankoScript);
  const answer = await run(python, [script, p12, 'fixtures/pdf/agreement.pdf', path]);
  if (answer.code === 0) return { name: 'pades B by pyhanko', path };
  report('pyhanko signs', [answer.stderr.trim().split('\n').at(-1) ?? '']);
  return undefined;
}

/** What became of the valid files of one kind. */
interface Tally {
  valid: number;
  readonly archived: string[];
  /** Error code → files. */
  readonly refused: Map<string, number>;
}

/**
 * Archives every signed file of the corpora that verifies now, with the roots of all of them as
 * anchors and no network but the trust server, and asks DSS about the results. Prints one line a
 * kind: most of these files have no revocation data that is still to be had.
 */
export async function archiveCorpora(
  cli: InnsigliCli,
  { judge, root }: DssSigner,
  files: Readonly<Record<string, readonly string[]>>,
  folder: string,
): Promise<void> {
  const all = Object.values(files)
    .flat()
    .map((file) => resolve(file));
  if (judge === undefined || all.length === 0) {
    return skip('archive the corpora', '../shared/tools/judge or the corpora are absent');
  }
  mkdirSync(folder, { recursive: true });
  const roots = join(folder, 'roots');
  await askJudge(judge, 'dss', ['--write-roots', roots], all, folder);
  const trust = ['--trust', roots, '--trust', root];
  for (const [kind, some] of Object.entries(files)) {
    const valid = await validFiles(cli, some, trust, join(folder, `${kind}.txt`));
    const tally: Tally = { valid: valid.length, archived: [], refused: new Map() };
    await eachOf(valid, (path, index) => archiveValid(cli, path, index, { trust, folder, tally }));
    const refused = [...tally.refused].map(([code, count]) => `${count} ${code}`).join(', ');
    const counts = `${tally.valid} valid, ${tally.archived.length} archived, refused: ${refused}`;
    console.log(`     corpora ${kind}: ${some.length} files, ${counts}`);
    const made = tally.archived.map((path) => ({ name: basename(path), path }));
    await judgeArchives(judge, made, trust, folder);
  }
}

async function validFiles(
  cli: InnsigliCli,
  files: readonly string[],
  trust: readonly string[],
  list: string,
): Promise<readonly string[]> {
  const paths = files.map((file) => resolve(file));
  writeFileSync(list, paths.join('\n'));
  const lines = `${list}.jsonl`;
  const asked = ['verify', '--files-from', list, '--report', lines, '--revocation', 'ignore'];
  await cli.run(['--offline', ...asked, '--force', ...trust], { timeoutMs: 600_000 });
  return readFileSync(lines, 'utf8')
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
    .filter(({ verdict }) => verdict === 'TOTAL-PASSED')
    .map(({ input }) => String(input));
}

async function archiveValid(
  cli: InnsigliCli,
  path: string,
  index: number,
  { trust, folder, tally }: { trust: readonly string[]; folder: string; tally: Tally },
): Promise<void> {
  const output = join(folder, `${index}-${basename(path)}`);
  const options = ['--offline', '--json', 'archive', path, '-o', output, ...trust];
  const answer = await cli.run(options);
  const isClean = answer.code === 0 || !existsSync(output);
  const code = answer.code === 0 ? 'done' : errorCodeOf(answer);
  if (!isClean || code === '(no code)') report(`archive ${basename(path)}`, [answer.stderr]);
  const level = /"level"\s*:\s*"([\w-]+)"/.exec(answer.stdout)?.[1];
  const says = answer.code === 0 && level === undefined ? 'of no baseline profile' : code;
  if (says === 'done') tally.archived.push(output);
  else tally.refused.set(says, (tally.refused.get(says) ?? 0) + 1);
}
