import { hexOf } from '../../base/bytes.ts';
import type { RandomSource } from '../ports.ts';

/** The Ids of one signature; no two signatures share one, so a document can be signed again. */
export interface SignatureIds {
  readonly signature: string;
  readonly value: string;
  readonly properties: string;
  /** Identifier of the reference to the data object with this index, counted from 0. */
  reference(index: number): string;
  /** Identifier of the enveloped object with this index. */
  object(index: number): string;
}

/** Bytes of a random name: as many as a UUID has. */
const RANDOM_BYTES = 16;

/** Fresh Ids. */
export function newSignatureIds(random: RandomSource): SignatureIds {
  const name = newId('id', random);
  return {
    signature: name,
    value: `value-${name}`,
    properties: `xades-${name}`,
    reference: (index) => `r-${name}-${index + 1}`,
    object: (index) => `o-${name}-${index + 1}`,
  };
}

/** A fresh Id that begins with `kind`, a word of letters. */
export function newId(kind: string, random: RandomSource): string {
  return `${kind}-${hexOf(random(RANDOM_BYTES))}`;
}
