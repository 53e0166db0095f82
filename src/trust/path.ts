import { equalBytes } from '../base/bytes.ts';
import { limits } from '../base/limits.ts';
import { getOrCompute } from '../base/memo.ts';
import { type Certificate, describeName } from '../formats/x509/index.ts';
import { namesOf, rankIssuers } from './certificates.ts';
import {
  checkPath,
  type InitialPolicies,
  lacksParameters,
  type PathProblem,
  parameterSourceOf,
  withParametersOf,
} from './path-rules/index.ts';
import { isSignatureKnown, isSignedBy } from './signed.ts';

export type { InitialPolicies, PathProblem } from './path-rules/index.ts';

/** Certificates available for path building. Membership does not make a certificate trusted. */
export interface CertificatePool {
  /** Adds a certificate and returns it parsed, one value for equal bytes; undefined if corrupt. */
  add(der: Uint8Array): Certificate | undefined;
  /** Certificates whose subject is the issuer of `certificate`, best match first. */
  issuersOf(certificate: Certificate): readonly Certificate[];
  /** Certificates with this subject, in the form of `namesOf`. */
  named(subject: string): readonly Certificate[];
  readonly all: readonly Certificate[];
  /** True if certificates were dropped for lack of space. Default: false. */
  readonly isFull?: boolean;
}

/** Result of path building. */
export type PathResult =
  | { readonly valid: true; readonly path: readonly Certificate[] }
  | {
      readonly valid: false;
      readonly problem: PathProblem;
      /** Expected and found, human-readable. */
      readonly message: string;
      /** The best path found, leaf first. May end without an anchor. */
      readonly path: readonly Certificate[];
    };

/** Input of {@link findPath}. */
export interface PathQuestion {
  readonly certificate: Certificate;
  readonly pool: CertificatePool;
  readonly anchors: readonly Certificate[];
  /** The time at which every certificate of the path must be valid. */
  readonly atMs: number;
  /** Policies for which the path must be valid. Default: any policy, where a CA requires one. */
  readonly policies?: InitialPolicies;
}

/** Maximum number of new signature checks per question; cached ones are not counted. */
const MAX_SIGNATURE_CHECKS = 256;
/** Maximum number of edges walked per question. */
const MAX_STEPS = 4_096;

interface Search {
  readonly question: PathQuestion;
  readonly anchors: AnchorIndex;
  signatureChecks: number;
  steps: number;
  /** Best failure so far. A complete path that breaks a rule is preferred to an incomplete one. */
  failure: (PathResult & { readonly valid: false }) | undefined;
  complete: boolean;
}

interface AnchorIndex {
  readonly count: number;
  readonly bySubject: ReadonlyMap<string, readonly Certificate[]>;
}
const anchorIndexes = new WeakMap<readonly Certificate[], AnchorIndex>();

function anchorIndex(anchors: readonly Certificate[]): AnchorIndex {
  const known = anchorIndexes.get(anchors);
  if (known !== undefined && known.count === anchors.length) return known;
  const bySubject = new Map<string, Certificate[]>();
  for (const anchor of anchors) {
    const { subject } = namesOf(anchor);
    getOrCompute(bySubject, subject, () => []).push(anchor);
  }
  const index = { count: anchors.length, bySubject };
  anchorIndexes.set(anchors, index);
  return index;
}

/** The anchors with a subject, in the form of `namesOf`. */
export function anchorsNamed(
  anchors: readonly Certificate[],
  subject: string,
): readonly Certificate[] {
  return anchorIndex(anchors).bySubject.get(subject) ?? [];
}

/**
 * Finds a path from the certificate to one of the anchors that satisfies every rule, or returns the
 * reason that there is none. Anchors may be roots, other CAs or the certificate itself. An anchor
 * is trusted for its key, at any time. A root may issue certificates unless it states that it may
 * not. Bounded: at most 256 signatures are checked; earlier checks of the same values are reused.
 *
 * Revocation is not checked: see `checkRevocation`.
 *
 * @spec RFC 5280 §6.1, RFC 4158 §2
 */
export function findPath(question: PathQuestion): PathResult {
  const search: Search = {
    question,
    anchors: anchorIndex(question.anchors),
    signatureChecks: 0,
    steps: 0,
    failure: undefined,
    complete: false,
  };
  const path = extend(search, [question.certificate]);
  if (path !== undefined) return { valid: true, path };
  return search.failure ?? noChain([question.certificate], 'the search exceeded its limits');
}

function extend(search: Search, path: Certificate[]): readonly Certificate[] | undefined {
  const current = path[path.length - 1] as Certificate;
  if (isAnchor(search.anchors, current)) return finish(search, path);
  if (path.length >= limits.pathLength) {
    note(search, noChain(path, `the path is longer than ${limits.pathLength} certificates`));
    return undefined;
  }
  let named = false;
  for (const issuer of issuerCandidates(search, current)) {
    search.steps++;
    if (search.steps > MAX_STEPS || isOnPath(path, issuer)) continue;
    named = true;
    if (!isSignedWithin(search, current, issuer)) continue;
    path.push(issuer);
    const found = extend(search, path);
    if (found !== undefined) return found;
    path.pop();
  }
  if (!search.complete) note(search, noChain(path, describeGap(current, named)));
  return undefined;
}

/** `isSignedBy` within the limits of the search. */
function isSignedWithin(search: Search, certificate: Certificate, issuer: Certificate): boolean {
  if (!isSignatureKnown(certificate, issuer)) {
    if (search.signatureChecks >= MAX_SIGNATURE_CHECKS) return false;
    search.signatureChecks++;
  }
  return isSignedBy(certificate, issuer);
}

/** Issuers with their keys within a path: DSA keys may inherit parameters from the one above. */
function issuerCandidates(search: Search, current: Certificate, depth = 0): readonly Certificate[] {
  const source = parameterSourceOf(current);
  if (source !== undefined) return [source];
  const named = namedIssuers(search, current);
  if (!named.some(lacksParameters)) return named;
  return named.flatMap((issuer) => {
    if (!lacksParameters(issuer) || isAnchor(search.anchors, issuer)) return [issuer];
    search.steps++;
    if (depth >= limits.pathLength || search.steps > MAX_STEPS) return [];
    return issuerCandidates(search, issuer, depth + 1).flatMap((parent) =>
      isSignedWithin(search, issuer, parent) ? (withParametersOf(issuer, parent) ?? []) : [],
    );
  });
}

/** Anchors first, so that a path ends as early as possible. */
function namedIssuers(search: Search, current: Certificate): readonly Certificate[] {
  const anchors = search.anchors.bySubject.get(namesOf(current).issuer);
  const others = search.question.pool.issuersOf(current);
  if (anchors === undefined) return others;
  if (others.length === 0) return rankIssuers(current, anchors);
  return [...rankIssuers(current, anchors), ...others];
}

function isAnchor({ bySubject }: AnchorIndex, certificate: Certificate): boolean {
  const group = bySubject.get(namesOf(certificate).subject);
  return group?.some((anchor) => isSame(anchor, certificate)) ?? false;
}

/**
 * Whether the path contains the certificate, or one of a CA with the same name and key. A
 * cross-certified root also bears the signature of its own key, but leads nowhere that the other
 * certificate would not. @spec RFC 4158 §5.2
 */
function isOnPath(path: readonly Certificate[], issuer: Certificate): boolean {
  return path.some(
    (member, index) =>
      isSame(member, issuer) ||
      (index > 0 &&
        namesOf(member).subject === namesOf(issuer).subject &&
        equalBytes(member.spkiDer, issuer.spkiDer)),
  );
}

function isSame(a: Certificate, b: Certificate): boolean {
  return a === b || equalBytes(a.der, b.der);
}

function finish(search: Search, path: readonly Certificate[]): readonly Certificate[] | undefined {
  const fault = checkPath(path, search.question.atMs, search.question.policies);
  if (fault === undefined) return [...path];
  if (!search.complete) search.failure = { valid: false, ...fault, path: [...path] };
  search.complete = true;
  return undefined;
}

function note(search: Search, failure: PathResult & { readonly valid: false }): void {
  if (search.failure === undefined || failure.path.length > search.failure.path.length) {
    search.failure = failure;
  }
}

function noChain(path: readonly Certificate[], message: string): PathResult & { valid: false } {
  return { valid: false, problem: 'NO_CERTIFICATE_CHAIN_FOUND', message, path: [...path] };
}

function describeGap(certificate: Certificate, issuerNamed: boolean): string {
  const subject = describeName(certificate.subjectDer);
  const issuer = describeName(certificate.issuerDer);
  const { subject: own, issuer: above } = namesOf(certificate);
  if (own === above) return `"${subject}" is self-issued and not a trust anchor`;
  return issuerNamed
    ? `no certificate of "${issuer}" links "${subject}" to a trust anchor`
    : `the issuer "${issuer}" of "${subject}" is neither known nor a trust anchor`;
}
