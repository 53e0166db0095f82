import { asBuffer } from '../../base/bytes.ts';
import type { SealLevel } from '../../base/level.ts';
import { createMemo } from '../../base/memo.ts';
import type { VerificationReport } from '../../verify/report/index.ts';

/** End of the time during which a document, unchanged, is valid evidence. */
export interface ProvesUntil {
  /** The first moment at which it is no longer valid evidence, ISO 8601, UTC. */
  readonly time: string;
  readonly cause: 'certificate' | 'algorithm';
  /** The certificate or algorithm that expires, for display. */
  readonly reason: string;
}

/** A document that was sealed or augmented, and its verification report. */
export interface SealedDocument<Report extends VerificationReport = VerificationReport> {
  /** The whole document. For a PDF in a file it is assembled on first read. */
  readonly bytes: Uint8Array;
  /** Length of the prefix shared by result and input: a whole PDF, a part of other documents. */
  readonly keptBytes: number;
  /** The bytes after that prefix. */
  readonly tail: Uint8Array;
  /** The level reached. Absent if only a time-stamp was added. */
  readonly level?: SealLevel;
  /** Verification report of every signature. For a PDF at B-B it is created on first read. */
  readonly report: Report;
  /** Warnings for the caller's user. */
  readonly warnings: readonly string[];
  /**
   * End of validity of the result without a later time-stamp: the earliest end of a certificate or
   * algorithm of its outermost time-stamp, or at B-B of the signature. Absent if there is none.
   */
  readonly provesUntil?: ProvesUntil;
  /** Field of the new signature or document time-stamp of a PDF; absent otherwise. */
  readonly field?: string;
  /** Id of a new XML signature; absent otherwise. */
  readonly signatureId?: string;
  /** Number of seals on the pages of a sealed PDF, 1 for an invisible one; absent otherwise. */
  readonly sealCount?: number;
  /** Subject of the certificate of a configured key, for display. */
  readonly signer?: string;
  /** Number of requests to configured time-stamp authorities. */
  readonly timestampRequests?: number;
  /**
   * Subject of a certificate, in the path of a configured key, that contains no OCSP or CRL
   * address: later augmentation requires data from the user.
   */
  readonly silentCertificate?: string;
}

type Makers = Readonly<Record<string, () => unknown>>;

const makers = createMemo<object, Makers>();
const accessors = new Map<string, PropertyDescriptor>();

/**
 * Adds members to the result that are computed when they are read. All results share the accessors:
 * V8 would retain a separate function of each result, and with it the document, until the next full
 * garbage collection.
 */
export function withLateMembers<Result extends object, Late extends Makers>(
  result: Result,
  late: Late,
): Result & { readonly [Name in keyof Late]: ReturnType<Late[Name]> } {
  for (const name of Object.keys(late)) Object.defineProperty(result, name, accessorOf(name));
  makers.set(result, late);
  return result as never;
}

function accessorOf(name: string): PropertyDescriptor {
  let accessor = accessors.get(name);
  if (accessor === undefined) {
    accessor = {
      enumerable: true,
      configurable: true,
      get(this: object) {
        return makers.get(this)?.[name]?.();
      },
    };
    accessors.set(name, accessor);
  }
  return accessor;
}

/** Adds members to the result; lazy members remain lazy unless they are replaced. */
export function withMembers<Result extends object, More extends object>(
  result: Result,
  more: More,
): Result & More {
  const late = makers.get(result);
  for (const [name, value] of Object.entries(more)) {
    if (late?.[name] === undefined) (result as Record<string, unknown>)[name] = value;
    else Object.defineProperty(result, name, { ...plain, value });
  }
  return result as never;
}

const plain = { writable: true, enumerable: true, configurable: true };

const STRIDES = [1 << 16, 1 << 11, 1 << 6] as const;

/** The result, the length of the prefix it shares with the input, and the bytes after it. */
export function resultBytes(input: Uint8Array, bytes: Uint8Array) {
  const most = Math.min(input.length, bytes.length);
  let keptBytes = 0;
  const given = asBuffer(input);
  for (const stride of STRIDES) {
    for (let end = keptBytes + stride; end <= most; end += stride) {
      if (given.compare(bytes, keptBytes, end, keptBytes, end) !== 0) break;
      keptBytes = end;
    }
  }
  while (keptBytes < most && input[keptBytes] === bytes[keptBytes]) keptBytes++;
  return { bytes, keptBytes, tail: bytes.subarray(keptBytes) };
}
