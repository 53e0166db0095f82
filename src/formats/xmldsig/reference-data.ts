import { isInnsigliError } from '../../base/errors.ts';
import type { CanonicalMethod } from '../xml/index.ts';
import type { XmlReference } from './reference.ts';
import { createReferenceBudget } from './reference-budget.ts';
import type { ReferenceContext, ReferenceResult } from './reference-context.ts';
import { type ByteData, bytesOf, documentOf, type ReferencedData } from './referenced-data.ts';
import { resolveUri } from './resolve-uri.ts';
import { applyTransform } from './transforms.ts';

/** Serialisation of a node-set after the last transform. */
export interface NodeSetForm {
  readonly method: CanonicalMethod;
  readonly prefixList?: readonly string[];
}

const canonicalXml: NodeSetForm = { method: 'c14n10' };

/**
 * Passes the bytes that a reference digests to `take`, piece by piece; a piece is valid only during
 * the call. `take` may have been called even if the result is a refusal.
 *
 * @param form serialisation required by the specification of a time-stamp. Default: Canonical XML
 * 1.0
 * @spec XML-Signature Syntax and Processing 1.1 §4.4.3.2
 */
export function feedReference(
  reference: XmlReference,
  context: ReferenceContext,
  take: (piece: Uint8Array) => void,
  form: NodeSetForm = canonicalXml,
): ReferenceResult {
  const budget = context.budget ?? createReferenceBudget(context.document);
  try {
    let data: ReferencedData | undefined = resolveUri(reference.uri, context, budget);
    if (data === undefined) return { missing: reference.uri ?? '' };
    for (const transform of reference.transforms) {
      data = applyTransform(data, transform, context, budget);
    }
    const bytes = bytesOf(data, form, budget);
    if (!isKnown(bytes, context)) bytes.feed(take);
    return { scope: bytes.scope };
  } catch (error) {
    if (!isInnsigliError(error) || !error.code.startsWith('xml.')) throw error;
    // What exceeds a limit here may be valid elsewhere, so the signature is not invalidated.
    const isUnsupported = error.code === 'xml.limit' || error.details?.['unsupported'] === true;
    return { refused: error.message, ...(isUnsupported ? { isUnsupported } : {}) };
  }
}

function isKnown({ identity, scope: { target } }: ByteData, context: ReferenceContext): boolean {
  if (identity === undefined || target === undefined) return false;
  return documentOf(target) === context.document && context.isKnown?.(identity) === true;
}
