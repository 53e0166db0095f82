import { describe, expect, test } from 'vitest';
import { oids } from '../../../src/formats/asn1/index.ts';
import type { Certificate } from '../../../src/formats/x509/index.ts';
import {
  type AlgorithmTable,
  type RevocationData,
  type SealLevel,
  sealContainer,
  sealPdf,
  sealXml,
  verifyDocument,
} from '../../../src/index.ts';
import { algorithmTable } from '../../../src/trust/algorithms/algorithm-suites.table.ts';
import { makeTestPki } from '../../support/pki.ts';
import { sampleOf } from '../../support/sample.ts';
import { fixture, sealOptions, signerOf } from '../../support/sealing.ts';

const DAY_MS = 86_400_000;
const pki = makeTestPki();
const trust = [pki.member('root').der];
const responderUse = { extendedKeyUsage: [oids.ocspSigning] };
/** Its key is RSA-2048, which will end. */
const weak = pki.issue({
  name: 'RSA responder',
  key: 'RSA-2048',
  extensions: { ...responderUse, ocspNoCheck: true },
});
/** Its key does not end, but it can be revoked itself. */
const revocable = pki.issue({ name: 'responder', extensions: responderUse });
const root = pki.member('root');
const ca = pki.member('ca');
const rsaCa = pki.issue({
  name: 'RSA CA',
  key: 'RSA-2048',
  issuer: root,
  extensions: {
    basicConstraints: { ca: true },
    keyUsage: ca.certificate.extensions.keyUsage,
  },
});
const ofRsaCa = pki.issue({ name: 'signer of the RSA CA', issuer: rsaCa });

const afterDays = (days: number) => new Date(pki.nowMs + days * DAY_MS);
/** RSA below 3000 bits ends a hundred days from now. */
const algorithms: AlgorithmTable = {
  ...algorithmTable,
  keys: { ...algorithmTable.keys, rsa: [[1900, afterDays(100).toISOString().slice(0, 10)]] },
};

interface Case {
  readonly signer: ReturnType<typeof pki.issue>;
  /** For the signer only; the status of authorities and CAs stays strong. */
  evidence(certificate: Certificate): Pick<RevocationData, 'ocsp' | 'crls'>;
}

const cases: Readonly<Record<string, Case>> = {
  'an OCSP response by a key that ends': {
    signer: pki.member('signer'),
    evidence: (certificate) => ({ ocsp: [pki.ocsp(certificate, { responder: weak })], crls: [] }),
  },
  'a CRL by a key that ends': {
    signer: ofRsaCa,
    evidence: () => ({ ocsp: [], crls: [pki.crl(rsaCa)] }),
  },
};

function optionsOf({ signer, evidence }: Case, level: SealLevel) {
  const isRoot = (issuer: Certificate) => Buffer.compare(issuer.der, root.der) === 0;
  const isSigner = (one: Certificate) => Buffer.compare(one.der, signer.der) === 0;
  return sealOptions(pki, {
    signer: signerOf(signer),
    level,
    revocation: {
      async find(certificate, issuer) {
        if (isRoot(issuer)) return { ocsp: [], crls: [pki.crl(root)] };
        return isSigner(certificate)
          ? evidence(certificate)
          : { ocsp: [pki.ocsp(certificate)], crls: [] };
      },
    },
  });
}

const text = (content: string) => new TextEncoder().encode(content);
const formats: Readonly<Record<string, (made: Case, level: SealLevel) => Promise<Uint8Array>>> = {
  PAdES: async (made, level) =>
    new Uint8Array((await sealPdf(fixture('agreement.pdf'), optionsOf(made, level))).bytes),
  XAdES: async (made, level) => (await sealXml(text('<a/>'), optionsOf(made, level))).bytes,
  'CAdES in ASiC-S': (made, level) => contained(made, level, 'asic-s', 'cades'),
  'CAdES in ASiC-E': (made, level) => contained(made, level, 'asic-e', 'cades'),
  'XAdES in ASiC-E': (made, level) => contained(made, level, 'asic-e', 'xades'),
};

async function contained(
  made: Case,
  level: SealLevel,
  container: 'asic-s' | 'asic-e',
  format: 'cades' | 'xades',
): Promise<Uint8Array> {
  const files = [{ name: 'a.txt', content: text('a') }];
  return (await sealContainer(files, { ...optionsOf(made, level), container, format })).bytes;
}

/** The conclusion two hundred days later, when the key has ended. */
async function later(document: Uint8Array, more: object = {}) {
  const { signatures } = await verifyDocument(document, {
    trust,
    at: afterDays(200),
    algorithms,
    ...more,
  });
  return signatures.find(({ kind }) => kind === 'signature');
}

describe.each(Object.entries(formats))('%s', (_, seal) => {
  test.each(sampleOf(Object.entries(cases), 2))(
    'accepts %s if it was archived in time',
    async (_name, made) => {
      expect(await later(await seal(made, 'B-LTA'))).toMatchObject({
        indication: 'TOTAL-PASSED',
        level: 'B-LTA',
      });
    },
  );

  test.each(sampleOf(Object.entries(cases), 3))(
    'rejects %s if no time-stamp covers it',
    async (_name, made) => {
      const found = await later(await seal(made, 'B-LT'));
      expect(found).toMatchObject({
        indication: 'INDETERMINATE',
        subIndication: 'CRYPTO_CONSTRAINTS_FAILURE_NO_POE',
        level: 'B-T',
      });
    },
  );

  test('rejects supplied revocation data whose key has ended, whatever the time-stamps', async () => {
    const made = cases['an OCSP response by a key that ends'] as Case;
    const strong = {
      ...made,
      evidence: (one: Certificate) => ({ ocsp: [pki.ocsp(one)], crls: [] }),
    };
    const document = await seal(strong, 'B-T');
    const { ocsp } = made.evidence(made.signer.certificate);
    const validationData = {
      ocsp: [...ocsp, pki.ocsp(pki.member('tsa').certificate)],
      crls: [pki.crl(root)],
    };
    const certificates = [ca.der];
    const more = { validationData, certificates };
    expect(await later(document, more)).toMatchObject({ indication: 'INDETERMINATE' });
    const now = await later(document, { ...more, at: afterDays(50) });
    expect(now).toMatchObject({ indication: 'TOTAL-PASSED' });
  });
});

describe('the revocation of a responder', () => {
  const made: Case = {
    signer: pki.member('signer'),
    evidence: (one) => ({
      ocsp: [
        pki.ocsp(one, { responder: revocable }),
        pki.ocsp(revocable.certificate, { responder: pki.member('ocsp') }),
      ],
      crls: [],
    }),
  };
  // A CRL would also cover the signer.
  const revokedAfter = (days: number) => ({
    validationData: {
      ocsp: [
        pki.ocsp(revocable.certificate, {
          status: 'revoked',
          revokedAtMs: pki.nowMs + days * DAY_MS,
          thisUpdateMs: pki.nowMs + 190 * DAY_MS,
          nextUpdateMs: pki.nowMs + 210 * DAY_MS,
        }),
      ],
      crls: [],
    },
  });

  test.each(Object.entries(formats))('after archiving does not matter: %s', async (_, seal) => {
    const document = await seal(made, 'B-LTA');
    expect(await later(document, revokedAfter(100))).toMatchObject({
      indication: 'TOTAL-PASSED',
      level: 'B-LTA',
    });
  });

  test.each(Object.entries(formats))(
    'before archiving invalidates its response: %s',
    async (_, seal) => {
      const document = await seal(made, 'B-LTA');
      const found = await later(document, revokedAfter(-1));
      expect(found).toMatchObject({ indication: 'INDETERMINATE' });
      const open = await later(await seal(made, 'B-LT'), revokedAfter(100));
      expect(open).toMatchObject({ indication: 'INDETERMINATE' });
    },
  );
});

describe('a response of a responder that has expired', () => {
  const short = pki.issue({
    name: 'short responder',
    extensions: { ...responderUse, ocspNoCheck: true },
    notAfterMs: pki.nowMs + 30 * DAY_MS,
  });
  const made: Case = {
    signer: pki.member('signer'),
    evidence: (one) => ({ ocsp: [pki.ocsp(one, { responder: short })], crls: [] }),
  };
  const modes = ['require', 'ignore'] as const;

  test.each(Object.entries(formats))('is not accepted alone: %s', async (_, seal) => {
    const document = await seal(made, 'B-LT');
    for (const revocationMode of modes) {
      expect(await later(document, { revocationMode })).toMatchObject({
        indication: 'INDETERMINATE',
        subIndication: 'REVOCATION_OUT_OF_BOUNDS_NO_POE',
        level: 'B-LT',
      });
      const now = { revocationMode, at: afterDays(20) };
      expect(await later(document, now)).toMatchObject({ indication: 'TOTAL-PASSED' });
    }
  });

  test.each(Object.entries(formats))(
    'is accepted if it was archived in time: %s',
    async (_, seal) => {
      const document = await seal(made, 'B-LTA');
      for (const revocationMode of modes) {
        expect(await later(document, { revocationMode })).toMatchObject({
          indication: 'TOTAL-PASSED',
          level: 'B-LTA',
        });
      }
    },
  );
});

test('an expired certificate of unknown status does not pass with revocation "ignore"', async () => {
  const signer = pki.issue({ name: 'short signer', notAfterMs: pki.nowMs + 30 * DAY_MS });
  const { bytes } = await sealPdf(
    fixture('agreement.pdf'),
    sealOptions(pki, { signer: signerOf(signer), level: 'B-T' }),
  );
  const more = { revocationMode: 'ignore' };
  expect(await later(new Uint8Array(bytes), more)).toMatchObject({
    indication: 'INDETERMINATE',
    subIndication: 'OUT_OF_BOUNDS_NO_POE',
    timeProved: true,
  });
  const now = { ...more, at: afterDays(20) };
  expect(await later(new Uint8Array(bytes), now)).toMatchObject({ indication: 'TOTAL-PASSED' });
});
