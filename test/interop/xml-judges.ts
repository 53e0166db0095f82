import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { report, skip, skipKind, unless } from './checks.ts';
import type { DssSigner } from './dss-signer.ts';
import type { InnsigliCli } from './innsigli-cli.ts';
import type { JudgeRoom } from './local-judges.ts';
import { levels, revocationOf } from './matrix.ts';
import { askJudge, eachOf, have, run } from './tools.ts';
import type { SignedDocument } from './xml-matrix.ts';

interface DssRow {
  readonly error?: string;
  readonly signatures: readonly {
    readonly level: string;
    readonly indication: string;
    readonly subIndication: string | null;
    readonly intact: boolean;
    readonly structure?: readonly string[];
    readonly errors: readonly string[];
    readonly warnings: readonly string[];
  }[];
}

/** DSS: every signature intact, at its level, TOTAL-PASSED, structure sound, no warning. */
export async function judgeXmlWithDss(
  documents: readonly SignedDocument[],
  room: JudgeRoom,
): Promise<void> {
  const { judge } = room;
  if (judge === undefined) {
    skip(`dss, ${documents.length} XML documents`, '../shared/tools/judge is absent');
    return;
  }
  const groups = new Map<string, SignedDocument[]>();
  for (const document of documents) {
    if (!document.dss) {
      skipKind('dss', 'XML: its default policy authorises no EdDSA');
      continue;
    }
    const key = document.detached.join('\n');
    groups.set(key, [...(groups.get(key) ?? []), document]);
  }
  for (const [key, group] of groups) {
    const detached = key === '' ? [] : key.split('\n').flatMap((file) => ['--detached', file]);
    const options = ['--trust', room.anchors, '--loopback', ...detached];
    const paths = group.map(({ path }) => path);
    const answered = await askJudge<DssRow>(judge, 'dss', options, paths, room.workFolder);
    if (answered.problem !== undefined) report('dss answers for every file', [answered.problem]);
    for (const document of group) {
      report(`dss ${document.name}`, dssReasons(document, answered.answers.get(document.path)));
    }
  }
}

function dssReasons({ level, family, count }: SignedDocument, row: DssRow | undefined): string[] {
  if (row === undefined || row.error !== undefined) return [row?.error ?? 'no answer'];
  const { signatures } = row;
  const wanted = `${family}-BASELINE-${level.slice(2)}`;
  const reasons = unless({
    [`${count} signatures (${signatures.length})`]: signatures.length === count,
  });
  for (const found of signatures) {
    const { indication, subIndication, errors, warnings, structure = [] } = found;
    reasons.push(
      ...unless({
        intact: found.intact,
        [`${wanted} (${found.level})`]: found.level.replaceAll('_', '-') === wanted,
        [`TOTAL-PASSED (${indication} ${subIndication ?? ''} ${errors.join()})`]:
          indication.replaceAll('_', '-') === 'TOTAL-PASSED',
        [`no warning (${warnings.join()})`]: warnings.length === 0,
        [`structure (${structure.join()})`]: structure.length === 0,
      }),
    );
  }
  return reasons;
}

/** xmlsec1: signature value and references, and a path to the anchors. */
export async function judgeWithXmlsec(documents: readonly SignedDocument[]): Promise<void> {
  if (!have('xmlsec1')) return skip('xmlsec1', 'not installed');
  const known = documents.filter(({ xmlsec }) => xmlsec);
  const unknown = documents.length - known.length;
  if (unknown > 0)
    skipKind(`xmlsec1, ${unknown} files`, 'containers, PSS, detached, Ids elsewhere');
  await eachOf(known, async ({ path, name, count, roots }) => {
    for (let number = 1; number <= count; number++) {
      const node = `/descendant::*[local-name()='Signature'][${number}]`;
      const answer = await run('xmlsec1', [
        // It reads the first certificate of a file only.
        ...['--verify', ...roots.flatMap((root) => ['--trusted-pem', root]), '--node-xpath', node],
        ...['--X509-skip-strict-checks', path],
      ]);
      const good = answer.code === 0 && /^OK$/m.test(answer.stdout + answer.stderr);
      report(`xmlsec1 ${name} #${number}`, good ? [] : [lastLine(answer.stderr)]);
    }
  });
}

function lastLine(text: string): string {
  return text.trim().split('\n').slice(0, 3).join(' | ').slice(0, 300);
}

const foreignForms = [
  { format: 'xades', more: ['--packaging', 'enveloped'], ending: '.xml' },
  { format: 'xades', more: ['--packaging', 'enveloping'], ending: '.xml' },
  { format: 'xades', more: ['--packaging', 'detached'], ending: '.xml', isDetached: true },
  { format: 'asic-xades', more: ['--container', 's'], ending: '.asics' },
  { format: 'asic-xades', more: ['--container', 'e'], ending: '.asice' },
  { format: 'asic-cades', more: ['--container', 's'], ending: '.asics' },
  { format: 'asic-cades', more: ['--container', 'e'], ending: '.asice' },
] as const;

/** Lets DSS sign in every form at every level; innsigli must verify each and name its level. */
export async function verifyDssXml(
  cli: InnsigliCli,
  { judge, key, chain, root, tsaUrl }: DssSigner,
  folder: string,
): Promise<void> {
  if (judge === undefined) {
    skip('XML and containers by dss', '../shared/tools/judge is absent');
    return;
  }
  const p12 = join(folder, 'dss-xml.p12');
  mkdirSync(dirname(p12), { recursive: true });
  execFileSync('openssl', [
    ...['pkcs12', '-export', '-inkey', key, '-in', chain],
    ...['-passout', 'pass:interop', '-out', p12],
  ]);
  const input = resolve(join(folder, 'invoice.xml'));
  const orders = foreignForms.flatMap((form) => levels.map((level) => ({ ...form, level })));
  await eachOf(orders, async ({ format, more, ending, level, ...rest }) => {
    const name = `${format} ${more[1]} ${level} by dss`;
    const output = join(folder, `dss-${format}-${more[1]}-${level}${ending}`);
    const made = await run(
      judge,
      [
        ...['make', '--format', format, '--level', level.slice(2), '--p12', p12],
        ...['--password', 'interop', '--trust', root, '--tsa', tsaUrl, ...more, input, output],
      ],
      { timeoutMs: 300_000 },
    );
    const said = made.stderr.trim().split('\n').slice(0, 3).join(' | ');
    if (!existsSync(output)) return void report(`make ${name}`, [said]);
    const detached = 'isDetached' in rest ? ['--detached', input] : [];
    const answer = await cli.run([
      ...['--json', 'verify', output, '--trust', root, ...detached],
      ...revocationOf(level),
    ]);
    const found = /"level"\s*:\s*"([\w-]+)"/.exec(answer.stdout)?.[1];
    report(
      `verify ${name}`,
      unless({
        [`rc 0 (${answer.code} ${answer.stderr.trim().slice(0, 200)})`]: answer.code === 0,
        [`level ${level} (${found})`]: found === level,
      }),
    );
  });
}
