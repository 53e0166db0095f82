import { equalBytes } from '../../base/bytes.ts';
import { defined } from '../../base/defined.ts';
import type { AsicManifest, DataObjectReference } from '../../formats/asic/index.ts';
import { findDigest } from '../../formats/xmldsig/index.ts';
import { type AlgorithmQuestion, findWeakDigest } from '../../trust/algorithms/index.ts';
import type { Outcome } from '../check-signer.ts';
import { buildFinding } from '../findings/index.ts';
import type { CmsSignatureReport, Finding, ReferenceReport } from '../report/index.ts';
import type { ContainerContents } from './contents.ts';
import { degrade, formatFailure, refute } from './outcome.ts';

/** Result of comparing the files with the digests of a manifest. */
export interface ManifestVerdict {
  /** Name of the manifest. */
  readonly name: string;
  readonly references: readonly ReferenceReport[];
  /** The listed files, and the manifest itself. Empty unless every digest matches. */
  readonly covers: ReadonlySet<string>;
  readonly findings: readonly Finding[];
  /** Undefined if everything is valid. */
  readonly outcome: Outcome | undefined;
  /** True if every digest matches, however weak it is. */
  readonly isIntact: boolean;
}

/** Context for verifying manifests. */
export interface ManifestRules {
  readonly contents: ContainerContents;
  /** Time and table for evaluating digest algorithms. */
  readonly when: AlgorithmQuestion;
  /** The reason why the manifest may not list the file. Undefined if it may. */
  refusal(name: string): string | undefined;
}

/**
 * Verifies the digests of all files that a manifest lists.
 *
 * @spec ETSI EN 319 162-1 §4.4.4.2, Annex A.3
 */
export function checkManifest(
  name: string,
  manifest: AsicManifest,
  rules: ManifestRules,
): ManifestVerdict {
  const references = manifest.dataObjects.map((listed) => checkReference(name, listed, rules));
  const findings: Finding[] = [];
  const outcome = checkAll(name, references, rules.when, findings);
  const isIntact = references.every(({ status }) => status === 'valid');
  const names = references.flatMap(({ target }) => target ?? []);
  return {
    name,
    references,
    covers: new Set(isIntact ? [name, ...names] : []),
    findings,
    outcome,
    isIntact,
  };
}

function checkReference(
  listedBy: string,
  listed: DataObjectReference,
  { contents, refusal }: ManifestRules,
): ReferenceReport {
  const { name, uri, digestMethod, digestValue } = listed;
  const algorithm = findDigest(digestMethod);
  const verdict = (status: ReferenceReport['status'], message?: string): ReferenceReport => ({
    uri,
    scope: 'file',
    ...defined({ target: name }),
    listedBy,
    digest: algorithm ?? digestMethod,
    status,
    ...defined({ message }),
  });
  if (name === undefined) return verdict('refused', 'the URI is not a file of the container');
  const reason = refusal(name);
  if (reason !== undefined) return verdict('refused', reason);
  if (algorithm === undefined) return verdict('refused', UNKNOWN_DIGEST);
  const digest = contents.digest(name, algorithm);
  if (digest === undefined) return verdict('missing', 'the container has no file of this name');
  if (equalBytes(digest, digestValue)) return verdict('valid');
  return verdict('changed', 'the digest of the file differs from the manifest');
}

const UNKNOWN_DIGEST = 'the digest algorithm is unknown';

const isBroken = (
  one: ReferenceReport,
): one is ReferenceReport & {
  readonly status: Exclude<ReferenceReport['status'], 'valid'>;
} => one.status !== 'valid';

function checkAll(
  manifest: string,
  references: readonly ReferenceReport[],
  when: AlgorithmQuestion,
  findings: Finding[],
): Outcome | undefined {
  const broken = references.filter(isBroken);
  const changed = broken.find(({ status }) => status === 'changed');
  const missing = broken.find(({ status }) => status === 'missing');
  const first = changed ?? missing ?? broken[0];
  if (first !== undefined) {
    const others = broken.length > 1 ? ` (and ${broken.length - 1} more)` : '';
    const file = first.target ?? first.uri?.slice(0, 100);
    const message = `${manifest}: "${file}": ${first.message}${others}`;
    findings.push(buildFinding(`container.file.${first.status}`, message));
    if (changed !== undefined) return { indication: 'TOTAL-FAILED', subIndication: 'HASH_FAILURE' };
    if (missing !== undefined) return indeterminate('SIGNED_DATA_NOT_FOUND');
    if (broken.every(({ message }) => message === UNKNOWN_DIGEST)) {
      return indeterminate('CRYPTO_CONSTRAINTS_FAILURE_NO_POE');
    }
    return formatFailure;
  }
  for (const { digest } of references) {
    const weakness = findWeakDigest(digest, when);
    if (weakness === undefined) continue;
    findings.push(buildFinding('algorithm.weak', `${manifest}: ${weakness}`));
    return indeterminate('CRYPTO_CONSTRAINTS_FAILURE_NO_POE');
  }
  return undefined;
}

function indeterminate(subIndication: string): Outcome {
  return { indication: 'INDETERMINATE', subIndication };
}

/** Adds the results for the files of a manifest to the report on the signature over it. */
export function withManifest(
  report: CmsSignatureReport,
  verdict: ManifestVerdict,
): CmsSignatureReport {
  const own = report.references.map((each) => ({ ...each, scope: 'manifest' }) as const);
  const whole = { ...report, references: [...own, ...verdict.references] };
  const { findings, outcome, isIntact } = verdict;
  if (outcome === undefined) return whole;
  if (isIntact || !report.intact) return degrade(whole, findings, outcome);
  return refute(whole, findings, outcome);
}
