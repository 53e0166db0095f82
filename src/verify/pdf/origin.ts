import { equalBytes } from '../../base/bytes.ts';
import { attempt, InnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import {
  listSignatureFields,
  type PdfDict,
  type PdfFile,
  serializeObject,
} from '../../formats/pdf/index.ts';
import type { SignatureReport } from '../report/index.ts';

/** A signature as currently read, and the revision that it covers. */
export interface OriginQuestion {
  /** Fully qualified field name. */
  readonly field: string;
  readonly dict: PdfDict;
  readonly coverage: SignatureReport['coverage'];
  /** Offset after the last covered byte. */
  readonly coveredEnd: number;
}

type SignedFields = ReadonlyMap<string, PdfDict | undefined>;

/**
 * Returns a function that states why the covered bytes do not contain a signature as currently
 * read, or undefined if they do. A signature applies to the revision it covers, and only to the
 * content of that revision: the field and its dictionary must be the same in the covered bytes as
 * in the current file. An update that redefines the dictionary, or makes another field refer to it,
 * is a forgery.
 *
 * Each revision is opened once, and their total contents are limited: the returned function throws
 * limit.exceeded.
 */
export function createOriginCheck(file: PdfFile): (question: OriginQuestion) => string | undefined {
  const revisions = new Map<number, SignedFields | undefined>();
  let nodes = 0;
  const fieldsAt = (end: number): SignedFields | undefined => {
    if (revisions.has(end)) return revisions.get(end);
    const revision = findRevision(file, end);
    // A revision with a malformed signature proves nothing about its other signatures.
    const listed = revision && attempt(() => listSignatureFields(revision));
    const fields = listed && new Map<string, PdfDict | undefined>();
    for (const { name, value } of listed ?? []) {
      if (fields?.has(name) === false) fields.set(name, value);
    }
    nodes += 1 + (fields?.size ?? 0) + (revision?.sections.length ?? 0);
    if (nodes > limits.revisionNodes) {
      const message = `the revisions of the file have more than ${limits.revisionNodes} fields`;
      throw new InnsigliError('limit.exceeded', message);
    }
    revisions.set(end, fields);
    return fields;
  };
  return ({ field, dict, coverage, coveredEnd }) => {
    if (coverage === 'whole-file') return undefined;
    if (coverage === 'partial') return '/ByteRange must end where a revision of the file ends';
    const fields = fieldsAt(coveredEnd);
    if (fields === undefined) return 'the covered bytes alone are not a valid PDF';
    const original = fields.get(field);
    // Objects of the covered bytes that were not updated are the same value.
    if (original !== undefined && (original === dict || isWrittenAlike(original, dict))) {
      return undefined;
    }
    return 'the covered bytes do not contain this field with this signature dictionary';
  };
}

function isWrittenAlike(one: PdfDict, other: PdfDict): boolean {
  return equalBytes(serializeObject(one), serializeObject(other));
}

/** The revision that ends at the offset. Undefined if that was not a PDF. */
export function findRevision(file: PdfFile, end: number): PdfFile | undefined {
  return attempt(() => file.revisionAt(end));
}
