import { describe, expect, test } from 'vitest';
import { concatBytes, latin1Bytes, memorySource } from '../../src/base/bytes.ts';
import { defined } from '../../src/base/defined.ts';
import { limits } from '../../src/base/limits.ts';
import { oids } from '../../src/formats/asn1/index.ts';
import {
  beginUpdate,
  openPdf,
  type PdfFile,
  PdfName,
  type PdfObject,
  type PdfReference,
  PdfStream,
  type PdfUpdate,
} from '../../src/formats/pdf/index.ts';
import { keyUsageBits } from '../../src/formats/x509/index.ts';
import { verifyDocument } from '../../src/index.ts';
import {
  caExtensions,
  cmsBy,
  crlOf,
  dayMs,
  signedFile,
  withStore,
} from '../support/hand-signed.ts';
import { manyCertificates } from '../support/many-signatures.ts';
import { makeTestPki, type TestMember } from '../support/pki.ts';
import { costlyTest } from '../support/sample.ts';

/*
 * An update tries to hide a revocation contained in the file: by values that use up limits, or by
 * changing the dictionary of a stream that stays in place.
 */

const pki = makeTestPki();
const { nowMs } = pki;
const root = pki.member('root');
const issued = { issuer: root, notBeforeMs: nowMs - 29 * dayMs, extensions: caExtensions };
const ca = pki.issue({ name: 'issuing ca', ...issued });
const signer = pki.issue({ name: 'signer', issuer: ca, notBeforeMs: nowMs - 29 * dayMs });
const good = [crlOf(root, nowMs), crlOf(ca, nowMs)];
const revoking = crlOf(ca, nowMs, [[signer, nowMs - 5 * dayMs]]);

function update(bytes: Uint8Array, change: (pdf: PdfFile, to: PdfUpdate) => void): Uint8Array {
  const pdf = openPdf(memorySource(bytes));
  const to = beginUpdate(pdf);
  change(pdf, to);
  return concatBytes([bytes, to.finish().bytes]);
}

const streamOf = (bytes: Uint8Array) => new PdfStream(new Map([['Length', bytes.length]]), bytes);

function addAll(to: PdfUpdate, values: readonly Uint8Array[]): PdfReference[] {
  return values.map((bytes) => {
    const reference = to.allocate();
    to.set(reference, streamOf(bytes));
    return reference;
  });
}

function setStore(pdf: PdfFile, to: PdfUpdate, store: ReadonlyMap<string, PdfObject>): void {
  to.set(pdf.catalogReference, new Map<string, PdfObject>(pdf.catalog).set('DSS', store));
}

/** CRLs that name the issuer but are not signed by it. */
function forgedCrls(count: number): Uint8Array[] {
  return Array.from({ length: count }, (_, index) => {
    const forged = Uint8Array.from(good[1] as Uint8Array);
    new DataView(forged.buffer).setUint32(forged.length - 40, index);
    return forged;
  });
}

/** The conclusion, or the error code. */
async function conclude(bytes: Uint8Array, revocationMode: 'require' | 'ignore'): Promise<string> {
  try {
    const at = new Date(nowMs);
    const report = await verifyDocument(bytes, { trust: [root.der], at, revocationMode });
    return report.signatures[0]?.subIndication ?? report.indication;
  } catch (error) {
    return (error as { readonly code: string }).code;
  }
}

describe.each(['require', 'ignore'] as const)(
  'hidden revocation data with --revocation %s',
  (mode) => {
    test('control: good data pass, and a revocation next to them counts', async () => {
      const file = await signedFile(cmsBy(signer));
      expect(await conclude(withStore(file, { crls: good }), mode)).toBe('TOTAL-PASSED');
      const revoked = withStore(file, { crls: [...good, revoking] });
      expect(await conclude(revoked, mode)).toBe('REVOKED_NO_POE');
    });

    test('values in /VRI do not displace an earlier store', async () => {
      const held = withStore(await signedFile(cmsBy(signer)), { crls: [revoking] });
      for (const count of [600, limits.certificates + 10]) {
        const file = update(held, (pdf, to) => {
          const junk = Array.from({ length: count }, (_, index) => latin1Bytes(`junk ${index}`));
          const entry = new Map<string, PdfObject>([['CRL', addAll(to, junk.slice(0, 4096))]]);
          const more = new Map<string, PdfObject>([['CRL', addAll(to, junk.slice(4096))]]);
          const related = new Map([
            ['A'.repeat(40), entry],
            ['B'.repeat(40), more],
          ]);
          const store = new Map<string, PdfObject>([['CRLs', addAll(to, good)]]);
          setStore(pdf, to, store.set('VRI', related));
        });
        expect(['REVOKED_NO_POE', 'limit.exceeded']).toContain(await conclude(file, mode));
      }
    });

    test('forged CRLs in the name of the issuer do not use up the signature checks', async () => {
      // An unseen one: results of signature verification are cached.
      const unseen = crlOf(ca, nowMs, [[signer, nowMs - (mode === 'ignore' ? 3 : 4) * dayMs]]);
      const crls = [...good, ...forgedCrls(600), unseen];
      const file = update(await signedFile(cmsBy(signer)), (pdf, to) => {
        setStore(pdf, to, new Map<string, PdfObject>([['CRLs', addAll(to, crls)]]));
      });
      expect(['REVOKED_NO_POE', 'limit.exceeded']).toContain(await conclude(file, mode));
    });

    test('an over-long list of streams does not hide the ones at its end', async () => {
      const file = update(await signedFile(cmsBy(signer)), (pdf, to) => {
        const junk = Array.from({ length: limits.certificates }, (_, at) => latin1Bytes(`${at}`));
        const crls = [...good, ...junk, revoking];
        setStore(pdf, to, new Map<string, PdfObject>([['CRLs', addAll(to, crls)]]));
      });
      expect(['REVOKED_NO_POE', 'limit.exceeded']).toContain(await conclude(file, mode));
    });

    test('a stream whose /Filter is redefined later is read as before', async () => {
      let filter: PdfReference | undefined;
      const held = update(await signedFile(cmsBy(signer)), (pdf, to) => {
        const [list, stream] = [to.allocate(), to.allocate()];
        filter = list;
        to.set(list, []);
        const dict = new Map<string, PdfObject>([
          ['Length', revoking.length],
          ['Filter', list],
        ]);
        to.set(stream, new PdfStream(dict, revoking));
        setStore(pdf, to, new Map<string, PdfObject>([['CRLs', [stream]]]));
      });
      expect(await conclude(held, mode)).toBe('REVOKED_NO_POE');
      const file = update(held, (_, to) =>
        to.set(filter as PdfReference, [new PdfName('FlateDecode')]),
      );
      expect(await conclude(file, mode)).toBe('REVOKED_NO_POE');
    });

    test('a stream behind a chain of references that changes later is read as before', async () => {
      let middle: PdfReference | undefined;
      const held = update(await signedFile(cmsBy(signer)), (pdf, to) => {
        const [stream] = addAll(to, [revoking]);
        middle = to.allocate();
        const first = to.allocate();
        to.set(middle, stream as PdfReference);
        to.set(first, middle);
        setStore(pdf, to, new Map<string, PdfObject>([['CRLs', [first]]]));
      });
      expect(await conclude(held, mode)).toBe('REVOKED_NO_POE');
      const file = update(held, (_, to) => to.set(middle as PdfReference, null));
      expect(await conclude(file, mode)).toBe('REVOKED_NO_POE');
    });

    test("certificates in the name of the evidence's signer do not hide that signer", async () => {
      const keys = { basicConstraints: { ca: true }, keyUsage: keyUsageBits.cRLSign };
      const rekeyed = pki.issue({ name: 'issuing ca', ...issued });
      const responding = { extendedKeyUsage: [oids.ocspSigning], ocspNoCheck: true };
      const responder = pki.issue({ name: 'responder', issuer: ca, extensions: responding });
      // Anyone can have a certificate issued for a public key; these are not issued by a trusted
      // CA.
      const decoysOf = ({ name, certificate, ...keyOf }: TestMember) =>
        Array.from({ length: 20 }, () => {
          const { subjectKeyId } = certificate.extensions;
          const extensions = { ...responding, ...keys, ...defined({ subjectKeyId }) };
          return pki.issue({ name, issuer: signer, keyOf: keyOf as TestMember, extensions }).der;
        });
      const decoys = [...decoysOf(responder), ...decoysOf(rekeyed)];
      const names = { issuer: ca, responder, certificates: [] };
      const ocsp = [pki.ocsp(signer.certificate, { ...names, status: 'revoked' })];
      const crls = [crlOf(rekeyed, nowMs, [[signer, nowMs - 5 * dayMs]])];
      for (const evidence of [{ ocsp }, { crls }]) {
        const data = { ...evidence, crls: [...good, ...(evidence.crls ?? [])] };
        for (const first of [[], decoys]) {
          const certificates = [...first, responder.der, rekeyed.der];
          const file = withStore(await signedFile(cmsBy(signer)), { ...data, certificates });
          expect(await conclude(file, mode)).toBe('REVOKED_NO_POE');
        }
      }
    });

    test('certificates that fill the limit do not hide an OCSP responder', async () => {
      const extensions = { extendedKeyUsage: [oids.ocspSigning], ocspNoCheck: true };
      const responder = pki.issue({ name: 'last responder', issuer: ca, extensions });
      const names = { issuer: ca, responder, certificates: [] };
      const ocsp = [pki.ocsp(signer.certificate, { ...names, status: 'revoked' })];
      const told = withStore(await signedFile(cmsBy(signer)), {
        ocsp,
        crls: good,
        certificates: [responder.der],
      });
      const many = [ca.der, ...manyCertificates(signer.der, limits.certificates - 1)];
      const file = update(told, (pdf, to) => {
        const store = pdf.resolve(pdf.catalog.get('DSS')) as ReadonlyMap<string, PdfObject>;
        setStore(pdf, to, new Map([...store]).set('Certs', addAll(to, many)));
      });
      expect(await conclude(told, mode)).toBe('REVOKED_NO_POE');
      expect(['REVOKED_NO_POE', 'limit.exceeded']).toContain(await conclude(file, mode));
    });

    costlyTest('neither many updates nor long ones hide an earlier store', async () => {
      const file = await signedFile(cmsBy(signer));
      const long = concatBytes([latin1Bytes('%'), new Uint8Array(17 * 1024 * 1024).fill(0x20)]);
      const before = [Buffer.from('%%EOF\n'.repeat(100)), long];
      for (const first of before) {
        // The store of a user who archives a document prepared by an attacker.
        const held = withStore(concatBytes([file, first, latin1Bytes('\n')]), { crls: [revoking] });
        expect(await conclude(held, mode)).toBe('REVOKED_NO_POE');
        const hidden = update(held, (pdf, to) => {
          setStore(pdf, to, new Map<string, PdfObject>([['CRLs', addAll(to, good)]]));
        });
        expect(['REVOKED_NO_POE', 'limit.exceeded']).toContain(await conclude(hidden, mode));
      }
    });
  },
);
