import { describe, expect, test } from 'vitest';
import { concatBytes, memorySource } from '../../../src/base/bytes.ts';
import { der, oids } from '../../../src/formats/asn1/index.ts';
import {
  beginUpdate,
  openPdf,
  type PdfDict,
  type PdfFile,
  type PdfObject,
  type PdfReference,
  PdfStream,
  type PdfUpdate,
} from '../../../src/formats/pdf/index.ts';
import { type VerifyOptions, verifyDocument } from '../../../src/index.ts';
import {
  caExtensions,
  cmsBy,
  crlOf,
  dayMs,
  signedFile,
  tokenBy,
  tsaExtensions,
  withStore,
} from '../../support/hand-signed.ts';
import { makeTestPki, type TestMember } from '../../support/pki.ts';
import { weakMember } from '../../support/weak-keys.ts';

const pki = makeTestPki();
const { nowMs } = pki;
const ago = (days: number) => nowMs - days * dayMs;
const root = pki.member('root');
const ca = pki.issue({
  name: 'ca of years',
  issuer: root,
  notBeforeMs: ago(29),
  extensions: caExtensions,
});
const signer = pki.issue({ name: 'signer', issuer: ca, notBeforeMs: ago(29) });
const tsa = pki.issue({ name: 'tsa', issuer: root, extensions: tsaExtensions });
const otherCa = pki.issue({ name: 'ca of tsa', issuer: root, extensions: caExtensions });
const otherTsa = pki.issue({ name: 'other tsa', issuer: otherCa, extensions: tsaExtensions });

const responding = { extendedKeyUsage: [oids.ocspSigning], ocspNoCheck: true };
const ocspOf = (member: TestMember, options: Parameters<typeof pki.ocsp>[1] = {}) =>
  pki.ocsp(member.certificate, { issuer: ca, responder: ca, certificates: [], ...options });
/** CRLs with status good for every certificate here. */
const good = { crls: [crlOf(root, nowMs), crlOf(ca, nowMs), crlOf(otherCa, nowMs)] };
const signed = () => signedFile(cmsBy(signer));
const stamped = (authority: TestMember, atMs: number) =>
  signedFile(cmsBy(signer, { stamp: tokenBy(pki, authority, atMs) }));

async function verify(file: Uint8Array, options: VerifyOptions = {}) {
  const at = new Date(nowMs);
  const report = await verifyDocument(file, { trust: [root.der], at, ...options });
  if (report.format !== 'pdf') throw new Error('a PDF expected');
  const [signature] = report.signatures;
  if (signature === undefined) throw new Error('a signature expected');
  const codes = signature.findings.map(({ code }) => code);
  return { ...signature, codes, whole: report };
}

const noData = { indication: 'INDETERMINATE', subIndication: 'TRY_LATER', intact: true } as const;
const passed = { indication: 'TOTAL-PASSED' } as const;
const revoked = { indication: 'INDETERMINATE', subIndication: 'REVOKED_NO_POE' } as const;
const revokedCa = { indication: 'INDETERMINATE', subIndication: 'REVOKED_CA_NO_POE' } as const;
const ignore = { revocationMode: 'ignore' } as const;

describe('an unknown revocation status (EN 319 102-1 §5.2.6)', () => {
  test('is INDETERMINATE / TRY_LATER unless revocation is ignored', async () => {
    const file = await signed();
    expect(await verify(file)).toMatchObject({ ...noData, trusted: true });
    expect((await verify(file)).codes).toContain('revocation.unknown');
    const ignored = await verify(file, ignore);
    expect(ignored).toMatchObject(passed);
    expect(ignored.codes).toContain('revocation.unknown');
    expect(ignored.whole.revocation).toEqual({ mode: 'ignore', asked: [] });
  });

  test("remains unknown if only the issuer's status is known", async () => {
    const file = withStore(await signed(), { crls: [crlOf(ca, nowMs)] });
    expect(await verify(file)).toMatchObject(noData);
  });

  test('is resolved by data in the file or supplied by the caller', async () => {
    expect(await verify(withStore(await signed(), good))).toMatchObject(passed);
    const validationData = { ocsp: [], ...good };
    expect(await verify(await signed(), { validationData })).toMatchObject(passed);
  });

  test('resolved by supplied data does not raise the level', async () => {
    const file = await stamped(tsa, nowMs);
    const validationData = { ocsp: [], ...good };
    expect(await verify(file, { validationData })).toMatchObject({ ...passed, level: 'B-T' });
    expect((await verify(withStore(file, good))).level).toBe('B-LT');
  });

  test('of a certificate that has expired since is OUT_OF_BOUNDS_NO_POE', async () => {
    const old = pki.issue({ name: 'old', issuer: ca, notBeforeMs: ago(29), notAfterMs: ago(2) });
    const file = await signedFile(cmsBy(old, { stamp: tokenBy(pki, tsa, ago(5)) }));
    const tsaKnown = withStore(file, { crls: [crlOf(root, nowMs)] });
    expect(await verify(tsaKnown)).toMatchObject({
      indication: 'INDETERMINATE',
      subIndication: 'OUT_OF_BOUNDS_NO_POE',
    });
    // Good during its validity, but no time then is proven.
    const unstamped = await signedFile(cmsBy(old));
    const then = { thisUpdateMs: ago(3), nextUpdateMs: ago(1) };
    const crls = [crlOf(root, nowMs), pki.crl(ca, { revoked: [], ...then })];
    expect(await verify(withStore(unstamped, { crls }))).toMatchObject({
      subIndication: 'OUT_OF_BOUNDS_NOT_REVOKED',
    });
  });
});

describe('no revocation data is required', () => {
  test('for trust anchors', async () => {
    expect(await verify(await signed(), { trust: [signer.der] })).toMatchObject(passed);
  });

  test('for short-term certificates marked as such (EN 319 412-1 §5.2.2)', async () => {
    const others = [{ name: oids.validityAssuredShortTerm, critical: false, value: der.nil() }];
    const short = pki.issue({ name: 'short', issuer: ca, extensions: { others } });
    const file = withStore(await signedFile(cmsBy(short)), { crls: [crlOf(root, nowMs)] });
    expect(await verify(file)).toMatchObject(passed);
    const bad = withStore(file, { crls: [crlOf(ca, nowMs, [[short, ago(1)]])] });
    expect(await verify(bad)).toMatchObject(revoked);
  });

  test('for responders with the nocheck extension, and no others', async () => {
    const withResponder = async (ocspNoCheck: boolean) => {
      const responder = pki.issue({
        name: `responder ${ocspNoCheck}`,
        issuer: ca,
        extensions: { extendedKeyUsage: [oids.ocspSigning], ocspNoCheck },
      });
      const ocsp = [ocspOf(signer, { responder, certificates: [responder.der] })];
      const { codes, ...conclusion } = await verify(
        withStore(await signed(), { ocsp, crls: [crlOf(root, nowMs)] }),
      );
      return conclusion;
    };
    expect(await withResponder(true)).toMatchObject(passed);
    expect(await withResponder(false)).toMatchObject(noData);
  });
});

describe.each([
  ['require', {}],
  ['ignore', ignore],
] as const)('a revocation (revocation mode "%s")', (_mode, options) => {
  test('of the issuing CA is honoured, whatever is unknown about the signer', async () => {
    const crls = [crlOf(root, nowMs, [[ca, ago(5)]])];
    const found = await verify(withStore(await signed(), { crls }), options);
    expect(found).toMatchObject(revokedCa);
    expect(found.codes).toContain('certificate.revoked');
  });

  test.each([
    ['CRL past its nextUpdate', { crls: [pki.crl(ca, { revoked: [signer], ...past() })] }],
    [
      'OCSP response past its nextUpdate',
      { ocsp: [ocspOf(signer, { status: 'revoked', ...past() })] },
    ],
  ])('by a %s is honoured', async (_title, data) => {
    expect(await verify(withStore(await signed(), data), options)).toMatchObject(revoked);
  });

  test('in supplied data is honoured, despite good data in the file', async () => {
    const validationData = { ocsp: [], crls: [crlOf(ca, nowMs, [[signer, ago(1)]])] };
    const file = withStore(await signed(), good);
    expect(await verify(file, { ...options, validationData })).toMatchObject(revoked);
  });

  test('in an earlier /DSS that an update removed is honoured', async () => {
    const held = withStore(await signed(), { crls: [crlOf(ca, nowMs, [[signer, ago(5)]])] });
    // False end-of-file markers do not hide an earlier store.
    for (const marks of ['', '%%EOF\n'.repeat(100)]) {
      const file = concatBytes([held, Buffer.from(marks)]);
      const pdf = openPdf(memorySource(file));
      const update = beginUpdate(pdf);
      const catalog = new Map([...pdf.catalog].filter(([key]) => key !== 'DSS'));
      update.set(pdf.catalogReference, catalog);
      const without = concatBytes([file, update.finish().bytes]);
      expect(openPdf(memorySource(without)).catalog.has('DSS')).toBe(false);
      expect(await verify(without, options)).toMatchObject(revoked);
    }
  });

  test('in an earlier /DSS whose list an update emptied in place is honoured', async () => {
    const crl = crlOf(ca, nowMs, [[signer, ago(5)]]);
    const update = (bytes: Uint8Array, change: (pdf: PdfFile, to: PdfUpdate) => void) => {
      const pdf = openPdf(memorySource(bytes));
      const to = beginUpdate(pdf);
      change(pdf, to);
      return concatBytes([bytes, to.finish().bytes]);
    };
    // The list becomes a separate object, so that the store is unchanged whatever it contains.
    const apart = update(await signed(), (pdf, to) => {
      const [stream, list] = [to.allocate(), to.allocate()];
      to.set(stream, new PdfStream(new Map([['Length', crl.length]]), crl));
      to.set(list, [stream]);
      const store: PdfObject = new Map<string, PdfObject>([['CRLs', list]]);
      to.set(pdf.catalogReference, new Map<string, PdfObject>(pdf.catalog).set('DSS', store));
    });
    const emptied = update(apart, (pdf, to) => {
      const store = pdf.resolve(pdf.catalog.get('DSS')) as PdfDict;
      to.set(store.get('CRLs') as PdfReference, []);
    });
    expect(await verify(apart, options)).toMatchObject(revoked);
    const found = await verify(emptied, options);
    expect(found).toMatchObject(revoked);
    expect(found.codes).toContain('document.changed');
  });

  test('in /VRI alone is honoured', async () => {
    const file = withRelated(await signed(), crlOf(ca, nowMs, [[signer, ago(5)]]));
    expect(await verify(file, options)).toMatchObject(revoked);
  });

  test('of the CA of a time-stamp authority before the time-stamp invalidates its proof of time', async () => {
    const file = withStore(await stamped(otherTsa, ago(10)), {
      crls: [crlOf(root, nowMs, [[otherCa, ago(20)]]), crlOf(ca, nowMs, [[signer, ago(5)]])],
    });
    const found = await verify(file, options);
    expect(found).toMatchObject({ ...revoked, timeProved: false });
    expect(found.codes).toContain('timestamp.time.unproved');
  });
});

/** The file with a store that contains only a /VRI entry. */
function withRelated(file: Uint8Array, crl: Uint8Array): Uint8Array {
  const pdf = openPdf(memorySource(file));
  const update = beginUpdate(pdf);
  const [stream, store] = [update.allocate(), update.allocate()];
  update.set(stream, new PdfStream(new Map([['Length', crl.length]]), crl));
  update.set(store, new Map([['VRI', new Map([['0A0B', new Map([['CRL', [stream]]])]])]]));
  update.set(pdf.catalogReference, new Map<string, PdfObject>(pdf.catalog).set('DSS', store));
  return concatBytes([file, update.finish().bytes]);
}

function past() {
  return { thisUpdateMs: ago(9), nextUpdateMs: ago(1) };
}

describe('a revocation after the best-signature-time', () => {
  const late = crlOf(ca, nowMs, [[signer, ago(5)]]);
  test('does not affect a signature with a proven earlier time', async () => {
    const file = withStore(await stamped(tsa, ago(10)), { crls: [crlOf(root, nowMs), late] });
    const found = await verify(file);
    expect(found).toMatchObject({ ...passed, timeProved: true });
    expect(found.codes).toContain('certificate.revoked');
  });

  test('is REVOKED_NO_POE without such a proof', async () => {
    const file = withStore(await signed(), { crls: [crlOf(root, nowMs), late] });
    expect(await verify(file)).toMatchObject(revoked);
  });

  test('does not pass if the status of the issuer is unknown', async () => {
    const file = withStore(await stamped(tsa, ago(10)), { crls: [late] });
    expect((await verify(file)).indication).toBe('INDETERMINATE');
  });
});

test('a certificate on hold is TRY_LATER (EN 319 102-1 §5.2.6.4)', async () => {
  const hold = pki.crl(ca, { revoked: [signer], reasonCode: 6 });
  const file = withStore(await signed(), { crls: [crlOf(root, nowMs), hold] });
  expect(await verify(file, ignore)).toMatchObject(noData);
});

test('a time-stamp whose authority has an unknown status proves no time', async () => {
  const file = withStore(await stamped(otherTsa, ago(1)), {
    crls: [crlOf(ca, nowMs), crlOf(root, nowMs)],
  });
  const found = await verify(file);
  expect(found).toMatchObject({ ...passed, timeProved: false });
  expect(found.codes).toContain('timestamp.time.unproved');
  expect(await verify(file, ignore)).toMatchObject({ timeProved: true });
});

// An absent status may be ignored; an existing weak one may not (EN 319 102-1 §5.2.6.4).
test('a time-stamp whose authority has a weakly signed status proves no time, even if ignored', async () => {
  const keyOf = weakMember(pki, 'an RSA key of 1024 bits');
  const options = { name: 'other responder', issuer: otherCa, extensions: responding };
  const statusBy = (responder: TestMember) =>
    pki.ocsp(otherTsa.certificate, { issuer: otherCa, responder });
  const timeOf = async (ocsp: Uint8Array) => {
    const crls = [crlOf(root, nowMs), crlOf(ca, nowMs)];
    return verify(withStore(await stamped(otherTsa, ago(1)), { ocsp: [ocsp], crls }), ignore);
  };
  expect(await timeOf(statusBy(pki.issue(options)))).toMatchObject({ ...passed, timeProved: true });
  const weak = await timeOf(statusBy(pki.issue({ ...options, keyOf })));
  expect(weak).toMatchObject({ ...passed, timeProved: false });
  expect(weak.codes).toContain('timestamp.time.unproved');
});

describe('B-LT is not reached with revocation data', () => {
  const weak = weakMember(pki, 'an RSA key of 1024 bits', responding);
  const late = pki.issue({
    name: 'late responder',
    issuer: ca,
    notAfterMs: ago(1),
    extensions: responding,
  });
  test('of a responder that had expired', async () => {
    const file = withStore(await stamped(tsa, nowMs), {
      ocsp: [ocspOf(signer, { responder: late, certificates: [late.der] })],
      crls: [crlOf(root, nowMs)],
    });
    const subIndication = 'REVOCATION_OUT_OF_BOUNDS_NO_POE';
    expect(await verify(file)).toMatchObject({ ...noData, subIndication, level: 'B-T' });
  });

  test.each([
    ['a response older than the certificate', { thisUpdateMs: ago(40) }],
    ['a response that states a time after its signature', { producedAtMs: nowMs - 60_000 }],
  ])('that is unusable: %s', async (_title, options) => {
    const file = withStore(await stamped(tsa, nowMs), {
      ocsp: [ocspOf(signer, options)],
      crls: [crlOf(root, nowMs)],
    });
    expect(await verify(file)).toMatchObject({ ...noData, level: 'B-T' });
  });

  test('of a responder with a weak key', async () => {
    const own = pki.member('signer');
    const file = withStore(await signedFile(cmsBy(own, { stamp: tokenBy(pki, tsa, nowMs) })), {
      ocsp: [pki.ocsp(own.certificate, { responder: weak })],
      crls: [crlOf(root, nowMs)],
    });
    const found = await verify(file);
    const subIndication = 'CRYPTO_CONSTRAINTS_FAILURE_NO_POE';
    expect(found).toMatchObject({ ...noData, subIndication, level: 'B-T' });
    expect(found.findings.find(({ code }) => code === 'revocation.unknown')?.message).toMatch(
      /1024 bits is too weak/,
    );
  });
});
