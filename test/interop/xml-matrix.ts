import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { report, unless } from './checks.ts';
import { crashReasons, errorCodeOf, type InnsigliCli } from './innsigli-cli.ts';
import { type Level, levels, revocationOf, type SealKey } from './matrix.ts';
import { eachOf } from './tools.ts';

/** An XML signature or container that innsigli made, and what judges should find. */
export interface SignedDocument {
  readonly path: string;
  /** For the lines of the report. */
  readonly name: string;
  readonly level: Level;
  readonly family: 'XAdES' | 'CAdES';
  /** Signatures that it should have. */
  readonly count: number;
  /** Files that a detached signature is over. */
  readonly detached: readonly string[];
  /** Anchors of its signatures, PEM. */
  readonly roots: readonly string[];
  /** xmlsec1 knows the algorithm and the packaging. */
  readonly xmlsec: boolean;
  /** DSS's policy knows the algorithm. */
  readonly dss: boolean;
}

/** A way in which a signature can stand to what it signs. */
interface Packaging {
  readonly name: string;
  readonly options: readonly string[];
  readonly inputs: readonly string[];
  readonly ending: string;
  readonly family: 'XAdES' | 'CAdES';
  readonly isDetached?: boolean;
  readonly xmlsec?: boolean;
}

const invoice = `<?xml version="1.0" encoding="UTF-8"?>
<!-- made for tests -->
<Invoice xmlns="urn:example:invoice" xmlns:c="urn:example:common" xml:lang="is">
  <c:ID>42</c:ID>
  <Note Id="note">Þetta er prófun &amp; ekkert annað</Note>
  <c:Line/>
</Invoice>
`;

function packagingsOf(xml: string, text: string): readonly Packaging[] {
  const inXml = { inputs: [xml], ending: '.xml', family: 'XAdES' as const, xmlsec: true };
  const several = { inputs: [xml, text], ending: '.asice' };
  return [
    { ...inXml, name: 'enveloped', options: [] },
    { ...inXml, name: 'enveloped-own', options: ['--transform', 'enveloped'] },
    { ...inXml, name: 'enveloped-id', options: ['--id', 'note'], xmlsec: false },
    { ...inXml, name: 'enveloping', options: ['--packaging', 'enveloping'] },
    {
      ...inXml,
      name: 'detached',
      options: ['--packaging', 'detached'],
      inputs: [xml, text],
      isDetached: true,
      xmlsec: false,
    },
    { ...several, name: 'asic-e', options: ['--container', 'asic-e'], family: 'XAdES' },
    {
      ...several,
      name: 'asic-e-cades',
      options: ['--container', 'asic-e', '--cades'],
      family: 'CAdES',
    },
    {
      name: 'asic-s',
      options: ['--container', 'asic-s'],
      inputs: [text],
      ending: '.asics',
      family: 'XAdES',
    },
    {
      name: 'asic-s-cades',
      options: ['--container', 'asic-s', '--cades'],
      inputs: [text],
      ending: '.asics',
      family: 'CAdES',
    },
  ];
}

/** Claims that a signature can carry; the first key makes them at the highest level. */
const claims = [
  ...['--role', 'Buyer', '--role', 'Prókúruhafi', '--city', 'Reykjavík', '--country', 'IS'],
  ...['--postal-code', '101', '--commitment', 'origin', '--commitment', 'approval'],
];

/** Signs in every packaging, at every level, with every key, and verifies each result. */
export async function signEverything(
  cli: InnsigliCli,
  keys: readonly SealKey[],
  folder: string,
  quick: boolean,
): Promise<SignedDocument[]> {
  const xml = join(folder, 'invoice.xml');
  const text = join(folder, 'notes of árni.txt');
  writeFileSync(xml, invoice);
  writeFileSync(text, 'Some notes\r\nand more\n');
  const packagings = packagingsOf(xml, text);
  const orders = keys.flatMap((key, number) =>
    packagings.flatMap((packaging) =>
      levels
        .filter((level) => !quick || (number === 0 && (level === 'B-B' || level === 'B-LTA')))
        .map((level) => ({ key, packaging, level, more: [] as readonly string[] })),
    ),
  );
  const [first] = keys;
  const [enveloped] = packagings;
  if (first !== undefined && enveloped !== undefined) {
    const named = { ...enveloped, name: 'claims' };
    orders.push({ key: first, packaging: named, level: 'B-LTA', more: claims });
  }
  const made = await eachOf(orders, async ({ key, packaging, level, more }) => {
    const name = `${packaging.name} ${level} ${key.name}`;
    const path = join(folder, `${packaging.name}-${level}-${key.name}${packaging.ending}`);
    const answer = await cli.run([
      ...['--json', 'seal-xml', ...packaging.inputs, '-o', path, '--level', level],
      ...[...packaging.options, ...key.options, ...more],
    ]);
    const good = answer.code === 0;
    const reasons = good ? [] : [`${errorCodeOf(answer)} ${answer.stderr.trim().slice(0, 200)}`];
    if (!report(`seal-xml ${name}`, [...crashReasons(answer), ...reasons])) return [];
    const detached = packaging.isDetached === true ? packaging.inputs : [];
    const xmlsec = packaging.xmlsec === true && key.name !== 'rsa-pss' && key.covered.openssl;
    const judges = { xmlsec, dss: key.covered.dss, roots: key.roots };
    return [{ path, name, level, family: packaging.family, count: 1, detached, ...judges }];
  });
  const documents = made.flat();
  await verifyXmlOwn(cli, documents);
  return documents;
}

function trusting(roots: readonly string[]): readonly string[] {
  return roots.flatMap((root) => ['--trust', root]);
}

/** innsigli's own verdict: passed, at the level. */
export async function verifyXmlOwn(
  cli: InnsigliCli,
  documents: readonly SignedDocument[],
): Promise<void> {
  await eachOf(documents, async ({ path, name, level, count, detached, roots }) => {
    const options = detached.flatMap((file) => ['--detached', file]);
    const asked = [path, ...options, ...trusting(roots), ...revocationOf(level)];
    const answer = await cli.run(['--json', 'verify', ...asked]);
    const found = [...answer.stdout.matchAll(/"level"\s*:\s*"([\w-]+)"/g)].map((match) => match[1]);
    report(
      `verify ${name}`,
      unless({
        [`rc 0 (${answer.code} ${answer.stderr.trim().slice(0, 200)})`]: answer.code === 0,
        [`${count} at ${level} (${found.join()})`]:
          found.length === count && found.every((one) => one === level),
      }),
    );
  });
}

/** A second signature over the first, and renewal: earlier ones stay. */
export async function signAgain(
  cli: InnsigliCli,
  documents: readonly SignedDocument[],
  keys: readonly SealKey[],
  folder: string,
): Promise<SignedDocument[]> {
  const second = keys[1] ?? keys[0];
  if (second === undefined) return [];
  const again: SignedDocument[] = [];
  const firstKey = documents.filter(({ name }) => name.endsWith(keys[0]?.name ?? ''));
  const chosen = firstKey.filter(({ level }) => level === 'B-LTA');
  const results = await eachOf(chosen, async (document) => {
    const { path, name } = document;
    const copy = join(folder, `again-${basename(path)}`);
    copyFileSync(path, copy);
    const made: SignedDocument[] = [];
    const renewed = join(folder, `renewed-${basename(path)}`);
    const options = document.detached.flatMap((file) => ['--detached', file]);
    const answer = await cli.run(['--json', 'archive', path, '-o', renewed, ...options]);
    const why = `${answer.code} ${answer.stderr.trim().slice(0, 200)}`;
    if (report(`archive ${name}`, answer.code === 0 ? [] : [why])) {
      made.push({ ...document, path: renewed, name: `renewed ${name}` });
    }
    if (!name.startsWith('enveloped B') && !name.startsWith('asic-e')) return made;
    const twice = join(folder, `twice-${basename(path)}`);
    const container = name.startsWith('asic-e') ? ['--container', 'asic-e'] : [];
    const cades = document.family === 'CAdES' ? ['--cades'] : [];
    const sealed = await cli.run([
      ...['--json', 'seal-xml', path, '-o', twice, '--level', 'B-LTA'],
      ...[...second.options, ...container, ...cades],
    ]);
    const reason = `${sealed.code} ${sealed.stderr.trim().slice(0, 200)}`;
    if (report(`seal-xml again ${name}`, sealed.code === 0 ? [] : [reason])) {
      made.push({ ...document, path: twice, name: `twice ${name}`, count: 2 });
    }
    return made;
  });
  again.push(...results.flat());
  await verifyXmlOwn(cli, again);
  return again;
}

/** Without its signature an enveloped result is the input, byte for byte. */
export function checkBytesKept(documents: readonly SignedDocument[], folder: string): void {
  const input = readFileSync(join(folder, 'invoice.xml'), 'utf8');
  for (const { path, name } of documents) {
    if (!/^(enveloped|claims)/.test(name)) continue;
    const rest = readFileSync(path, 'utf8').replace(/<ds:Signature [\s\S]*<\/ds:Signature>/, '');
    report(`bytes of the input ${name}`, rest === input ? [] : ['changed']);
  }
}
