import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildName } from '../../../../src/formats/x509/index.ts';
import {
  beginScripted,
  type Kind,
  kindOf,
  nextNumber,
} from '../../../support/eid/scripted-signature.ts';
import { makeTestPki, type TestMember } from '../../../support/pki.ts';
import { bodies, documentOf, forged, page, updated } from '../../../support/shadow.ts';
import { openSigningWorld, type SigningWorld } from '../../../support/signing.ts';
import { testNowMs } from '../../../support/store.ts';

let world: SigningWorld;
const pki = makeTestPki({ nowMs: testNowMs });
beforeAll(async () => {
  world = await openSigningWorld();
});
afterAll(() => world.close());

/** A member with a serial number in its subject. */
function numbered(name: string, serialNumber: string): TestMember {
  const subjectDer = buildName({ countryName: 'IS', commonName: name, serialNumber });
  return pki.issue({ name, subjectDer });
}

const ways: readonly (readonly [string, Kind])[] = [
  ['a signature value, the certificate looked up', kindOf('raw', 'lookup')],
  ['a signature value, the certificate from a session', kindOf('raw', 'session')],
  ['a whole CMS', kindOf('cms')],
  ['the signed document', kindOf('document')],
];
const mismatch = { code: 'authentication.error.signee.logon.mismatch' };

/** Polls until the signature is delivered or rejected. */
async function finish(poll: () => Promise<{ readonly state: string }>) {
  const first = await poll();
  return first.state === 'waiting' ? poll() : first;
}

describe.each(ways)('a provider that delivers %s', (_, signing) => {
  test.each([
    ['another name', () => pki.issue({ name: 'Béla Ismeretlen' })],
    ['another national number', () => numbered('Ödön Kőrösi', 'PNOIS-0103901099')],
    ['another number and no scheme', () => numbered('Ödön Kőrösi', '0103901099')],
  ])('a certificate with %s is rejected', async (_what, own) => {
    const { script, process, poll } = await beginScripted(world, signing, own());
    const before = await world.bytes(process.key);
    script.approve();
    await expect(finish(poll)).rejects.toMatchObject(mismatch);
    await expect(poll()).rejects.toMatchObject(mismatch);
    expect(await world.bytes(process.key)).toEqual(before);
    expect((await world.read(process.key)).lease).toBeUndefined();
  });

  test.each([
    ['with its scheme', (number: string) => `PNOIS-${number}`],
    ['alone, with a hyphen', (number: string) => `${number.slice(0, 6)}-${number.slice(6)}`],
  ])(
    'a certificate with the national number of the person, %s, is accepted',
    async (_what, written) => {
      const signeeSsn = nextNumber();
      const own = numbered('Kőrösi Ö', written(signeeSsn));
      const { script, poll } = await beginScripted(world, signing, own, { signeeSsn });
      script.approve();
      expect(await finish(poll)).toMatchObject({ state: 'signed' });
    },
  );
});

const forgedPage = page('8 0 R');
const note = '<</Type/Annot/Subtype/FreeText/Rect[9 9 99 99]/Contents(PAY 99)/DA(/Helv 9 Tf)>>';
const withNote = page('4 0 R').replace(/>>$/, '/Annots[7 0 R]>>');

const alterations: readonly (readonly [string, (document: Uint8Array) => Uint8Array])[] = [
  ['replaced page content', (document) => updated(document, { 4: forged })],
  [
    'a replaced page',
    (document) => updated(document, { 2: '<</Type/Pages/Kids[6 0 R]/Count 1>>', 6: forgedPage }),
  ],
  ['an added note', (document) => updated(document, { 3: withNote, 7: note })],
];

test.each(alterations)('a signed document with %s is rejected', async (_, alter) => {
  const content = documentOf(bodies());
  const own = pki.issue({ name: 'Ödön Kőrösi' });
  const { script, process, poll } = await beginScripted(world, kindOf('document'), own, {
    content,
  });
  script.alter = alter;
  script.approve();
  await expect(poll()).rejects.toMatchObject({ code: 'seal.selfcheck.failed' });
  expect(await world.bytes(process.key)).toEqual(Buffer.from(content));
});

test('a signed document that is the original plus its signature is accepted', async () => {
  const content = documentOf(bodies());
  const own = pki.issue({ name: 'Ödön Kőrösi' });
  const { script, poll } = await beginScripted(world, kindOf('document'), own, { content });
  script.approve();
  expect(await poll()).toMatchObject({ state: 'signed' });
});
