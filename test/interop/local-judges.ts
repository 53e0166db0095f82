import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { report, skip, skipKind, unless } from './checks.ts';
import { type CutSignature, cutSignatures, cutTimestamps } from './evidence-cutter.ts';
import type { SealedFile } from './matrix.ts';
import { have, run } from './tools.ts';

/** Where the judges find anchors and room. */
export interface JudgeRoom {
  /** PEM with every anchor. */
  readonly anchors: string;
  readonly workFolder: string;
  /** NSS database with the anchors; undefined when certutil is not there. */
  readonly nssDatabase: string | undefined;
  /** The program that runs DSS and pyHanko; undefined when it is not there. */
  readonly judge: string | undefined;
}

/** An NSS database that trusts the given roots, for pdfsig. */
export async function makeNssDatabase(
  workFolder: string,
  roots: readonly string[],
): Promise<string | undefined> {
  if (!have('certutil') || !have('pdfsig')) return undefined;
  const database = `sql:${workFolder}/nss`;
  mkdirSync(`${workFolder}/nss`);
  await run('certutil', ['-N', '--empty-password', '-d', database]);
  for (const [index, root] of roots.entries()) {
    const options = ['-A', '-d', database, '-n', `root ${index}`, '-t', 'CT,C,C', '-a', '-i', root];
    const { code, stderr } = await run('certutil', options);
    if (code !== 0) throw new Error(`certutil: ${stderr}`);
  }
  return database;
}

/** Runs the Debian tools on one file. */
export async function judgeLocally(file: SealedFile, room: JudgeRoom): Promise<void> {
  await judgeSyntax(file);
  await judgeWithMutool(file);
  await judgeWithPdfsig(file, room);
  await judgeWithOpenssl(file, room);
}

async function judgeSyntax({ path, name, input, password = '' }: SealedFile): Promise<void> {
  if (!have('qpdf')) return skip(`qpdf --check ${name}`, 'qpdf is not installed');
  const check = (file: string) => run('qpdf', [`--password=${password}`, '--check', file]);
  const result = await check(path);
  // 3 means warnings: allowed only where the input has them already.
  const before = result.code === 3 ? (await check(input)).code : 0;
  const fine = result.code === 0 || (result.code === 3 && before === 3);
  report(`qpdf --check ${name}`, fine ? [] : [`rc ${result.code}: ${firstLine(result.stderr)}`]);
}

async function judgeWithMutool({ path, name, covered, obstacle }: SealedFile): Promise<void> {
  const what = `mutool sign -v ${name}`;
  if (!have('mutool')) return skip(what, 'mutool is not installed');
  if (!covered.mutool) {
    return skipKind('mutool', obstacle ?? 'knows neither RSA-PSS nor Ed25519');
  }
  const { code, stdout, stderr } = await run('mutool', ['sign', '-v', path]);
  const text = stdout + stderr;
  const reasons = unless({
    'rc 0': code === 0,
    'digest intact': /unchanged since signing|edits since signing/i.test(text),
    'no broken digest': !/digest (error|failure)|invalidated/i.test(text),
  });
  report(what, reasons.length ? [...reasons, oneLine(text)] : []);
}

async function judgeWithPdfsig(file: SealedFile, room: JudgeRoom): Promise<void> {
  const what = `pdfsig ${file.name}`;
  if (room.nssDatabase === undefined) return skip(what, 'pdfsig or certutil is not installed');
  if (!file.covered.pdfsig) {
    return skipKind('pdfsig', file.obstacle ?? 'NSS knows no Ed25519 here');
  }
  const { stdout, stderr } = await run('pdfsig', ['-nssdir', room.nssDatabase, file.path]);
  // «Signature #1:» begins a block; pdfsig cannot judge document time-stamps and says so.
  const blocks = stdout.split(/^Signature #\d+:/m).slice(1);
  const ours = blocks.find((block) => block.includes(`Field Name: ${file.field}\n`)) ?? '';
  const signer = /Certificate Common Name: .*/.exec(ours)?.[0] ?? '(none)';
  // pdfsig 22.12 cannot judge a certificate that it has met in an earlier signature of the file,
  // whoever made the file: it says «Unknown issue» from the second one on.
  const metBefore = blocks.slice(0, blocks.indexOf(ours)).some((block) => block.includes(signer));
  const trusted = /Certificate Validation: Certificate is Trusted\./.test(ours);
  const unknown = /Certificate Validation: Unknown issue with Certificate/.test(ours);
  const reasons = unless({
    'Signature is Valid': /Signature Validation: Signature is Valid\./.test(ours),
    'Certificate is Trusted': trusted || (metBefore && unknown),
    'earlier signatures valid':
      !/Signature Validation: (Signature is Invalid|Digest Mismatch)/.test(stdout),
  });
  report(what, reasons.length ? [...reasons, oneLine(ours || stderr)] : []);
}

async function judgeWithOpenssl(file: SealedFile, room: JudgeRoom): Promise<void> {
  const pdf = readFileSync(file.path);
  const all = cutSignatures(pdf);
  const fresh = all.slice(file.signaturesBefore);
  const last = fresh.at(-1);
  const whole = last !== undefined && last.byteRange[2] + last.byteRange[3] === pdf.length;
  report(`ranges ${file.name}`, [
    ...fresh.flatMap(({ problems }) => problems),
    ...unless({
      'input bytes kept': pdf.subarray(0, file.inputLength).equals(readFileSync(file.input)),
      'signature made': fresh.length > 0,
      // At B-LT the validation data follow the signature, so nothing covers the end.
      'last range covers the file': whole || file.level === 'B-LT',
    }),
  ]);
  const stem = `${room.workFolder}/cut-${file.name.replace(/[^\w.-]/g, '_')}`;
  for (const [index, signature] of fresh.entries()) {
    const base = `${stem}.${index}`;
    writeFileSync(`${base}.covered`, signature.covered);
    writeFileSync(`${base}.der`, signature.cms);
    if (signature.subFilter === 'ETSI.RFC3161') await verifyToken(file, base, 'covered', room);
    else await verifyCms(file, signature, base, room);
  }
}

async function verifyCms(
  file: SealedFile,
  signature: CutSignature,
  base: string,
  room: JudgeRoom,
): Promise<void> {
  const what = `openssl cms -verify -cades ${file.name}`;
  if (file.covered.openssl) await verifyCmsWithOpenssl(what, base, room);
  else skipKind('openssl cms', 'version 3.0 verifies no Ed25519 in CMS');
  const stamps = cutTimestamps(signature.cms);
  const wanted = file.level === 'B-B' ? 0 : 1;
  report(
    `signature time-stamps ${file.name}`,
    stamps.length === wanted ? [] : [`expected ${wanted}, found ${stamps.length}`],
  );
  for (const stamp of stamps) {
    writeFileSync(`${base}.sig-ts.der`, stamp.token);
    writeFileSync(`${base}.sig-ts.covered`, stamp.signatureValue);
    await verifyToken(file, `${base}.sig-ts`, 'signature value', room);
  }
}

async function verifyCmsWithOpenssl(what: string, base: string, room: JudgeRoom): Promise<void> {
  const options = ['cms', '-verify', '-cades', '-inform', 'DER', '-in', `${base}.der`];
  const rest = ['-content', `${base}.covered`, '-CAfile', room.anchors, '-binary'];
  const result = await run('openssl', [
    ...options,
    ...rest,
    '-purpose',
    'any',
    '-out',
    '/dev/null',
  ]);
  report(what, result.code === 0 ? [] : [oneLine(result.stderr)]);
}

async function verifyToken(
  file: SealedFile,
  base: string,
  what: string,
  room: JudgeRoom,
): Promise<void> {
  const options = ['ts', '-verify', '-token_in', '-in', `${base}.der`, '-data', `${base}.covered`];
  const result = await run('openssl', [...options, '-CAfile', room.anchors]);
  const fine = result.code === 0 && /Verification: OK/.test(result.stdout + result.stderr);
  report(`openssl ts -verify (${what}) ${file.name}`, fine ? [] : [oneLine(result.stderr)]);
}

function oneLine(text: string): string {
  return text
    .trim()
    .replace(/\s*\n\s*/g, ' | ')
    .slice(0, 400);
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0] ?? '';
}
