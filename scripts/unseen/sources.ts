import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { InnsigliCli } from '../../test/interop/innsigli-cli.ts';
import { eachOf, findJudge, run } from '../../test/interop/tools.ts';
import { cmsOrders, foreignForms, foreignLevels } from './orders.table.ts';

/** Signing programs and keys, and the folder for the signed files. */
export interface Workshop {
  readonly cli: InnsigliCli;
  /** Folder of the development trust used by {@link cli}. */
  readonly root: string;
  readonly tsaUrl: string;
  readonly folder: string;
  /** True: only a few files, and none that takes another program seconds to create. */
  readonly isShort: boolean;
}

/** A signed file before any alteration. */
export interface Source {
  readonly path: string;
  readonly kind: 'pdf' | 'xml' | 'cms' | 'container';
  /** The detached content that it covers. */
  readonly beside?: string;
}

const text = 'The harbour of Vik is closed from 1 to 3 May.\r\nGoods wait ashore.\r\n';
const invoice = `<?xml version="1.0" encoding="UTF-8"?>
<Invoice xmlns="urn:example:invoice"><Id>17</Id><Buyer country="IS">Harbour of Vik</Buyer>
  <Line n="1"><Text>Rope &amp; tar</Text><Amount currency="ISK">4200</Amount></Line>
</Invoice>
`;

/** Signs the inputs in every form with every available program. */
export async function makeSources(shop: Workshop): Promise<readonly Source[]> {
  const folder = join(shop.folder, 'sources');
  mkdirSync(folder, { recursive: true });
  const inputs = {
    text: join(folder, 'content.txt'),
    xml: join(folder, 'content.xml'),
    pdf: 'fixtures/pdf/agreement.pdf',
  };
  writeFileSync(inputs.text, text);
  writeFileSync(inputs.xml, invoice);
  const keys = makeKeys(shop, folder);
  const made = [
    ...makeCms(shop, keys, inputs.text, folder),
    ...(await makeOwn(shop, inputs, folder)),
    ...(shop.isShort ? [] : await makeForeign(shop, inputs, folder)),
  ];
  return made.filter(({ path }) => existsSync(path));
}

type Inputs = Readonly<Record<'text' | 'xml' | 'pdf', string>>;

/** Keys of the development trust, and an Ed25519 key certified by its authority. */
function makeKeys({ root }: Workshop, folder: string): Readonly<Record<string, string>> {
  const trust = join(root, '..');
  const path = (name: string) => join(folder, name);
  execFileSync('openssl', ['genpkey', '-algorithm', 'ED25519', '-out', path('ed.key')]);
  writeFileSync(path('leaf.cnf'), leafConfiguration);
  const request = ['req', '-new', '-key', path('ed.key'), '-subj', '/CN=Unseen TEST ed25519'];
  execFileSync('openssl', [...request, '-out', path('ed.csr')]);
  execFileSync(
    'openssl',
    [
      ...['x509', '-req', '-in', path('ed.csr'), '-CA', join(trust, 'ca.pem')],
      ...['-CAkey', join(trust, 'ca.key'), '-days', '90', '-extfile', path('leaf.cnf')],
      ...['-set_serial', '4711', '-out', path('ed.pem')],
    ],
    { stdio: 'pipe' },
  );
  for (const name of ['rsa', 'ec']) {
    execFileSync('openssl', [
      ...['pkcs12', '-export', '-inkey', join(trust, `seal-${name}.key`)],
      ...['-in', join(trust, `seal-${name}.pem`), '-certfile', join(trust, 'ca.pem')],
      ...['-passout', 'pass:unseen', '-out', path(`${name}.p12`)],
    ]);
  }
  return {
    rsa: join(trust, 'seal-rsa'),
    ec: join(trust, 'seal-ec'),
    ed: path('ed'),
    ca: join(trust, 'ca.pem'),
  };
}

const leafConfiguration = `keyUsage=critical,digitalSignature,nonRepudiation
subjectKeyIdentifier=hash
authorityKeyIdentifier=keyid
`;

function makeCms(
  { isShort }: Workshop,
  keys: Readonly<Record<string, string>>,
  content: string,
  folder: string,
): readonly Source[] {
  const orders = isShort ? cmsOrders.filter(({ isBrief }) => isBrief) : cmsOrders;
  return orders.flatMap(({ name, signers, options, isDetached = false }) => {
    const path = join(folder, `openssl-${name}${isDetached ? '.p7s' : '.p7m'}`);
    const source = { path, kind: 'cms' as const, ...(isDetached ? { beside: content } : {}) };
    // Verdicts on altered files are stored, so the files they were created from must not change.
    if (existsSync(path)) return [source];
    const who = signers.flatMap((each) => [
      ...['-signer', `${keys[each]}.pem`, '-inkey', `${keys[each]}.key`],
      ...(options.keyed ?? []),
    ]);
    try {
      execFileSync(
        'openssl',
        [
          ...['cms', '-sign', '-in', content, '-outform', 'DER', '-out', path, ...who],
          ...['-certfile', keys['ca'] as string, ...options.common],
          ...(isDetached ? [] : ['-nodetach']),
        ],
        { stdio: 'pipe' },
      );
    } catch (error) {
      console.log(`openssl makes no ${name}: ${String(error).split('\n')[1] ?? ''}`);
      return [];
    }
    return [source];
  });
}

async function makeOwn(
  { cli, isShort }: Workshop,
  inputs: Inputs,
  folder: string,
): Promise<readonly Source[]> {
  const levels = isShort ? ['B-B', 'B-LTA'] : ['B-B', 'B-T', 'B-LT', 'B-LTA'];
  const forms = [
    { kind: 'pdf', command: ['seal'], input: inputs.pdf, ending: '.pdf' },
    { kind: 'xml', command: ['seal-xml'], input: inputs.xml, ending: '.xml' },
    {
      kind: 'container',
      command: ['seal-xml', '--container', 'asic-e'],
      input: inputs.text,
      ending: '.asice',
    },
  ] as const;
  const orders = forms.flatMap((form) => levels.map((level) => ({ ...form, level })));
  const made = await eachOf(orders, async ({ kind, command, input, ending, level }) => {
    const path = join(folder, `own-${kind}-${level}${ending}`);
    if (existsSync(path)) return { path, kind };
    const answer = await cli.run([...command, input, '--level', level, '-o', path, '--force']);
    if (answer.code !== 0) console.log(`no ${path}: ${answer.stderr.trim().slice(0, 300)}`);
    return { path, kind };
  });
  return made;
}

async function makeForeign(
  { root, tsaUrl }: Workshop,
  inputs: Inputs,
  folder: string,
): Promise<readonly Source[]> {
  const judge = findJudge();
  if (judge === undefined) return [];
  const orders = foreignForms.flatMap((form) => foreignLevels.map((each) => ({ form, ...each })));
  return await eachOf(orders, async ({ form, level, key, digest }) => {
    const { kind, format, more, input, ending, isDetached = false } = form;
    const path = join(folder, `dss-${format}-${more.at(-1) ?? 'plain'}-${level}${ending}`);
    const source: Source = { path, kind, ...(isDetached ? { beside: inputs[input] } : {}) };
    if (existsSync(path)) return source;
    const made = await run(
      judge,
      [
        ...['make', '--format', format, '--level', level, '--p12', join(folder, `${key}.p12`)],
        ...['--password', 'unseen', '--trust', root, '--tsa', tsaUrl, '--digest', digest],
        ...[...more, inputs[input], path],
      ],
      { timeoutMs: 120_000 },
    );
    if (!existsSync(path)) console.log(`no ${path}: ${made.stderr.trim().slice(0, 300)}`);
    return source;
  });
}
