import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { report, skip, unless } from './checks.ts';
import { cutSignatures } from './evidence-cutter.ts';
import { crashReasons, errorCodeOf, type InnsigliCli } from './innsigli-cli.ts';
import type { SealedFile, SealKey } from './matrix.ts';
import { eachOf } from './tools.ts';

const corpora = resolve('../shared/corpora');

/** The inputs whose refusal is right, with the codes that say so. */
const refusals: Readonly<Record<string, readonly string[]>> = {
  'v-cert-p1.pdf': ['pdf.certified.locked'],
};

/** Passwords of the encrypted inputs: of a user, an owner, a user. */
const passwords: Readonly<Record<string, string>> = {
  'small-aes128.pdf': 'user',
  'small-aes256.pdf': 'owner',
  'small-rc4.pdf': 'user',
  'v-pyenc.pdf': 'secret',
};

/** Seals ../shared/corpora/inputs at B-LTA; gives the sealed ones for the judges. */
export async function sealInputs(
  cli: InnsigliCli,
  key: SealKey,
  folder: string,
): Promise<SealedFile[]> {
  const inputs = join(corpora, 'inputs');
  if (!existsSync(inputs)) {
    skip('real inputs', '../shared/corpora/inputs is absent');
    return [];
  }
  const names = readdirSync(inputs).sort();
  const made = await eachOf(names, async (name) => {
    const input = join(inputs, name);
    const output = join(folder, `input_${name}`);
    const password = passwords[name];
    const passwordFile = join(folder, `${name}.password`);
    if (password !== undefined) writeFileSync(passwordFile, password);
    const opening = password === undefined ? [] : ['--pdf-password-file', passwordFile];
    const options = ['-o', output, ...key.options, ...opening];
    const answer = await cli.run(['--json', 'seal', input, ...options]);
    const code = errorCodeOf(answer);
    const refused = refusals[name];
    const reasons = crashReasons(answer);
    if (answer.code !== 0) {
      const right = refused?.includes(code);
      reasons.push(
        ...unless({ [`sealed (${code})`]: right === true, 'no output': !existsSync(output) }),
      );
      report(`input ${name} refused: ${code}`, reasons);
      return undefined;
    }
    if (refused !== undefined) reasons.push(`expected ${refused.join(' or ')}, was sealed`);
    report(`input ${name} sealed`, reasons);
    return sealedInput(name, input, output, answer.stdout, key);
  });
  return made.filter((file) => file !== undefined);
}

function sealedInput(
  name: string,
  input: string,
  output: string,
  stdout: string,
  key: SealKey,
): SealedFile {
  const before = cutSignatures(readFileSync(input));
  const stamped = before.some(({ subFilter }) => subFilter === 'ETSI.RFC3161');
  return {
    path: output,
    name: `input ${name}`,
    input,
    inputLength: statSync(input).size,
    level: 'B-LTA',
    field: /"field"\s*:\s*"([^"]+)"/.exec(stdout)?.[1] ?? '(no field)',
    signaturesBefore: before.length,
    ...(stamped ? { adesObstacle: 'earlier time-stamps lead to a root that is not here' } : {}),
    allOurs: false,
    roots: key.roots,
    ...judgesOf(name, key),
  };
}

/** Who can be asked about the result. */
function judgesOf(name: string, key: SealKey): Pick<SealedFile, 'covered'> & Partial<SealedFile> {
  const password = passwords[name];
  const few = { ...key.covered, pdfsig: false, mutool: false, dss: false };
  if (password !== undefined) {
    return { covered: few, password, obstacle: 'cannot be given the password' };
  }
  // Bytes stand in front of the header: only poppler and qpdf read on.
  if (name === 'v-junkhead.pdf') {
    const covered = { ...few, pdfsig: true, pyhanko: false };
    return { covered, obstacle: 'refuses files with bytes before the header' };
  }
  return { covered: key.covered };
}

/** Seals and verifies every PDF of a corpus; prints counts by outcome and finds crashes. */
export async function surveyCorpus(
  cli: InnsigliCli,
  corpus: string,
  key: SealKey,
  folder: string,
): Promise<void> {
  const root = join(corpora, corpus);
  if (!existsSync(root)) return skip(`corpus ${corpus}`, `../shared/corpora/${corpus} is absent`);
  const files = pdfsBelow(root);
  const outcomes = new Map<string, number>();
  const crashes: string[] = [];
  await eachOf(files, async (file, index) => {
    const output = join(folder, `${corpus}-${index}.pdf`);
    const answer = await cli.run(['--json', 'seal', file, '-o', output, ...key.options]);
    const outcome = answer.code === 0 ? 'sealed' : `${answer.code} ${errorCodeOf(answer)}`;
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    const reasons = [...crashReasons(answer), ...leftovers(answer.code, output)];
    if (reasons.length > 0) crashes.push(`${relative(root, file)}: ${reasons.join(', ')}`);
  });
  const counted = [...outcomes].sort((a, b) => b[1] - a[1]);
  report(`seal corpus ${corpus}: ${files.length} files`, crashes);
  for (const [outcome, count] of counted)
    console.log(`       ${String(count).padStart(4)}  ${outcome}`);
  const verified = await cli.run(['--json', 'verify', ...files], { timeoutMs: 300_000 });
  const rows = [...verified.stdout.matchAll(/"(?:indication|code)"\s*:/g)].length;
  report(`verify corpus ${corpus}: ${files.length} files, rc ${verified.code}`, [
    ...crashReasons(verified),
    ...unless({ 'an answer': rows > 0 }),
  ]);
}

function leftovers(code: number, output: string): string[] {
  if (code === 0) return existsSync(output) ? [] : ['exit 0 without output'];
  return existsSync(output) ? ['output of a failed run'] : [];
}

function pdfsBelow(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((entry) => join(root, entry))
    .filter((path) => /\.pdf$/i.test(basename(path)) && statSync(path).isFile())
    .sort();
}
