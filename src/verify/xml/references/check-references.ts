import { concatBytes, createDigest, equalBytes } from '../../../base/bytes.ts';
import { defined } from '../../../base/defined.ts';
import { attempt } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import type { XmlDocument } from '../../../formats/xml/index.ts';
import {
  feedReference,
  parseManifest,
  type ReferenceContext,
  type ReferenceResult,
  type ReferenceScope,
  referenceTypes,
  type XmlReference,
} from '../../../formats/xmldsig/index.ts';
import type { ReferenceReport } from '../../report/index.ts';
import type { XmlContext } from '../context.ts';
import type { DigestMemo, MadeDigest } from './digest-memo.ts';
import {
  describeScope,
  findManifest,
  guessScope,
  type ReferencingSignature,
} from './reference-scope.ts';

/** A reference with its report. */
export interface CheckedReference {
  readonly reference: XmlReference;
  readonly report: ReferenceReport;
  /** Undefined if the bytes are not available. */
  readonly scope: ReferenceScope | undefined;
  /** The digest algorithm is unknown. */
  readonly isUnknownDigest: boolean;
  /** True if it requires unsupported processing. */
  readonly isUnsupported: boolean;
}

interface Round {
  readonly owner: ReferencingSignature;
  readonly context: ReferenceContext;
  readonly includeSignedData: boolean;
  readonly digests: DigestMemo;
  readonly checked: CheckedReference[];
  readonly manifests: Set<number>;
  listedLeft: number;
}

/** Prefix of the namespaces of DigiDoc XML, followed by a version. */
const DIGIDOC = 'http://www.sk.ee/DigiDoc/';
/** Maximum nesting depth of manifests. */
const MAX_NESTING = 8;

/**
 * Verifies the references of a signature, each followed by those of the manifest that it covers.
 *
 * @spec XML-Signature Syntax and Processing 1.1 §3.2.1, §5.1
 */
export function checkReferences(
  owner: ReferencingSignature,
  context: XmlContext,
): readonly CheckedReference[] {
  const { signature } = owner;
  const { document, findFile, budget, includeSignedData, digests } = context;
  const base = { document, signature: signature.element, budget };
  const round: Round = {
    owner,
    context: findFile === undefined ? base : { ...base, findFile },
    includeSignedData,
    digests,
    checked: [],
    manifests: new Set(),
    listedLeft: limits.xmlReferences,
  };
  checkAll(signature.signedInfo.references, undefined, 0, round);
  return round.checked;
}

function checkAll(
  references: readonly XmlReference[],
  listedBy: string | undefined,
  nesting: number,
  round: Round,
): void {
  for (const reference of references) {
    const checked = checkReference(reference, listedBy, round);
    const listed = listedIn(checked, nesting, round);
    if (typeof listed === 'string') {
      round.checked.push(refused(checked, listed));
      continue;
    }
    round.checked.push(checked);
    if (listed !== undefined) checkAll(listed, reference.uri ?? '', nesting + 1, round);
  }
}

function checkReference(
  reference: XmlReference,
  listedBy: string | undefined,
  { owner, context, includeSignedData, digests }: Round,
): CheckedReference {
  const { uri, type, digest, digestUri, digestValue } = reference;
  const pieces: Uint8Array[] = [];
  const take = includeSignedData
    ? (piece: Uint8Array) => pieces.push(new Uint8Array(piece))
    : undefined;
  const { answer, made } = digestReference(reference, context, digests, take);
  const scope = 'scope' in answer ? answer.scope : undefined;
  const report = {
    uri,
    ...defined({ type }),
    ...(scope === undefined ? guessScope(reference) : describeScope(reference, scope, owner)),
    ...defined({ listedBy }),
    digest: digest ?? digestUri,
  };
  const verdict = (status: ReferenceReport['status'], message?: string): CheckedReference => ({
    reference,
    scope,
    isUnknownDigest: digest === undefined,
    isUnsupported: 'refused' in answer && answer.isUnsupported === true,
    report: { ...report, status, ...defined({ message }) },
  });
  if ('missing' in answer) return verdict('missing', 'nothing was found at this URI');
  if ('refused' in answer) return verdict('refused', answer.refused);
  if (made === undefined) return verdict('refused', 'the digest algorithm is unknown');
  const isFiltered = scope?.omitted !== undefined;
  if (made.lengthBytes === 0 && scope?.target !== undefined && !isFiltered) {
    return verdict('refused', 'the reference covers nothing');
  }
  if (!equalBytes(made.value, digestValue)) {
    const differs = 'the covered data differs from the signed digest';
    if (!isDigiDoc(owner.document)) return verdict('changed', differs);
    const why = `${differs}; DigiDoc XML has its own digest rules, which are not supported`;
    return { ...verdict('refused', why), isUnsupported: true };
  }
  const valid = verdict('valid');
  // The digest may be that of an empty input, if the selected nodes have no bytes.
  const nothing = made.lengthBytes === 0 && isFiltered && ({ scope: 'nothing' } as const);
  const bytes = includeSignedData ? concatBytes(pieces) : undefined;
  return { ...valid, report: { ...valid.report, ...nothing, ...defined({ bytes }) } };
}

/** Whether it is DigiDoc XML (`.ddoc`), digested by special rules: a mismatch refutes nothing. */
function isDigiDoc({ root }: XmlDocument): boolean {
  return root.localName === 'SignedDoc' && root.namespaceUri.startsWith(DIGIDOC);
}

/** The digest, or undefined for an unknown algorithm. The same data is digested once. */
function digestReference(
  reference: XmlReference,
  context: ReferenceContext,
  digests: DigestMemo,
  take: ((piece: Uint8Array) => void) | undefined,
): { readonly answer: ReferenceResult; readonly made: MadeDigest | undefined } {
  const { digest } = reference;
  const hash = digest && createDigest(digest);
  let lengthBytes = 0;
  let place: string | undefined;
  let known: MadeDigest | undefined;
  const isKnown = (identity: string): boolean => {
    place = identity;
    // If the bytes are requested, they are generated again.
    known = digest && take === undefined ? digests.find(digest, identity) : undefined;
    return known !== undefined;
  };
  const answer = feedReference(reference, { ...context, isKnown }, (piece) => {
    hash?.update(piece);
    lengthBytes += piece.length;
    take?.(piece);
  });
  if (known !== undefined) return { answer, made: known };
  const made = hash && { value: hash.digest(), lengthBytes };
  const isDone = digest !== undefined && made !== undefined && 'scope' in answer;
  if (isDone && place !== undefined) digests.keep(digest, place, made);
  return { answer, made };
}

function refused(checked: CheckedReference, message: string): CheckedReference {
  const { bytes: _, ...report } = checked.report;
  return { ...checked, report: { ...report, status: 'refused', message } };
}

/** The references of the covered manifest, or the reason why a manifest cannot be processed. */
function listedIn(
  { reference, scope, report }: CheckedReference,
  nesting: number,
  round: Round,
): readonly XmlReference[] | string | undefined {
  if (report.status !== 'valid') return undefined;
  const manifest = findManifest(reference, scope);
  if (manifest === undefined) {
    const claims = reference.type === referenceTypes.manifest;
    return claims ? 'the type is Manifest, but the covered element is not one' : undefined;
  }
  if (round.manifests.has(manifest.index)) return undefined;
  if (nesting >= MAX_NESTING) return `manifests are nested deeper than ${MAX_NESTING} levels`;
  round.manifests.add(manifest.index);
  const listed = attempt(
    () => parseManifest(manifest).references,
    ({ message }) => message,
  );
  if (typeof listed === 'string') return listed;
  round.listedLeft -= listed.length;
  if (round.listedLeft >= 0) return listed;
  return `the manifests list more than ${limits.xmlReferences} references`;
}
