import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EidFailCode, EidSignature } from '../../../../src/app/ports/index.ts';
import { memorySource } from '../../../../src/base/bytes.ts';
import { defined } from '../../../../src/base/defined.ts';
import {
  contentOf,
  type DerNode,
  oids,
  readDer,
  readOid,
  readSequence,
} from '../../../../src/formats/asn1/index.ts';
import { parseSignedData, trimContents } from '../../../../src/formats/cms/index.ts';
import { listSignatureFields, openPdf, type PdfString } from '../../../../src/formats/pdf/index.ts';
import { scriptedEvidence } from '../../../support/eid/scripted-driver.ts';
import { beginScripted, type Kind, kindOf } from '../../../support/eid/scripted-signature.ts';
import { makeTestPki } from '../../../support/pki.ts';
import { openSigningWorld, type SigningWorld } from '../../../support/signing.ts';
import { testNowMs } from '../../../support/store.ts';

let world: SigningWorld;
const pki = makeTestPki({ nowMs: testNowMs });
const member = pki.issue({ name: 'Ödön Kőrösi' });
const rsaMember = pki.issue({ name: 'Ödön Kőrösi', key: 'RSA-2048' });
beforeAll(async () => {
  world = await openSigningWorld();
});
afterAll(() => world.close());

/** A signature in progress. `ssn` is the person who responds, if not the signee. */
const begin = (signing: Kind, ssn?: string, own = member, refusal?: EidFailCode) =>
  beginScripted(world, signing, own, { ...defined({ ssn, refusal }) });

const ways: readonly (readonly [string, Kind])[] = [
  ['a signature value, the certificate looked up', kindOf('raw', 'lookup')],
  ['a signature value, the certificate from a session', kindOf('raw', 'session')],
  ['a whole CMS', kindOf('cms')],
  ['evidence in a seal of the company', kindOf('evidence')],
  ['the signed document', kindOf('document')],
];

describe.each(ways)('a provider that delivers %s', (_, signing) => {
  test('signs the document once the person has agreed, and not before', async () => {
    const { script, process, poll, started } = await begin(signing);
    expect(started.verificationCode).toBe('0001');
    expect(await poll()).toMatchObject({ state: 'waiting', hint: 'userSign' });
    expect(await world.read(process.key)).toMatchObject({ documentRev: 0 });
    script.approve();
    const first = await poll();
    if (signing.certificate === 'session') {
      expect(first).toEqual({ state: 'waiting', verificationCode: '0002' });
      expect(script.purposes).toEqual(['certificate', 'sign']);
    }
    const signed = signing.certificate === 'session' ? await poll() : first;
    expect(signed).toMatchObject({ state: 'signed' });
    expect(await poll()).toMatchObject({ state: 'signed' });
    const { signatures } = await world.verify(process.key);
    expect(signatures).toHaveLength(1);
    expect(signatures[0]?.indication).not.toBe('TOTAL-FAILED');
    expect((await world.read(process.key)).lease).toBeUndefined();
  });

  test('rejects the response of another person and leaves the document unchanged', async () => {
    const { script, process, poll } = await begin(signing, '0103901099');
    const before = await world.bytes(process.key);
    script.approve();
    const mismatch = { code: 'authentication.error.signee.logon.mismatch' };
    await expect(poll()).rejects.toMatchObject(mismatch);
    expect(await world.bytes(process.key)).toEqual(before);
  });
});

describe('a provider that itself detects another person', () => {
  const mismatch = { code: 'authentication.error.signee.logon.mismatch' };

  test('has the signature rejected as a mismatch at every poll', async () => {
    const { script, process, poll } = await begin(kindOf('cms'));
    const before = await world.bytes(process.key);
    script.refuse('identityMismatch');
    await expect(poll()).rejects.toMatchObject(mismatch);
    await expect(poll()).rejects.toMatchObject(mismatch);
    expect(await world.bytes(process.key)).toEqual(before);
    expect((await world.read(process.key)).lease).toBeUndefined();
  });

  test('has the start rejected as a mismatch, unlike other failures', async () => {
    await expect(begin(kindOf('cms'), undefined, member, 'identityMismatch')).rejects.toMatchObject(
      mismatch,
    );
    await expect(begin(kindOf('cms'), undefined, member, 'notAUser')).rejects.toMatchObject({
      code: 'authentication.error.idp.start',
    });
  });
});

const spoilt: readonly (readonly [string, Kind, (made: EidSignature) => EidSignature])[] = [
  [
    'a signature value with one changed bit',
    kindOf('raw', 'lookup'),
    (made) => (made.delivery === 'raw' ? { ...made, value: flipped(made.value) } : made),
  ],
  [
    'a CMS with one changed bit in its signature',
    kindOf('cms'),
    (made) => (made.delivery === 'cms' ? { ...made, cms: flipped(made.cms) } : made),
  ],
  [
    'a different document',
    kindOf('document'),
    (made) =>
      made.delivery === 'document' ? { ...made, document: flipped(made.document, 200) } : made,
  ],
  ['another kind of signature', kindOf('raw', 'lookup'), () => ({ delivery: 'evidence' })],
];

function flipped(bytes: Uint8Array, at = bytes.length - 3): Uint8Array {
  const copy = Uint8Array.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
}

test.each(spoilt)('%s is never added to the document', async (_, signing, spoil) => {
  const { script, process, poll } = await begin(signing);
  const before = await world.bytes(process.key);
  script.spoil = spoil;
  script.approve();
  await expect(poll()).rejects.toMatchObject({ name: 'InnsigliError' });
  expect(await world.bytes(process.key)).toEqual(before);
});

test('a signature by a key that does not match the certificate is rejected', async () => {
  const { script, process, poll } = await begin(kindOf('raw', 'lookup'), undefined, rsaMember);
  const before = await world.bytes(process.key);
  script.spoil = (made) => ({ ...made, value: new Uint8Array(256) }) as EidSignature;
  script.approve();
  await expect(poll()).rejects.toMatchObject({ code: 'seal.selfcheck.failed' });
  expect(await world.bytes(process.key)).toEqual(before);
});

test('the evidence is embedded in the signature and covered by it', async () => {
  const { script, process, poll } = await begin(kindOf('evidence'));
  script.approve();
  await poll();
  const file = openPdf(memorySource(await world.bytes(process.key)));
  const [field] = listSignatureFields(file);
  const contents = field?.value?.get('Contents') as PdfString;
  const [signer] = parseSignedData(trimContents(contents.bytes)).signerInfos;
  const [attributes] = signer?.signedAttributes?.get(oids.signerAttributesV2) ?? [];
  const [assertions] = readSequence(attributes, 'attributes');
  const [assertion] = readSequence(readDer(contentOf(assertions as DerNode)), 'assertions');
  const [type, node] = readSequence(assertion, 'assertion') as [DerNode, DerNode];
  expect(readOid(type)).toBe(oids.eidEvidence);
  // DSS reads assertions as PrintableString.
  expect(node.tag).toBe(0x13);
  const json = Buffer.from(Buffer.from(contentOf(node)).toString('latin1'), 'base64');
  expect(JSON.parse(json.toString('utf8'))).toEqual(scriptedEvidence);
});

test.each(ways.slice(0, 4))('%s: the signature is visible on the page', async (_, signing) => {
  const { script, process, poll } = await begin(signing);
  script.approve();
  await poll();
  await poll();
  const file = openPdf(memorySource(await world.bytes(process.key)));
  const [field] = listSignatureFields(file);
  const area = (field?.dict.get('Rect') ?? []) as readonly number[];
  const [left = 0, bottom = 0, right = 0, top = 0] = area;
  expect((right - left) * (top - bottom)).toBeGreaterThan(1_000);
  expect(field?.dict.has('AP')).toBe(true);
});

test('large evidence of a provider is embedded', async () => {
  const { script, process, poll } = await begin(kindOf('evidence'));
  script.evidence = { ...scriptedEvidence, keys: 'k'.repeat(120_000) };
  script.approve();
  expect(await poll()).toMatchObject({ state: 'signed' });
  const { signatures } = await world.verify(process.key);
  expect(signatures[0]?.intact).toBe(true);
});

test('of concurrent polls only one asks the provider', async () => {
  const { script, process, poll } = await begin(kindOf('raw', 'lookup'));
  script.approve();
  const answers = await Promise.all([poll(), poll(), poll(), poll()]);
  expect(answers.filter(({ state }) => state === 'signed').length).toBeGreaterThan(0);
  // A result that is delivered once was also requested once.
  expect(script.completed).toBe(1);
  expect(await poll()).toMatchObject({ state: 'signed' });
  expect((await world.read(process.key)).signees[0]?.state).toBe('Signed');
});
