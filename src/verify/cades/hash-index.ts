import { hexOf } from '../../base/bytes.ts';
import { isInnsigliError } from '../../base/errors.ts';
import { getOrCompute } from '../../base/memo.ts';
import { type DerNode, derOf, oids, readBytes, readSequence } from '../../formats/asn1/index.ts';
import { parseTimestampToken } from '../../formats/tsp/index.ts';
import { type DigestAlgorithm, parseDigestAlgorithm } from '../../formats/x509/index.ts';
import { digestOf } from '../../trust/signature.ts';
import type { CadesValue } from './cades-values.ts';

/** The list of digests in an archive time-stamp. */
export interface HashIndex {
  readonly digest: DigestAlgorithm;
  /** The whole index, as included in the imprint. */
  readonly der: Uint8Array;
  /** True for the older form, which digests whole attributes instead of single values. */
  readonly isOld: boolean;
  /** Hexadecimal digests by the kind of value. */
  readonly entries: Readonly<Record<CadesValue['kind'], ReadonlySet<string>>>;
}

/**
 * Reads the ats-hash-index-v3 of an archive time-stamp, or the earlier ats-hash-index. Returns the
 * reason if it is unusable, and undefined if there is none.
 *
 *     ATSHashIndexV3 { hashIndAlgorithm, { certificate* }, { revocation* }, { attribute value* } }
 *     ATSHashIndex { hashIndAlgorithm?, { certificate* }, { revocation* }, { attribute* } }
 *
 * @spec ETSI EN 319 122-1 §5.5.2, ETSI TS 101 733 v2.2.1 §6.4.2
 */
export function readHashIndex(token: Uint8Array): HashIndex | string | undefined {
  try {
    const { signerInfos } = parseTimestampToken(token).signedData;
    const found = signerInfos[0]?.unsignedAttributes;
    const newer = found?.get(oids.atsHashIndexV3);
    const values = newer ?? found?.get(oids.atsHashIndex) ?? [];
    const isOld = newer === undefined;
    const [value] = values;
    if (value === undefined) return undefined;
    if (values.length > 1) return `expected one ats-hash-index-v3, found ${values.length}`;
    const fields = readSequence(value, 'index');
    const isDefault = isOld && fields.length === 3;
    const lists = isDefault ? fields : fields.slice(1);
    const [certificates, revocation, attributes, ...more] = lists;
    if (more.length > 0) return 'the ats-hash-index-v3 has unknown fields';
    const list = (node: DerNode | undefined) =>
      new Set(readSequence(node, 'digests').map((item) => hexOf(readBytes(item))));
    return {
      digest: isDefault ? 'sha256' : parseDigestAlgorithm(fields[0]),
      isOld,
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

/** Finds values by digest. Each value is digested once per algorithm. */
export interface ValueFinder {
  find(index: HashIndex, kind: CadesValue['kind'], hex: string): readonly CadesValue[];
}

/** Creates a finder for these values. */
export function createValueFinder(values: readonly CadesValue[]): ValueFinder {
  const tables = new Map<string, Map<string, CadesValue[]>>();
  const tableOf = ({ digest, isOld }: HashIndex) => {
    const form = `${digest} ${isOld}`;
    return getOrCompute(tables, form, () => {
      const table = new Map<string, CadesValue[]>();
      for (const value of values) {
        const bytes = isOld ? [value.whole] : value.bytes;
        const key = `${value.kind} ${hexOf(digestOf(digest, ...bytes))}`;
        getOrCompute(table, key, () => []).push(value);
      }
      return table;
    });
  };
  return { find: (index, kind, hex) => tableOf(index).get(`${kind} ${hex}`) ?? [] };
}
