import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { answerTimestampRequest } from '../../../../src/adapters/tsa/index.ts';
import { memorySource } from '../../../../src/base/bytes.ts';
import { der, oids } from '../../../../src/formats/asn1/index.ts';
import {
  addUnsignedAttribute,
  buildAttribute,
  buildSignedAttributes,
  buildSignedData,
  splitSignedData,
} from '../../../../src/formats/cms/index.ts';
import { addArchiveTimestamp } from '../../../../src/seal/cades/index.ts';
import { contentDigest } from '../../../../src/trust/content-digest.ts';
import { verifyTimestampFile } from '../../../../src/verify/cades/index.ts';
import { withEvidence } from '../../../../src/verify/existence/index.ts';
import type { CmsSignatureReport } from '../../../../src/verify/report/report.ts';
import {
  attributesOf,
  cadesBy,
  cadesContent,
  cadesContext,
  cadesTimestamps,
  checkCades,
  withAttributesOf,
} from '../../../support/cades.ts';
import {
  caExtensions,
  crlOf,
  dayMs,
  tokenBy,
  tsaExtensions,
} from '../../../support/hand-signed.ts';
import { makeTestPki, signWith } from '../../../support/pki.ts';
import { issuerOf } from '../../../support/tsa.ts';

const pki = makeTestPki();
const now = pki.nowMs;
const text = cadesContent.slice(0, cadesContent.lengthBytes);
const ago = (days: number) => now - days * dayMs;

const stampFile = tokenBy(pki, pki.member('tsa'), ago(1))(text);

describe('a time-stamp file', () => {
  test('is verified on its own', () => {
    const { report, proof } = verifyTimestampFile(stampFile, cadesContent, {
      ...cadesContext(pki),
      contentName: 'a.txt',
    });
    expect(proof.timeMs).toBe(ago(1));
    expect(report).toMatchObject({
      kind: 'document-timestamp',
      form: 'timestamp',
      indication: 'TOTAL-PASSED',
      intact: true,
      trusted: true,
      bestTime: new Date(ago(1)).toISOString(),
      timeProved: true,
      references: [{ target: 'a.txt', digest: 'sha256', status: 'valid' }],
    });
  });

  test.each([
    ['over different data', stampFile, 'HASH_FAILURE', 'changed'],
    ['that is malformed', Buffer.from('no token'), 'FORMAT_FAILURE', 'refused'],
  ])('%s fails', (_, token, subIndication, status) => {
    const other = memorySource(Buffer.from('something else'));
    const { report, proof } = verifyTimestampFile(token, other, cadesContext(pki));
    expect(proof.timeMs).toBeUndefined();
    expect(report).toMatchObject({
      indication: 'TOTAL-FAILED',
      subIndication,
      intact: false,
      trusted: false,
      references: [{ status }],
    });
    expect(report.findings).toHaveLength(1);
  });

  test('of an authority that expired is valid under a later time-stamp', () => {
    const tsa = pki.issue({
      name: 'short tsa',
      notBeforeMs: ago(20),
      notAfterMs: ago(10),
      extensions: tsaExtensions,
    });
    const token = tokenBy(pki, tsa, ago(15))(text);
    const context = cadesContext(pki);
    expect(verifyTimestampFile(token, cadesContent, context).report).toMatchObject({
      indication: 'INDETERMINATE',
      subIndication: 'OUT_OF_BOUNDS_NO_POE',
    });
    const times = { thisUpdateMs: ago(14), nextUpdateMs: ago(7) };
    const data = { certificates: [], ocsp: [], crls: [pki.crl(pki.member('ca'), times)] };
    const later = { ...context, provedMs: ago(12) };
    const revocation = withEvidence(later.revocation, data);
    const proved = verifyTimestampFile(token, cadesContent, { ...later, revocation });
    expect(proved.report.indication).toBe('TOTAL-PASSED');
    // EN 319 102-1 §5.6.2.2: past validation needs the status, whatever is ignored at present.
    expect(verifyTimestampFile(token, cadesContent, later).report).toMatchObject({
      indication: 'INDETERMINATE',
      subIndication: 'OUT_OF_BOUNDS_NO_POE',
    });
  });
});

describe('a covering time-stamp', () => {
  const outer = verifyTimestampFile(stampFile, cadesContent, cadesContext(pki));

  test('raises B-LT to B-LTA', async () => {
    const signature = await cadesBy(pki, 'B-LT');
    expect(checkCades(pki, signature).level).toBe('B-LT');
    expect(checkCades(pki, signature, { covering: [outer] })).toMatchObject({
      level: 'B-LTA',
      indication: 'TOTAL-PASSED',
      timeProved: true,
      bestTime: new Date(ago(1)).toISOString(),
    });
  });

  test.each(['B-B', 'B-T'] as const)('leaves %s unchanged', async (level) => {
    const signature = await cadesBy(pki, level);
    expect(checkCades(pki, signature, { covering: [outer] }).level).toBe(level);
  });

  test('that is invalid raises nothing', async () => {
    const other = memorySource(Buffer.from('something else'));
    const broken = verifyTimestampFile(stampFile, other, cadesContext(pki));
    const signature = await cadesBy(pki, 'B-LT');
    const report = checkCades(pki, signature, { covering: [broken] });
    expect(report).toMatchObject({ level: 'B-LT', bestTime: new Date(now).toISOString() });
  });
});

describe('an archive time-stamp', () => {
  // An authority whose certificate expired after the archive time-stamp was made.
  const ca = pki.issue({
    name: 'old ca',
    issuer: pki.member('root'),
    notBeforeMs: ago(1000),
    extensions: caExtensions,
  });
  const anchors = [ca.certificate];
  const member = (name: string, notAfterMs: number, more = {}) =>
    pki.issue({ name, issuer: ca, notBeforeMs: ago(1000), notAfterMs, ...more });
  const expiredTsa = member('expired tsa', ago(200), { extensions: tsaExtensions });
  const tsa = member('tsa', now + dayMs, { extensions: tsaExtensions });
  const signer = member('expired signer', ago(300));

  const signed = () => {
    const { algorithm, privateKey, certificate } = signer;
    const signedAttributes = buildSignedAttributes({
      contentType: oids.data,
      messageDigest: createHash('sha256').update(text).digest(),
      certificate,
      certificateDigest: 'sha256',
      signingTimeMs: ago(400),
    });
    const signature = signWith({ algorithm, privateKey }, signedAttributes);
    const cms = buildSignedData({
      digest: 'sha256',
      signedAttributes,
      signatureAlgorithm: algorithm,
      signature,
      certificate,
      certificates: [signer.der, ...signer.chain],
    });
    const token = tokenBy(pki, expiredTsa, ago(400))(signature);
    return { cms, attribute: buildAttribute(oids.signatureTimeStampToken, token) };
  };

  const archive = async (cms: Uint8Array, at: number) => {
    const issuer = { ...issuerOf(pki, tsa), now: () => at };
    const timestamp = async (request: Uint8Array) => answerTimestampRequest(request, issuer);
    const stamps = cadesTimestamps(pki, {
      authority: { name: 'test', timestamp },
      anchors,
      now: () => at,
    });
    return (await addArchiveTimestamp(cms, 0, contentDigest(cadesContent), stamps)).signature;
  };

  test('protects the signature time-stamp it covers', async () => {
    const { cms, attribute } = signed();
    const stamped = await archive(
      withAttributesOf(cms, () => [attribute]),
      ago(250),
    );
    // It was good during its validity.
    const given = { ocsp: [], crls: [crlOf(ca, ago(350), [])] };
    const revocation = { mode: 'ignore', given } as const;
    expect(checkCades(pki, stamped, { anchors, revocation })).toMatchObject({
      indication: 'TOTAL-PASSED',
      bestTime: new Date(ago(400)).toISOString(),
      timeProved: true,
    });
  });

  test('does not protect a signature time-stamp added after it', async () => {
    const { cms, attribute } = signed();
    const stamped = await archive(cms, ago(250));
    const forged = withAttributesOf(stamped, (attributes) => [...attributes, attribute]);
    expect(attributesOf(forged, oids.signatureTimeStampToken)).toHaveLength(1);
    expect(checkCades(pki, forged, { anchors })).toMatchObject({
      indication: 'INDETERMINATE',
      bestTime: new Date(ago(250)).toISOString(),
      trusted: false,
    });
  });
});

// ETSI TS 101 733 v2.2.1 §6.4.2: attributes are digested whole.
describe('an archive time-stamp with the older hash index', () => {
  const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();
  const list = (values: readonly Uint8Array[]) =>
    der.sequence(...values.map((each) => der.octetString(sha256(each))));

  async function archivedOldWay(): Promise<Uint8Array> {
    const signature = await cadesBy(pki, 'B-T');
    const { contentType, certificates, revocation, signers } = splitSignedData(signature);
    const [{ fields, unsignedAttributes } = { fields: [], unsignedAttributes: [] }] = signers;
    const index = der.sequence(list(certificates), list(revocation), list(unsignedAttributes));
    const content = sha256(cadesContent.slice(0, cadesContent.lengthBytes));
    const over = Buffer.concat([contentType, content, ...fields, index]);
    const token = addUnsignedAttribute(
      tokenBy(pki, pki.member('tsa'), pki.nowMs)(over),
      buildAttribute(oids.atsHashIndex, index),
    );
    return withAttributesOf(signature, (attributes) => [
      ...attributes,
      buildAttribute(oids.archiveTimeStampV3, token),
    ]);
  }
  const archiveOf = ({ timestamps }: CmsSignatureReport) =>
    timestamps.find(({ covers }) => covers === 'archive');

  test('is supported', async () => {
    const report = checkCades(pki, await archivedOldWay());
    expect(archiveOf(report)).toMatchObject({ valid: true, trusted: true });
  });

  test('is invalid if an attribute was removed', async () => {
    const bare = withAttributesOf(await archivedOldWay(), ([, ...attributes]) => attributes);
    const whole = withAttributesOf(await archivedOldWay(), ([first = new Uint8Array()]) => [first]);
    const reports = [bare, whole].map((each) => archiveOf(checkCades(pki, each)));
    expect(reports.some((each) => each?.valid === false)).toBe(true);
  });
});
