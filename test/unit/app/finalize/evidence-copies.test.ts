import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { showProcess } from '../../../../src/api/shapes/index.ts';
import { collectEvidence } from '../../../../src/app/finalize/gather-evidence.ts';
import { finalizeProcess } from '../../../../src/app/finalize/index.ts';
import { nameUser } from '../../../../src/app/sender/index.ts';
import { signByClick } from '../../../../src/app/signing/index.ts';
import { memorySource } from '../../../../src/base/bytes.ts';
import { linkViewer, seesAll } from '../../../../src/domain/access.ts';
import type { Signee } from '../../../../src/domain/process/index.ts';
import { asString, decodeText, openPdf } from '../../../../src/formats/pdf/index.ts';
import { personNames } from '../../../support/person-names.table.ts';
import { by, openSigningWorld, person, type SigningWorld } from '../../../support/signing.ts';

let world: SigningWorld;
beforeEach(async () => {
  world = await openSigningWorld();
});
afterEach(() => world.close());

/** A finished process whose signees have these languages. The process itself is Danish. */
async function finished(languages: readonly (string | undefined)[]) {
  const signees = languages.map((language, order) =>
    person(order + 1, { order, ...(language === undefined ? {} : { language }) }),
  );
  const policy = { language: 'Da', timeZone: 'Europe/Copenhagen' };
  const process = await world.open(signees, { user: 'owner@example.is' }, policy);
  for (const at of languages.keys()) await signByClick(world.ports, by(process, at));
  const { store, now } = world.ports;
  const request = {
    owner: 'w',
    kinds: ['finalize'] as const,
    nowMs: now(),
    leaseMs: 60_000,
    limit: 1,
  };
  const [job] = await store.claimJobs(request);
  if (job === undefined) throw new Error('no work');
  expect(await finalizeProcess(job, world.ports)).toBeUndefined();
  return world.read(process.key);
}

test.each([
  [[undefined, undefined], ['-masked.pdf da']],
  [['Da', 'da'], ['-masked.pdf da']],
  [['Pl'], ['-masked.pdf pl']],
  [
    ['Pl', 'Da', 'Is', 'Pl'],
    ['-masked.pdf da', '-masked-pl.pdf pl', '-masked-is.pdf is'],
  ],
])('signees with the languages %j get the copies %j', async (languages, expected) => {
  const process = await finished(languages);
  const copies: string[] = [];
  const links: string[][] = [];
  for (const { fileName, type, audience, document } of process.attachments) {
    if (type !== 'EvidencePage' || audience !== 'signees') continue;
    const file = openPdf(memorySource(await world.stored.blobs.get(document.sha256)));
    const lang = decodeText(asString(file.resolve(file.catalog.get('Lang'))) as never);
    copies.push(`${fileName.replace(/^.*-evidence/, '')} ${lang}`);
  }
  expect(copies).toEqual(expected);
  const listed = (viewer: Parameters<typeof showProcess>[2]) => {
    const shown = showProcess(process, 'https://sign.example', viewer) as {
      readonly attachmentReferences: readonly { readonly fileName: string }[];
    };
    return shown.attachmentReferences.map(({ fileName }) => fileName.replace(/^.*-evidence/, ''));
  };
  // Each signee has record and page in their own language; the company has its own two.
  for (const [at, { key }] of process.signees.entries()) {
    const language = (languages[at] ?? 'da').toLowerCase();
    const own = expected.find((each) => each.endsWith(` ${language}`))?.replace(/ .*/, '');
    links.push(listed(linkViewer(process, key)).sort());
    expect(links[at]).toEqual([own, '-masked.json'].sort());
  }
  expect(listed(seesAll)).toEqual(['.pdf', '.json']);
});

test('the evidence record contains the time zone of the process and the name of its sender', async () => {
  const named = { email: 'owner@example.is', name: 'Eva Jónsdóttir' };
  const { store, now } = world.ports;
  const { companyKey } = await world.open([person(9)]);
  await nameUser({ store, now }, companyKey, named);
  const { attachments } = await finished([undefined]);
  const records = attachments.filter(({ fileName }) => fileName.endsWith('.json'));
  const told = await Promise.all(
    records.map(async ({ document }) => {
      const text = Buffer.from(await world.stored.blobs.get(document.sha256)).toString('utf8');
      return (JSON.parse(text) as { readonly process: object }).process;
    }),
  );
  const both = { userName: named.name, timeZone: 'Europe/Copenhagen' };
  expect(told).toMatchObject([
    { ...both, user: named.email },
    { ...both, user: 'o…@…' },
  ]);
});

/** The company's record of a process that a certificate with this subject signed. */
async function recordWith(subject: string, hidePersonalCode: boolean) {
  const number = '6000101994';
  const [, common = ''] = /CN=((?:\\.|[^,+\\])+)/.exec(subject) ?? [];
  const name = common.replace(/\\(.)/g, '$1');
  const open = await world.open(
    [
      person(1, { ssn: number, hidePersonalCode, reason: 'kt. 600010-1994' }),
      person(2, { reason: `for ${number}` }),
    ],
    { fileName: `Loan ${number}.pdf` },
  );
  await signByClick(world.ports, by(open, 1));
  const process = await world.read(open.key);
  const [first, other] = process.signees as [Signee, Signee];
  const proof = { ...other.proof, field: 'Own', certificate: subject };
  const login = { ssn: number, name, who: 'w', method: 'm', atMs: 0 };
  const own = { ...first, signatureType: 'Qualified', proof, login } as unknown as Signee;
  const document = { sha256: 'ab'.repeat(32), lengthBytes: 1 };
  const { store, now } = world.ports;
  const signature = { kind: 'signature', name, signer: { subject }, intact: true };
  return store.read((unit) =>
    collectEvidence(unit, {
      process: { ...process, signees: [own, other] },
      ...{ signed: document, sealed: { ...document, level: 'B-T' } },
      // Once in the signee's field, once elsewhere.
      report: { signatures: ['Own', 'Other'].map((field) => ({ ...signature, field })) } as never,
      ...{ isSimulated: false, nowMs: now() },
    }),
  );
}

const numbersOf = (secrets: readonly string[]) => secrets.filter((each) => /^\d/.test(each));

describe('hidePersonalCode in the record of the company', () => {
  test.each(Object.entries(personNames))(
    'hides the secret: %s',
    async (_, { subject, secrets }) => {
      const shown = JSON.stringify([await recordWith(subject, false)]);
      const { signees, signatures, process } = await recordWith(subject, true);
      const hidden = JSON.stringify([signees, signatures, process]);
      const leaks = [...numbersOf(secrets), '6000101994', '600010-1994'];
      const named = JSON.stringify([
        ...signees.map((each) => [each.certificate, each.certificateName, each.identity]),
        ...signatures.map((each) => [each.name, each.subject]),
      ]);
      expect(leaks.filter((each) => named.includes(each))).toEqual([]);
      expect(hidden).not.toMatch(/600010-?1994/);
      expect(shown).toContain(JSON.stringify(subject).slice(1, -1));
      expect(shown).toMatch(/Loan 6000101994.*600010-1994.*for 6000101994/s);
      expect([process.fileName, ...signees.map(({ reason }) => reason)]).toEqual([
        ...['Loan …94.pdf', 'kt. …94', 'for …94'],
      ]);
      // Signees without hidePersonalCode, and mail addresses, are unchanged for the company.
      if (subject.includes('@')) expect(named).toContain('@bank.ee');
    },
  );
});
