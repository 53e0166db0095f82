import { defined } from '../../base/defined.ts';
import { attempt, isInnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { type Certificate, describeName, parseOcspResponse } from '../../formats/x509/index.ts';
import type { RevocationSource } from '../../seal/ports.ts';
import type { RevocationEvidence } from '../../verify/existence/index.ts';
import type { RevocationInquiry } from '../../verify/report/index.ts';

/** A certificate with unknown revocation status. */
interface Wanted {
  readonly certificate: Certificate;
  readonly issuer: Certificate;
}

/** Queries for the revocation status of the certificates of one document. */
export interface Inquiry {
  /** Evidence collected so far. */
  readonly evidence: RevocationEvidence;
  /** Certificates contained in OCSP responses, DER. */
  readonly certificates: readonly Uint8Array[];
  readonly asked: readonly RevocationInquiry[];
  /** Adds a certificate to query; again if the response was not accepted. */
  want(certificate: Certificate, issuer: Certificate): void;
  /** Queries the added certificates; true if any data was received. */
  ask(): Promise<boolean>;
}

/** Queries per certificate; the second one fetches the CRL if the OCSP response was rejected. */
const MAX_ATTEMPTS = 2;

/** Creates an inquiry that queries `source`. A failure is recorded in `asked` and is not thrown. */
export function openInquiry(source: RevocationSource): Inquiry {
  const attempts = new Map<Certificate, number>();
  const asked: RevocationInquiry[] = [];
  const ocsp: Uint8Array[] = [];
  const crls: Uint8Array[] = [];
  const certificates: Uint8Array[] = [];
  let wanted: Wanted[] = [];

  const askOne = async ({ certificate, issuer }: Wanted): Promise<boolean> => {
    const name = describeName(certificate.subjectDer);
    const note = ({ source: from, ...said }: Omit<RevocationInquiry, 'certificate'>) => {
      if (asked.some((one) => one.certificate === name && one.source === from)) return;
      asked.push({ certificate: name, source: from, ...said });
    };
    try {
      const found = await source.find(certificate, issuer);
      for (const { name: address, message } of found.asked ?? []) {
        note({ source: address, answered: message === undefined, ...defined({ message }) });
      }
      const came = found.ocsp.length + found.crls.length > 0;
      if (found.asked === undefined) note(came ? atHand : nowhere);
      ocsp.push(...found.ocsp);
      crls.push(...found.crls);
      certificates.push(...found.ocsp.flatMap(certificatesIn));
      return came;
    } catch (error) {
      if (!isInnsigliError(error)) throw error;
      const { findings, message } = error;
      for (const { name: address, message: why } of findings) {
        note({ source: address, answered: false, message: why });
      }
      if (findings.length === 0) note({ source: 'revocation source', answered: false, message });
      return false;
    }
  };

  return {
    evidence: { ocsp, crls },
    certificates,
    asked,
    want(certificate, issuer) {
      const count = attempts.get(certificate) ?? 0;
      const isNew = count === 0;
      if (wanted.some((one) => one.certificate === certificate) || count >= MAX_ATTEMPTS) return;
      if (isNew && attempts.size >= limits.inquiredCertificates) return;
      attempts.set(certificate, count + 1);
      wanted.push({ certificate, issuer });
    },
    async ask() {
      const due = wanted;
      wanted = [];
      let came = false;
      for (const one of due) came = (await askOne(one)) || came;
      return came;
    },
  };
}

const atHand = { source: 'available revocation data', answered: true };
const nowhere = {
  source: 'addresses of the certificate',
  answered: false,
  message: 'it has none',
};

const certificatesIn = (response: Uint8Array): readonly Uint8Array[] =>
  attempt(
    () => parseOcspResponse(response).basic?.certificates ?? [],
    () => [],
  );
