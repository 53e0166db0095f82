import { sha256Of } from '../../base/bytes.ts';
import { defined } from '../../base/defined.ts';
import { attempt, InnsigliError, isInnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { isoTime } from '../../base/time/iso-time.ts';
import {
  foreignListForm,
  isEntityList,
  parseTrustedList,
  type TrustedList,
} from '../../formats/tsl/index.ts';
import { type Certificate, describeName, parseCertificate } from '../../formats/x509/index.ts';
import { parseXml, type XmlDocument } from '../../formats/xml/index.ts';
import { findEnvelopedSigner } from '../../verify/xml/index.ts';
import type { StoredList } from '../ports/index.ts';

/** A list with a verified signature. */
export interface CheckedList {
  readonly bytes: Uint8Array;
  readonly list: TrustedList;
  readonly stored: StoredList;
}

/** A parsed list with an unverified signature. */
export interface ReadList {
  readonly bytes: Uint8Array;
  readonly document: XmlDocument;
  readonly list: TrustedList;
}

/**
 * Parses a trusted list within size limits.
 *
 * @throws trust.list.invalid, limit.exceeded
 * @throws trust.list.unsupported for a list of trusted entities
 */
export function readList(bytes: Uint8Array): ReadList {
  if (bytes.length > limits.trustListBytes) {
    const max = limits.trustListBytes;
    const message = `expected a trusted list of at most ${max} bytes, found ${bytes.length}`;
    throw new InnsigliError('limit.exceeded', message);
  }
  const foreign = foreignListForm(bytes);
  if (foreign !== undefined) throw unsupported(foreign);
  try {
    const document = parseXml(bytes);
    if (isEntityList(document)) throw unsupported('XML');
    return { bytes, document, list: parseTrustedList(document) };
  } catch (cause) {
    if (!isInnsigliError(cause) || cause.code.startsWith('trust.')) throw cause;
    const expected = 'expected a trusted list (ETSI TS 119 612), found no readable XML';
    throw new InnsigliError('trust.list.invalid', `${expected}: ${cause.message}`, {
      cause,
      hint: 'pass the XML file published by the operator of the list, not its PDF or web page',
    });
  }
}

/** Like {@link readList}; errors name the location of the list. @throws as {@link readList} */
export function readListAt(location: string, bytes: Uint8Array): ReadList {
  const placed = (cause: InnsigliError) => {
    const { code, message, hint } = cause;
    const place = location.slice(0, 200);
    throw new InnsigliError(code, `${place}: ${message}`, { cause, ...defined({ hint }) });
  };
  return attempt(() => readList(bytes), placed);
}

function unsupported(form: string): InnsigliError {
  const found = `a list of trusted entities (ETSI TS 119 602, ${form})`;
  const message = `expected a trusted list (ETSI TS 119 612), found ${found}`;
  return new InnsigliError('trust.list.unsupported', message, {
    hint: 'lists of trusted entities are for wallets; pass the list of trust services, in XML',
  });
}

/**
 * Verifies the signature of a list and returns the list with its signer.
 *
 * @param signers accepted signers, DER; unreadable certificates are ignored
 * @throws trust.list.signature
 */
export function requireSigned(
  { bytes, document, list }: ReadList,
  signers: readonly Uint8Array[],
  place: { readonly location: string; readonly nowMs: number },
): CheckedList {
  const found = findEnvelopedSigner(document, readableCertificates(signers));
  const what = describeList(list);
  if (found.signer === undefined) {
    throw new InnsigliError('trust.list.signature', `${what}: ${found.message}`, {
      hint: 'the operator of the list publishes its signers: pass their certificates with --signer',
    });
  }
  // A pinned certificate is trusted without a path; it must have been valid at the time of issue.
  const { notBeforeMs, notAfterMs, subjectDer } = found.signer;
  if (list.issuedMs < notBeforeMs || list.issuedMs > notAfterMs) {
    const subject = describeName(subjectDer);
    const message = `${what}: issued outside the validity of its signer "${subject}"`;
    throw new InnsigliError('trust.list.signature', message);
  }
  return { bytes, list, stored: describeStored(bytes, list, found.signer, place) };
}

function describeStored(
  bytes: Uint8Array,
  list: TrustedList,
  signer: Certificate,
  { location, nowMs }: { readonly location: string; readonly nowMs: number },
): StoredList {
  const { type, isListOfLists, territory, operator, sequenceNumber, issuedMs, nextUpdateMs } = list;
  return {
    location,
    sha256: sha256Of(bytes),
    lengthBytes: bytes.length,
    formVersion: list.version,
    ...{ type, isListOfLists, territory, operator, sequenceNumber, issuedMs },
    ...defined({ nextUpdateMs }),
    providers: list.providerCount,
    services: list.services.length,
    pointers: list.pointers.length,
    signer: Buffer.from(signer.der).toString('base64'),
    verifiedMs: nowMs,
  };
}

/** Parses certificates (DER), omitting those that are malformed. */
export function readableCertificates(ders: readonly Uint8Array[]): readonly Certificate[] {
  return ders.flatMap((der) =>
    attempt(
      () => [parseCertificate(der)],
      () => [],
    ),
  );
}

/** Describes a list, for example `the list of BE, number 81`. */
export function describeList(list: Pick<StoredList, 'territory' | 'sequenceNumber'>): string {
  return `the list of ${list.territory.slice(0, 20)}, number ${list.sequenceNumber}`;
}

/**
 * The reason why a list is out of date. Undefined if it is not. The list of a closed scheme has no
 * next update and stays valid as a historical record.
 *
 * @spec ETSI TS 119 612 §5.3.15
 */
export function findExpiry(
  list: Pick<StoredList, 'territory' | 'sequenceNumber'> & {
    readonly nextUpdateMs?: number | undefined;
  },
  nowMs: number,
): string | undefined {
  const { nextUpdateMs } = list;
  if (nextUpdateMs === undefined || nextUpdateMs >= nowMs) return undefined;
  return `${describeList(list)}: its next update was due ${isoTime(nextUpdateMs)}`;
}

/**
 * Rejects a list that would replace a newer one, or that has lost most of its entries.
 *
 * @throws trust.list.rollback, trust.list.shrunk
 */
export function requireSuccessor(
  next: StoredList,
  before: StoredList | undefined,
  mayShrink: boolean,
): void {
  if (before === undefined || before.sha256 === next.sha256) return;
  const isOlder =
    next.sequenceNumber < before.sequenceNumber ||
    (next.sequenceNumber === before.sequenceNumber && next.issuedMs <= before.issuedMs) ||
    next.issuedMs < before.issuedMs;
  if (isOlder) {
    const found = `${next.sequenceNumber} of ${isoTime(next.issuedMs)}`;
    const stored = `${before.sequenceNumber} of ${isoTime(before.issuedMs)}`;
    const message = `the list of ${next.territory}: expected one after ${stored}, found ${found}`;
    throw new InnsigliError('trust.list.rollback', message, {
      hint: 'a newer list may have been withheld; the stored one stays',
    });
  }
  if (mayShrink) return;
  for (const what of ['services', 'pointers'] as const) {
    if (next[what] * 2 >= before[what]) continue;
    const counts = `${next[what]} ${what}, the stored one has ${before[what]}`;
    const message = `${describeList(next)}: ${counts}`;
    throw new InnsigliError('trust.list.shrunk', message, {
      hint: 'if that is correct, pass --accept-shrunken',
    });
  }
}

/**
 * The list that replaces this one: same territory and type, with a higher sequence number or a
 * later date of issue. A list of lists may name several locations for a territory, one of which may
 * be outdated.
 */
export function findReplacement(
  { territory, type, sequenceNumber, issuedMs }: StoredList,
  lists: readonly StoredList[],
): StoredList | undefined {
  return lists.find((other) => {
    if (other.territory !== territory || other.type !== type) return false;
    if (other.sequenceNumber !== sequenceNumber) return other.sequenceNumber > sequenceNumber;
    return other.issuedMs > issuedMs;
  });
}
