import { describe, expect, test } from 'vitest';
import { sealContainer } from '../../../src/app/documents/container/seal-container.ts';
import { augmentPdf } from '../../../src/app/documents/pdf/augment-pdf.ts';
import { sealPdf } from '../../../src/app/documents/pdf/seal-pdf.ts';
import type { SealPorts } from '../../../src/app/documents/seal-ports.ts';
import { sealXml } from '../../../src/app/documents/xml/seal-xml.ts';
import { memorySource } from '../../../src/base/bytes.ts';
import { oids } from '../../../src/formats/asn1/index.ts';
import { parseTrustedList } from '../../../src/formats/tsl/index.ts';
import { parseXml } from '../../../src/formats/xml/index.ts';
import { createQualifier, type ListEvidence } from '../../../src/verify/qualification/index.ts';
import { makeTestPki, type TestOcspOptions } from '../../support/pki.ts';
import { countingRandom, fixture, signerOf } from '../../support/sealing.ts';
import { listNowMs, listXml, type TestService } from '../../support/trusted-lists.ts';
import { testAuthority } from '../../support/tsa.ts';

// Responses that `verify` accepts by trusted lists, `seal` and `archive` embed (docs/adr/0040).
const pki = makeTestPki({ nowMs: listNowMs });
const foreign = makeTestPki({ nowMs: listNowMs });
const root = pki.member('root');
/** Issued by another authority, without id-pkix-ocsp-nocheck. */
const responder = foreign.issue({
  name: 'responder',
  extensions: { extendedKeyUsage: [oids.ocspSigning] },
});

function listOf(services: readonly TestService[]): ListEvidence {
  const list = parseTrustedList(parseXml(Buffer.from(listXml({ services }))));
  const { territory, sequenceNumber } = list;
  return { territory, sequenceNumber, services: list.services };
}

const issuing = { certificates: [pki.member('ca').der] };
const answering = {
  type: 'Certstatus/OCSP/QC',
  information: [],
  certificates: [responder.der],
} as const;
const { isListedResponder } = createQualifier([listOf([issuing, answering])]);
const withdrawn = createQualifier([listOf([issuing, { ...answering, status: 'withdrawn' }])]);

/** Ports whose revocation source only has OCSP responses of the listed responder. */
function ports(changes: Partial<SealPorts> = {}, options: TestOcspOptions = {}): SealPorts {
  return {
    signer: signerOf(pki.member('signer')),
    authority: testAuthority(pki),
    anchors: [root.certificate],
    revocation: {
      async find(certificate, issuer) {
        const isTop = Buffer.compare(issuer.der, root.der) === 0;
        if (isTop) return { ocsp: [], crls: [pki.crl(root)] };
        return { ocsp: [pki.ocsp(certificate, { responder, ...options })], crls: [] };
      },
    },
    now: () => listNowMs,
    random: countingRandom(),
    ...changes,
  };
}

const source = () => memorySource(fixture('agreement.pdf'));
const files = [{ name: 'a.txt', content: Buffer.from('a') }];
const made = {
  PDF: (given: SealPorts) => sealPdf({ source: source(), level: 'B-LTA' }, given),
  XML: (given: SealPorts) =>
    sealXml({ source: Buffer.from('<a/>'), level: 'B-LTA', packaging: 'enveloped' }, given),
  'a container with CAdES': (given: SealPorts) =>
    sealContainer({ files, container: 'asic-s', format: 'cades', level: 'B-LTA' }, given),
  'a container with XAdES': (given: SealPorts) =>
    sealContainer({ files, container: 'asic-e', format: 'xades', level: 'B-LTA' }, given),
  'an archived PDF': async (given: SealPorts) => {
    const { bytes } = await sealPdf({ source: source(), level: 'B-B' }, given);
    return augmentPdf(memorySource(new Uint8Array(bytes)), given);
  },
};

describe.each(Object.entries(made))('%s with OCSP responses of a listed responder', (_, seal) => {
  test('reaches B-LTA if the trusted lists authorise it', async () => {
    const { level, report } = await seal(ports({ isListedResponder }));
    expect(level).toBe('B-LTA');
    expect(report.indication).toBe('TOTAL-PASSED');
  });

  test.each([
    ['no lists are available', undefined],
    ['the list has withdrawn it', withdrawn.isListedResponder],
  ])('is rejected if %s', async (_name, listed) => {
    await expect(seal(ports({ isListedResponder: listed }))).rejects.toMatchObject({
      code: 'revocation.missing',
      message: expect.stringContaining('not authorised by the issuer'),
    });
  });

  test('is rejected if the responses report a revocation', async () => {
    const given = ports({ isListedResponder }, { status: 'revoked' });
    await expect(seal(given)).rejects.toMatchObject({ code: 'certificate.revoked' });
  });
});
