import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { XmlDocument, XmlValidateError, XsdValidator } from 'libxml2-wasm';
import { xmlRegisterFsInputProviders } from 'libxml2-wasm/lib/nodejs.mjs';
import { report, skip, unless } from './checks.ts';
import { crashReasons, errorCodeOf, type InnsigliCli } from './innsigli-cli.ts';
import { eachOf, have, run } from './tools.ts';

const corpus = resolve('../shared/corpora/einvoice-en16931');

/** Maven packages that hold the schemas; those of XML signatures come with the first. */
const packages = [
  { group: 'com.helger.ubl', name: 'ph-ubl21', version: '9.0.3' },
  { group: 'com.helger.cii', name: 'ph-cii-d16b', version: '2.3.0' },
] as const;
const unpacker = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:unpack-dependencies';

/** Where the schema of each namespace stands in the packages. */
const schemas: Readonly<Record<string, string>> = {
  'http://www.w3.org/2000/09/xmldsig#': 'schemas/xmldsig-core-schema.xsd',
  'http://uri.etsi.org/01903/v1.3.2#': 'schemas/XAdES01903v132-201601.xsd',
  'http://uri.etsi.org/01903/v1.4.1#': 'schemas/XAdES01903v141-201601.xsd',
  'urn:un:unece:uncefact:data:specification:CoreComponentTypeSchemaModule:2':
    'schemas/CCTS_CCT_SchemaModule.xsd',
  'urn:oasis:names:specification:ubl:schema:xsd:Invoice-2':
    'external/schemas/ubl21/maindoc/UBL-Invoice-2.1.xsd',
  'urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2':
    'external/schemas/ubl21/maindoc/UBL-CreditNote-2.1.xsd',
  'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100':
    'schemas/d16b/data/standard/CrossIndustryInvoice_100pD16B.xsd',
};

/** What the schemas have against a document; nothing of a valid one. */
type Judge = (bytes: Uint8Array) => readonly string[];

/**
 * Signs the e-invoices of the corpora and has inputs and results judged by the schemas of UBL 2.1,
 * CII D16B, XMLDSig and XAdES: what was valid stays valid.
 */
export async function keepInvoicesValid(cli: InnsigliCli, folder: string): Promise<void> {
  const what = 'schemas of e-invoices';
  if (!existsSync(corpus)) return skip(what, '../shared/corpora/einvoice-en16931 is absent');
  const found = await fetchSchemas();
  if ('problem' in found) return skip(what, found.problem);
  const judge = openJudge(found.folder);
  const ubl = invoicesOf('ubl');
  const cii = invoicesOf('cii');
  await eachOf(ubl, (input) => signUbl(cli, input, folder, judge));
  await eachOf(cii, (input) => signCii(cli, input, folder, judge));
  const invoice = ubl.find((path) => path.includes('example'));
  if (invoice === undefined) return;
  await signEachLevel(cli, invoice, folder, judge);
  await signExtended(cli, invoice, folder, judge);
}

async function signUbl(
  cli: InnsigliCli,
  input: string,
  folder: string,
  judge: Judge,
): Promise<void> {
  const name = `UBL ${basename(input)}`;
  const output = join(folder, `schema-${basename(input)}`);
  if (!reportInput(name, input, judge)) return;
  await sign(cli, name, input, output, ['--level', 'b-b'], judge);
}

/** Its schema has no place inside: a warning says so, and around it the invoice stays valid. */
async function signCii(
  cli: InnsigliCli,
  input: string,
  folder: string,
  judge: Judge,
): Promise<void> {
  const name = `CII ${basename(input)}`;
  const output = join(folder, `schema-${basename(input)}`);
  if (!reportInput(name, input, judge)) return;
  const inside = await cli.run(['seal-xml', input, '-o', output, '--level', 'b-b']);
  const warns = 'the schema of this invoice allows no signature: use a container';
  report(`schema ${name}, enveloped: a warning`, [
    ...crashReasons(inside),
    ...unless({
      [`rc 0 (${inside.code})`]: inside.code === 0,
      warning: inside.stderr.includes(warns),
      'the warning is true': inside.code === 0 && judge(readFileSync(output)).length > 0,
    }),
  ]);
  const around = ['--level', 'b-b', '--packaging', 'enveloping', '--force'];
  await sign(cli, `${name}, enveloping`, input, output, around, judge);
}

async function signEachLevel(
  cli: InnsigliCli,
  input: string,
  folder: string,
  judge: Judge,
): Promise<void> {
  for (const packaging of ['enveloped', 'enveloping', 'detached']) {
    for (const level of ['B-T', 'B-LT', 'B-LTA']) {
      const output = join(folder, `schema-${packaging}-${level}.xml`);
      const options = ['--packaging', packaging, '--level', level];
      await sign(cli, `${packaging} ${level}`, input, output, [...options, ...claims], judge);
    }
  }
  const signed = readFileSync(join(folder, 'schema-enveloped-B-LTA.xml'), 'utf8');
  // The schemas judge what is inside the extension too: a judge that says yes to all is none.
  const broken = signed.replace(/<(\w+):SigningTime>[^<]*/, '<$1:SigningTime>yesterday');
  report('schema: a wrong signing time is seen', [
    ...unless({ changed: broken !== signed, seen: judge(Buffer.from(broken)).length > 0 }),
  ]);
}

/** An invoice that has extensions already: of others, and empty ones for two signatures. */
async function signExtended(
  cli: InnsigliCli,
  invoice: string,
  folder: string,
  judge: Judge,
): Promise<void> {
  const namespace = 'urn:oasis:names:specification:ubl:schema:xsd:CommonExtensionComponents-2';
  const content = (inside: string) =>
    `<x:UBLExtension><x:ExtensionContent>${inside}</x:ExtensionContent></x:UBLExtension>`;
  const foreign = content('<y xmlns="urn:example:y"/>');
  const variants = {
    foreign: { inside: foreign, signatures: 1 },
    empty: { inside: `${foreign}${content('')}${content('')}`, signatures: 2 },
  };
  for (const [name, { inside, signatures }] of Object.entries(variants)) {
    const path = join(folder, `extended-${name}.xml`);
    const extensions = `<x:UBLExtensions xmlns:x="${namespace}">${inside}</x:UBLExtensions>`;
    const text = readFileSync(invoice, 'utf8');
    writeFileSync(path, text.replace(/<(\w+:)?(Invoice|CreditNote)\s[^>]*>/, `$&${extensions}`));
    for (let count = 1; count <= signatures; count += 1) {
      const options = ['--level', 'b-b', ...(count === 1 ? [] : ['--in-place'])];
      const output = join(folder, `extended-${name}.sealed.xml`);
      const answer =
        count === 1
          ? await cli.run(['--json', 'seal-xml', path, '-o', output, ...options])
          : await cli.run(['--json', 'seal-xml', output, ...options]);
      const isLast = count === signatures;
      report(`schema UBL with extensions, ${name}: signature ${count}`, [
        ...crashReasons(answer),
        ...(answer.code === 0 ? [] : [`rc ${answer.code}: ${errorCodeOf(answer)}`]),
        ...(answer.code === 0 && isLast ? judge(readFileSync(output)) : []),
      ]);
    }
  }
}

const claims = [
  ...['--role', 'Buyer', '--city', 'Reykjavík', '--street', 'Laugavegur 1', '--country', 'IS'],
  ...['--state', 'Capital', '--postal-code', '101', '--commitment', 'approval'],
];

function reportInput(name: string, input: string, judge: Judge): boolean {
  return report(`schema ${name} before`, judge(readFileSync(input)));
}

async function sign(
  cli: InnsigliCli,
  name: string,
  input: string,
  output: string,
  options: readonly string[],
  judge: Judge,
): Promise<void> {
  const answer = await cli.run(['--json', 'seal-xml', input, '-o', output, ...options]);
  const isMade = answer.code === 0;
  report(`schema ${name} signed`, [
    ...crashReasons(answer),
    ...(isMade ? judge(readFileSync(output)) : [`rc ${answer.code}: ${errorCodeOf(answer)}`]),
  ]);
}

function invoicesOf(kind: 'ubl' | 'cii'): readonly string[] {
  const examples = join(corpus, kind, 'examples');
  const names = existsSync(examples) ? readdirSync(examples).sort() : [];
  return names.filter((name) => /\.xml$/i.test(name)).map((name) => join(examples, name));
}

/** The schemas import one another by namespace alone, so one more names the file of each. */
function openJudge(folder: string): Judge {
  xmlRegisterFsInputProviders();
  const imports = Object.entries(schemas).map(
    ([namespace, file]) =>
      `<xs:import namespace="${namespace}" schemaLocation="${join(folder, file)}"/>`,
  );
  const all = `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">${imports.join('')}</xs:schema>`;
  const validator = XsdValidator.fromDoc(XmlDocument.fromString(all, { url: `${folder}/all.xsd` }));
  return (bytes) => {
    const document = XmlDocument.fromBuffer(bytes);
    try {
      validator.validate(document);
      return [];
    } catch (error) {
      if (!(error instanceof XmlValidateError)) throw error;
      return error.details.slice(0, 3).map(({ message }) => message.trim());
    } finally {
      document.dispose();
    }
  };
}

/** The folder with the schemas: from the cache of the judges, else fetched into it. */
async function fetchSchemas(): Promise<{ folder: string } | { problem: string }> {
  const cache =
    process.env['INNSIGLI_JUDGES'] ??
    join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'innsigli-judges');
  const folder = join(cache, `xsd-${packages.map(({ version }) => version).join('-')}`);
  if (existsSync(folder)) return { folder };
  if (!have('mvn')) return { problem: 'mvn is missing, and the schemas are not in the cache' };
  mkdirSync(cache, { recursive: true });
  const work = mkdtempSync(join(cache, 'build.'));
  try {
    writeFileSync(join(work, 'pom.xml'), pomOf(packages));
    const answer = await run(
      'mvn',
      [
        ...['-q', '-B', unpacker, '-DincludeTypes=jar', `-DoutputDirectory=${join(work, 'out')}`],
        '-Dmdep.unpack.includes=schemas/**/*.xsd,external/schemas/**/*.xsd',
      ],
      { cwd: work, timeoutMs: 180_000 },
    );
    const missing = Object.values(schemas).find((file) => !existsSync(join(work, 'out', file)));
    if (answer.code !== 0 || missing !== undefined) {
      const said = `${answer.stdout}${answer.stderr}`.trim().slice(0, 200);
      return { problem: `mvn: rc ${answer.code}, ${missing ?? 'all there'}: ${said}` };
    }
    renameSync(join(work, 'out'), folder);
    return { folder };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function pomOf(
  wanted: readonly { readonly group: string; readonly name: string; readonly version: string }[],
): string {
  const dependencies = wanted.map(
    ({ group, name, version }) =>
      `<dependency><groupId>${group}</groupId><artifactId>${name}</artifactId>` +
      `<version>${version}</version></dependency>`,
  );
  return [
    '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>',
    '<groupId>schemas</groupId><artifactId>schemas</artifactId><version>1</version>',
    `<packaging>pom</packaging><dependencies>${dependencies.join('')}</dependencies></project>`,
  ].join('\n');
}
