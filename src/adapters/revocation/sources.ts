import { createHash } from 'node:crypto';
import { equalBytes } from '../../base/bytes.ts';
import { isCoreError } from '../../base/errors.ts';
import { requireGiven, requireObject } from '../../base/given.ts';
import { readable } from '../../base/taken.ts';
import {
  buildOcspRequest,
  type Certificate,
  type OcspCertificateId,
  parseCrl,
  parseOcspResponse,
} from '../../formats/x509/index.ts';
import type { RevocationData, RevocationSource } from '../../seal/ports.ts';
import { type FetchOptions, fetchBytes } from './fetch-bytes.ts';
import { pemBodies } from './pem-bodies.ts';

/** Addresses of one kind that are tried for one certificate. */
const MAX_ADDRESSES = 4;
const defaults: FetchOptions = { timeoutMs: 10_000, allowPrivateAddresses: false, offline: false };

/**
 * Revocation data from the addresses that certificates name: OCSP first, CRLs when no responder
 * gives a usable answer. Only the form is checked here; whether to believe it is for the caller.
 * Without options a fetch may take 10 s and reaches public addresses only.
 */
export function httpRevocationSource(given: Partial<FetchOptions> = {}): RevocationSource {
  const options = { ...defaults, ...readable('options', given) };
  return {
    async find(certificate, issuer) {
      let failure: unknown;
      const { ocspUrls, crlUrls } = certificate.extensions;
      const id = certificateIdOf(certificate, issuer);
      for (const url of ocspUrls.slice(0, MAX_ADDRESSES)) {
        try {
          const answer = await askOcsp(url, id, options);
          if (answer !== undefined) return { ocsp: [answer], crls: [] };
        } catch (error) {
          failure = preferred(failure, error);
        }
      }
      for (const url of crlUrls.filter(isWebAddress).slice(0, MAX_ADDRESSES)) {
        try {
          return { ocsp: [], crls: [await fetchCrl(url, options)] };
        } catch (error) {
          failure = preferred(failure, error);
        }
      }
      if (failure !== undefined) throw failure;
      return { ocsp: [], crls: [] };
    },
  };
}

function isWebAddress(url: string): boolean {
  return /^https?:/i.test(url);
}

/** The first failure tells most; but an unexpected error is not to be hidden. */
function preferred(first: unknown, next: unknown): unknown {
  if (!isCoreError(next)) throw next;
  return first ?? next;
}

function certificateIdOf(certificate: Certificate, issuer: Certificate): OcspCertificateId {
  const digest = (bytes: Uint8Array) => createHash('sha1').update(bytes).digest();
  return {
    digest: 'sha1',
    issuerNameHash: digest(issuer.subjectDer),
    issuerKeyHash: digest(issuer.publicKeyBits),
    serialNumber: certificate.serialNumber,
  };
}

/** The answer when it says good or revoked about the certificate. @spec RFC 6960 Appendix A.1 */
async function askOcsp(
  url: string,
  id: OcspCertificateId,
  options: FetchOptions,
): Promise<Uint8Array | undefined> {
  const answer = await fetchBytes(url, options, {
    bytes: buildOcspRequest([id]),
    contentType: 'application/ocsp-request',
  });
  const about = parseOcspResponse(answer).basic?.responses.find(({ certificateId }) =>
    equalBytes(certificateId.serialNumber, id.serialNumber),
  );
  return about === undefined || about.status === 'unknown' ? undefined : answer;
}

async function fetchCrl(url: string, options: FetchOptions): Promise<Uint8Array> {
  const answer = await fetchBytes(url, options);
  const der = pemBodies(answer, 'X509 CRL')[0] ?? answer;
  parseCrl(der);
  return der;
}

/** The same data for every certificate, such as the files of a folder. */
export function staticRevocationSource(given: RevocationData): RevocationSource {
  const data = readable('revocation data', given);
  for (const name of ['ocsp', 'crls'] as const) {
    requireGiven(name, 'an array of DER bytes', data[name], Array.isArray(data[name]));
  }
  return { find: async () => data };
}

/**
 * The data of the first source that has any. A source that fails is passed over; when none has
 * data, the first failure is thrown.
 */
export function combinedRevocationSource(given: readonly RevocationSource[]): RevocationSource {
  requireObject('sources', given);
  requireGiven('sources', 'an array', given, Array.isArray(given));
  const sources = [...given];
  for (const source of sources) requireObject('a source', source);
  return {
    async find(certificate, issuer) {
      let failure: unknown;
      for (const source of sources) {
        try {
          const data = await source.find(certificate, issuer);
          if (data.ocsp.length + data.crls.length > 0) return data;
        } catch (error) {
          failure = preferred(failure, error);
        }
      }
      if (failure !== undefined) throw failure;
      return { ocsp: [], crls: [] };
    },
  };
}
