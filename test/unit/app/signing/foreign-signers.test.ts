import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildName } from '../../../../src/formats/x509/index.ts';
import {
  beginScripted,
  type Kind,
  kindOf,
  nextNumber,
} from '../../../support/eid/scripted-signature.ts';
import { makeTestPki, type TestMember } from '../../../support/pki.ts';
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

/** Polls until the signature has come or is refused. */
async function finish(poll: () => Promise<{ readonly state: string }>) {
  const first = await poll();
  return first.state === 'waiting' ? poll() : first;
}

describe.each(ways)('with %s', (_, signing) => {
  test.each([
    ['another name', () => pki.issue({ name: 'Béla Ismeretlen' })],
    ['another national number', () => numbered('Ödön Kőrösi', 'PNOIS-0103901099')],
    ['another number and no scheme', () => numbered('Ödön Kőrösi', '0103901099')],
  ])('a certificate of %s signs nothing', async (_what, own) => {
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
  ])('a certificate with the number of the person, %s, signs', async (_what, written) => {
    const signeeSsn = nextNumber();
    const own = numbered('Kőrösi Ö', written(signeeSsn));
    const { script, poll } = await beginScripted(world, signing, own, { signeeSsn });
    script.approve();
    expect(await finish(poll)).toMatchObject({ state: 'signed' });
  });
});
