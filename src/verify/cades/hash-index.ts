import { hexOf } from '../../base/bytes.ts';
import { isInnsigliError } from '../../base/errors.ts';
import { derOf, oids, readBytes, readSequence } from '../../formats/asn1/index.ts';
import { parseTimestampToken } from '../../formats/tsp/index.ts';
import { type DigestAlgorithm, parseDigestAlgorithm } from '../../formats/x509/index.ts';
import { digestOf } from '../../trust/signature.ts';
import type { CadesValue } from './cades-values.ts';

/** The list of digests inside an archive time-stamp. */
export interface HashIndex {
  readonly digest: DigestAlgorithm;
  /** The whole index, as the imprint takes it. */
  readonly der: Uint8Array;
  /** Hexadecimal digests by the kind of what they are of. */
  readonly entries: Readonly<Record<CadesValue['kind'], ReadonlySet<string>>>;
}

/**
 * The ats-hash-index-v3 of an archive time-stamp, or why it cannot be used; undefined for none.
 *
 *     ATSHashIndexV3 { hashIndAlgorithm, { certificate* }, { revocation* }, { attribute value* } }
 *
 * @spec ETSI EN 319 122-1 §5.5.2
 */
export function readHashIndex(token: Uint8Array): HashIndex | string | undefined {
  try {
    const { signerInfos } = parseTimestampToken(token).signedData;
    const values = signerInfos[0]?.unsignedAttributes.get(oids.atsHashIndexV3) ?? [];
    const [value] = values;
    if (value === undefined) return undefined;
    if (values.length > 1) {
      return `expected one ats-hash-index-v3, found ${values.length}`;
    }
    const [algorithm, certificates, revocation, attributes, ...more] = readSequence(value, 'index');
    if (more.length > 0) return 'the ats-hash-index-v3 has unknown fields';
    const list = (node: typeof algorithm) =>
      new Set(readSequence(node, 'digests').map((item) => hexOf(readBytes(item))));
    return {
      digest: parseDigestAlgorithm(algorithm),
      der: derOf(value),
      entries: {
        certificate: list(certificates),
        revocation: list(revocation),
        attribute: list(attributes),
      },
    };
  } catch (error) {
    if (!isInnsigliError(error)) throw error;
    return `the ats-hash-index-v3 cannot be read: ${error.message}`;
  }
}

/** Finds values by digest; each value is digested once for each algorithm. */
export interface ValueFinder {
  find(digest: DigestAlgorithm, kind: CadesValue['kind'], hex: string): readonly CadesValue[];
}

/** A finder among these values. */
export function createValueFinder(values: readonly CadesValue[]): ValueFinder {
  const tables = new Map<DigestAlgorithm, Map<string, CadesValue[]>>();
  const tableOf = (digest: DigestAlgorithm) => {
    const known = tables.get(digest);
    if (known !== undefined) return known;
    const table = new Map<string, CadesValue[]>();
    for (const value of values) {
      const key = `${value.kind} ${hexOf(digestOf(digest, ...value.bytes))}`;
      const group = table.get(key);
      if (group === undefined) table.set(key, [value]);
      else group.push(value);
    }
    tables.set(digest, table);
    return table;
  };
  return { find: (digest, kind, hex) => tableOf(digest).get(`${kind} ${hex}`) ?? [] };
}
