import { isInnsigliError } from '../../base/errors.ts';
import { isoTime } from '../../base/time/iso-time.ts';
import { type Certificate, describeName, keyUsageBits } from '../../formats/x509/index.ts';
import { namesOf } from '../certificates.ts';
import {
  checkNameConstraints,
  type NameConstraints,
  parseNameConstraints,
} from './name-constraints.ts';
import { checkPolicies, type InitialPolicies } from './policy-rules.ts';

/** Reason for an invalid path. The names follow the sub-indications of ETSI EN 319 102-1. */
export type PathProblem =
  | 'NO_CERTIFICATE_CHAIN_FOUND'
  | 'OUT_OF_BOUNDS_NOT_REVOKED'
  | 'NOT_YET_VALID'
  | 'CERTIFICATE_CHAIN_GENERAL_FAILURE';

/** A rule violated by a path. */
export interface PathFault {
  readonly problem: PathProblem;
  /** Expected and found, human-readable. */
  readonly message: string;
}

/**
 * The first rule that a path (leaf first, anchor last, signatures verified) violates at a time;
 * undefined if it is valid.
 *
 * @spec RFC 5280 §6.1.3, §6.1.4, §6.1.5
 */
export function checkPath(
  path: readonly Certificate[],
  atMs: number,
  policies?: InitialPolicies,
): PathFault | undefined {
  return (
    checkConstraints(path) ?? checkCertificatePolicies(path, policies) ?? checkValidity(path, atMs)
  );
}

function checkCertificatePolicies(
  path: readonly Certificate[],
  initial: InitialPolicies | undefined,
): PathFault | undefined {
  const leaf = path[0] as Certificate;
  try {
    const message = checkPolicies(path, initial);
    return message === undefined ? undefined : broken(leaf, message);
  } catch (error) {
    if (isInnsigliError(error)) return broken(leaf, 'a policy extension of its path is damaged');
    throw error;
  }
}

/** @spec ETSI EN 319 102-1 §5.2.6.4 step 4 e */
function broken(certificate: Certificate, message: string): PathFault {
  const subject = describeName(certificate.subjectDer);
  return { problem: 'CERTIFICATE_CHAIN_GENERAL_FAILURE', message: `"${subject}": ${message}` };
}

function checkConstraints(path: readonly Certificate[]): PathFault | undefined {
  const constraints: NameConstraints[] = [];
  let depthLeft = Number.POSITIVE_INFINITY;
  for (let i = path.length - 1; i >= 0; i--) {
    const certificate = path[i] as Certificate;
    const { extensions } = certificate;
    const names = namesOf(certificate);
    const selfIssued = names.subject === names.issuer;
    const isAnchor = i === path.length - 1;
    if (extensions.unknownCritical.length > 0) {
      const list = extensions.unknownCritical.join(', ');
      return broken(certificate, `unknown critical extension ${list}`);
    }
    if (!isAnchor && (i === 0 || !selfIssued) && constraints.length > 0) {
      const message = checkNameConstraints(certificate, constraints);
      if (message !== undefined) return broken(certificate, message);
    }
    if (i === 0) break;
    const fault = checkIssuer(certificate, isAnchor);
    if (fault !== undefined) return fault;
    if (!isAnchor && !selfIssued) {
      if (depthLeft <= 0) return broken(certificate, 'the path exceeds the path length constraint');
      depthLeft--;
    }
    const pathLength = extensions.basicConstraints?.pathLength;
    if (pathLength !== undefined && pathLength < depthLeft) depthLeft = pathLength;
    if (extensions.nameConstraints !== undefined) {
      try {
        constraints.push(parseNameConstraints(extensions.nameConstraints));
      } catch (error) {
        if (isInnsigliError(error)) return broken(certificate, 'name constraints are damaged');
        throw error;
      }
    }
  }
  return undefined;
}

/** The fault of a certificate that issued another one on the path; undefined if there is none. */
function checkIssuer(certificate: Certificate, isAnchor: boolean): PathFault | undefined {
  const { basicConstraints, keyUsage } = certificate.extensions;
  // A root is trusted by configuration: rejected only if it states it is no CA. RFC 5280 §6.1.1 d
  const { subject, issuer } = namesOf(certificate);
  const isRoot = isAnchor && subject === issuer;
  if (basicConstraints === undefined ? !isRoot : !basicConstraints.ca) {
    return broken(certificate, 'issued a certificate but is not a CA');
  }
  if (keyUsage !== undefined && (keyUsage & keyUsageBits.keyCertSign) === 0) {
    return broken(certificate, 'key usage lacks keyCertSign');
  }
  return undefined;
}

/** The anchor is not part of the path: configuration defines its trust period. RFC 5280 §6.1 */
function checkValidity(path: readonly Certificate[], atMs: number): PathFault | undefined {
  for (const certificate of path.slice(0, -1)) {
    if (atMs < certificate.notBeforeMs) {
      return { problem: 'NOT_YET_VALID', message: period(certificate, atMs) };
    }
    // The validity period includes the second stated in notAfter.
    if (atMs >= certificate.notAfterMs + 1000) {
      return { problem: 'OUT_OF_BOUNDS_NOT_REVOKED', message: period(certificate, atMs) };
    }
  }
  return undefined;
}

function period(certificate: Certificate, atMs: number): string {
  const [from, to, at] = [certificate.notBeforeMs, certificate.notAfterMs, atMs].map(isoTime);
  return `"${describeName(certificate.subjectDer)}" is valid from ${from} to ${to}, not at ${at}`;
}
