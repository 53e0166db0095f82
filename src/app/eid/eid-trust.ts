import { attempt, attemptAny, onCode } from '../../base/errors.ts';
import { EidError } from '../../domain/auth/index.ts';
import {
  type Certificate,
  describeName,
  maskName,
  parseCertificate,
  parseOcspResponse,
} from '../../formats/x509/index.ts';
import type { AlgorithmTable } from '../../trust/algorithms/index.ts';
import { findPath } from '../../trust/path.ts';
import { createCertificatePool } from '../../trust/pool.ts';
import {
  checkRevocation,
  type RevocationQuestion,
  type RevocationVerdict,
} from '../../trust/revocation/index.ts';
import type { EidTrust } from '../ports/index.ts';

/**
 * Verifies certificates of providers by the rules of `verify`. Providers have their own roots: the
 * trust anchors for documents do not apply.
 *
 * @param algorithms default: the standard table
 */
export function eidTrust(algorithms?: AlgorithmTable): EidTrust {
  const own = algorithms === undefined ? {} : { algorithms };
  return {
    requirePath(certificates, anchors, atMs) {
      const pool = createCertificatePool();
      const [certificate] = certificates.map((der) => parsed(der, 'a certificate in the response'));
      if (certificate === undefined) throw answerFault('the response has no certificate');
      for (const der of certificates) pool.add(der);
      const trusted = anchors.map((der) => parsed(der, 'an anchor'));
      const found = findPath({ certificate, pool, anchors: trusted, atMs });
      if (!found.valid) {
        const why = withoutPerson(found.message, certificate);
        throw answerFault(`the certificate in the response has no valid path: ${why}`);
      }
      return found.path.map(({ der }) => der);
    },
    checkStatus(data, der, issuerDer, atMs) {
      const certificate = parsed(der, 'the certificate');
      const issuer = parsed(issuerDer, 'the issuer');
      const signers = data.ocsp.flatMap((each) => parsedOcsp(each).certificates);
      const pool = createCertificatePool([issuerDer, ...signers]);
      const question = { certificate, issuer, data, pool, anchors: [issuer], atMs, ...own };
      const { status, message } = verdictOn(question);
      if (status === 'unknown') throw answerFault(message);
      return status;
    },
    checkOcsp(response, der, issuerDer, atMs) {
      const certificate = parsed(der, 'the certificate');
      const issuer = parsed(issuerDer, 'the issuer');
      const basic = parsedOcsp(response);
      const data = { ocsp: [response], crls: [] };
      const pool = createCertificatePool([issuerDer, ...basic.certificates]);
      const question = { certificate, issuer, data, pool, anchors: [issuer], atMs, ...own };
      const verdict = verdictOn(question);
      if (verdict.status === 'unknown') throw answerFault(verdict.message);
      const { nonce, producedAtMs } = basic;
      return {
        status: verdict.status,
        producedAtMs,
        ...(nonce === undefined ? {} : { nonce: octetStringContent(nonce) }),
      };
    },
  };
}

/**
 * Checks the revocation status. A response with more evidence than the limit permits is the
 * provider's fault.
 *
 * @throws EidError
 */
function verdictOn(question: RevocationQuestion): RevocationVerdict {
  const tooMuch = onCode('limit.exceeded', ({ message }) => {
    throw answerFault(message);
  });
  return attempt(() => checkRevocation(question), tooMuch);
}

/** Messages reach operators and logs: they may name authorities, but not the person. */
function withoutPerson(message: string, { subjectDer }: Certificate): string {
  const unnamed = message.replaceAll(`"${describeName(subjectDer)}"`, 'it');
  return unnamed.replace(/"((?:[^"\\]|\\.)*)"/g, (_, name: string) => `"${maskName(name)}"`);
}

function parsed(der: Uint8Array, what: string): Certificate {
  const found = attemptAny(() => parseCertificate(der));
  if (found !== undefined) return found;
  throw answerFault(`${what} cannot be read`);
}

function parsedOcsp(response: Uint8Array) {
  const read = attemptAny(() => parseOcspResponse(response));
  if (read === undefined) throw answerFault('the OCSP response cannot be read');
  if (read.basic !== undefined) return read.basic;
  throw answerFault('the OCSP responder returned no status');
}

/**
 * Strips the OCTET STRING header from a nonce, if it has one.
 *
 * @spec RFC 9654 §2.1
 */
function octetStringContent(nonce: Uint8Array): Uint8Array {
  const [tag, length] = nonce;
  const isOctets = tag === 0x04 && length === nonce.length - 2;
  return isOctets ? nonce.subarray(2) : nonce;
}

function answerFault(message: string): EidError {
  return new EidError('invalidResponse', message);
}
