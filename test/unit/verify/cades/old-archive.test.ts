import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { concatBytes } from '../../../../src/base/bytes.ts';
import { der, oids } from '../../../../src/formats/asn1/index.ts';
import {
  buildAttribute,
  joinSignedData,
  type SignedDataParts,
  splitSignedData,
} from '../../../../src/formats/cms/index.ts';
import { buildTimestampRequest, requireToken } from '../../../../src/formats/tsp/index.ts';
import { cadesBy, cadesContent, checkCades } from '../../../support/cades.ts';
import { meaningless } from '../../../support/crafted-cms.ts';
import { makeTestPki } from '../../../support/pki.ts';
import { answerWithFault, testPolicy } from '../../../support/tsa.ts';

const pki = makeTestPki();
const content = cadesContent.slice(0, cadesContent.lengthBytes);

/** Older archive time-stamps: the type, and whether detached content is covered. */
const forms = [
  { name: 'archive-time-stamp-v2', type: oids.archiveTimeStampV2, beside: content },
  { name: 'archive-time-stamp', type: oids.archiveTimeStamp, beside: new Uint8Array() },
] as const;
type Form = (typeof forms)[number];

/** The data under the imprint of an older form. ETSI TS 101 733 v1.8.3 §6.4.1 */
function covered(parts: SignedDataParts, { beside }: Form, isTagged: boolean): Uint8Array {
  const { encapsulated, certificates, revocation, signers } = parts;
  const { fields = [], unsignedAttributes = [] } = signers[0] ?? {};
  return concatBytes([
    encapsulated,
    beside,
    der.element(0xa0, certificates),
    ...(revocation.length === 0 ? [] : [der.element(0xa1, revocation)]),
    ...fields,
    ...(isTagged ? [der.element(0xa1, unsignedAttributes)] : unsignedAttributes),
  ]);
}

async function archived(
  form: Form,
  isTagged = true,
  level: 'B-T' | 'B-LT' = 'B-T',
): Promise<SignedDataParts> {
  const parts = splitSignedData(await cadesBy(pki, level));
  const imprint = createHash('sha256')
    .update(covered(parts, form, isTagged))
    .digest();
  const request = buildTimestampRequest({ digest: 'sha256', imprint, policy: testPolicy });
  const token = requireToken(answerWithFault(pki, request), 'test');
  return withAttribute(parts, buildAttribute(form.type, token));
}

function withAttribute(parts: SignedDataParts, attribute: Uint8Array): SignedDataParts {
  const signers = parts.signers.map((signer) => ({
    ...signer,
    unsignedAttributes: [...signer.unsignedAttributes, attribute],
  }));
  return { ...parts, signers };
}

function archiveOf(parts: SignedDataParts) {
  const report = checkCades(pki, joinSignedData(parts));
  return { report, stamp: report.timestamps.find(({ covers }) => covers === 'archive') };
}

describe.each(forms)('an $name', (form) => {
  test.each([true, false])('covers everything except itself (with tag: %s)', async (isTagged) => {
    const { report, stamp } = archiveOf(await archived(form, isTagged));
    expect(report).toMatchObject({ indication: 'TOTAL-PASSED', intact: true });
    expect(stamp).toMatchObject({ valid: true, trusted: true });
  });

  // EN 319 122-1 §6.3: level LTA requires archive-time-stamp-v3.
  test('does not raise the level to B-LTA', async () => {
    expect(archiveOf(await archived(form, true, 'B-LT')).report).toMatchObject({ level: 'B-LT' });
  });

  test('does not cover an attribute added later', async () => {
    const { report, stamp } = archiveOf(withAttribute(await archived(form), meaningless()));
    expect(report).toMatchObject({ indication: 'TOTAL-PASSED' });
    expect(stamp).toMatchObject({ valid: false, problem: 'tsa.imprint.unknown' });
  });

  test('does not cover certificates added later', async () => {
    const parts = await archived(form);
    const more = { ...parts, certificates: [...parts.certificates, pki.member('rsa').der] };
    expect(archiveOf(more).stamp).toMatchObject({ valid: false, problem: 'tsa.imprint.unknown' });
  });
});
