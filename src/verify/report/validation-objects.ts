import { attempt } from '../../base/errors.ts';
import { readMessageDigest, type SignerInfo } from '../../formats/cms/index.ts';
import type { Certificate, DigestAlgorithm } from '../../formats/x509/index.ts';
import { findPath } from '../../trust/path.ts';
import { digestOf } from '../../trust/signature.ts';
import type { TimestampVerdict } from '../../trust/timestamp.ts';
import {
  checkPathStatus,
  type Revocation,
  type StatusContext,
  type StoredValidationData,
} from '../existence/index.ts';

/** A digest with its algorithm. */
export interface DigestValue {
  readonly digest: DigestAlgorithm;
  readonly value: Uint8Array;
}

/** A time-stamp of a signature: the DER-encoded token, and the authority's path, leaf first. */
export interface TimestampObject {
  readonly token: Uint8Array | undefined;
  readonly path: readonly Certificate[];
}

/** Values on which the conclusion on one signature is based, for reports that embed them. */
export interface ValidationObjects {
  /** Signature value as encoded in the signature. */
  readonly signatureValue?: Uint8Array | undefined;
  /** Digest of the data to be signed representation. */
  readonly signedDigest?: DigestValue | undefined;
  /** Digest of the document as signed, if one digest covers it. */
  readonly documentDigest?: DigestValue | undefined;
  /** Digests of all references of an XML signature, as signed. */
  readonly references?: readonly DigestValue[];
  /** The certificate of the signer and its issuers, as far as a path was found. */
  readonly path: readonly Certificate[];
  /** In the order of `timestamps` of the report. */
  readonly timestamps: readonly TimestampObject[];
  readonly data: StoredValidationData;
  /** The certificate of the path that was revoked, at any time. */
  readonly revocation?: Revocation | undefined;
}

/**
 * A symbol is not included in `--json`, and copies of a report keep the member. It is a registered
 * symbol, because each part of the bundled program contains its own copy of this module.
 */
const member = Symbol.for('innsigli.validation-objects');

/** Report member with the {@link ValidationObjects}, to be spread. Collected on first use. */
export function withObjects(collect: () => ValidationObjects): object {
  return { [member]: new LazyObjects(collect) };
}

/** The objects of a report created by `verify`. Undefined for a report read from JSON. */
export function objectsOf(report: object): ValidationObjects | undefined {
  const lazy = Reflect.get(report, member) as LazyObjects | undefined;
  return lazy?.get();
}

/** Lazily built objects that comparisons ignore: reports with the same content are equal. */
class LazyObjects {
  readonly #collect: () => ValidationObjects;
  #objects: ValidationObjects | undefined;

  constructor(collect: () => ValidationObjects) {
    this.#collect = collect;
  }

  get(): ValidationObjects {
    this.#objects ??= this.#collect();
    return this.#objects;
  }
}

/** The path of the signer at the best-signature-time, as far as it exists, with data and status. */
export function pathObjects(
  certificate: Certificate | undefined,
  atMs: number,
  data: StoredValidationData,
  context: StatusContext,
): Pick<ValidationObjects, 'path' | 'data' | 'revocation'> {
  if (certificate === undefined) return { path: [], data };
  const { pool, anchors } = context;
  const { path } = findPath({ certificate, pool, anchors, atMs });
  return { path, data, revocation: findRevocation(path, data, atMs, context) };
}

/** A revocation of a path certificate: by that time, in its whole validity period, or later. */
function findRevocation(
  path: readonly Certificate[],
  data: StoredValidationData,
  atMs: number,
  context: StatusContext,
): Revocation | undefined {
  const [leaf] = path;
  if (leaf === undefined) return undefined;
  const { onUnknown: _, ...rules } = context.revocation ?? {};
  const quiet = { ...context, revocation: rules };
  const times = [{ atMs }, { atMs: leaf.notBeforeMs, untilMs: atMs }];
  for (const time of times) {
    const found = attempt(() => checkPathStatus(path, data, time, quiet));
    if (found?.revocation !== undefined) return found.revocation;
  }
  return undefined;
}

/** The objects of one signer of a CMS signature, whose time-stamps and data are passed in. */
export function cmsObjects(
  signerInfo: SignerInfo | undefined,
  isIntact: boolean,
  rest: Pick<ValidationObjects, 'path' | 'timestamps' | 'data' | 'revocation'>,
): ValidationObjects {
  if (signerInfo === undefined) return rest;
  const { digest, signature: signatureValue, signedAttributesDer } = signerInfo;
  if (digest === undefined || signedAttributesDer === undefined) return { ...rest, signatureValue };
  // In an intact signature, the attribute is the digest of the content.
  const value = isIntact ? readMessageDigest(signerInfo) : undefined;
  return {
    ...rest,
    signatureValue,
    signedDigest: { digest, value: digestOf(digest, signedAttributesDer) },
    documentDigest: value === undefined ? undefined : { digest, value },
  };
}

/** The objects of a stand-alone time-stamp. */
export function tokenObjects(
  token: Uint8Array,
  { path, signerInfo, info, valid }: TimestampVerdict,
  data: StoredValidationData,
): ValidationObjects {
  const imprint = valid && info?.digest !== undefined;
  return {
    signatureValue: signerInfo?.signature,
    documentDigest: imprint ? { digest: info.digest, value: info.imprint } : undefined,
    path,
    timestamps: [{ token, path }],
    data,
  };
}
