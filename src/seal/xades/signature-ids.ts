import { hexOf } from '../../base/bytes.ts';
import type { RandomSource } from '../ports.ts';

/** The Ids of one signature. They are unique, so that a document can be signed repeatedly. */
export interface SignatureIds {
  readonly signature: string;
  readonly value: string;
  readonly properties: string;
  /** Id of the reference to the data object with this index, counted from 0. */
  reference(index: number): string;
  /** Id of the enveloped object with this index. */
  object(index: number): string;
}

/** Length of a random name in bytes, as in a UUID. */
const RANDOM_BYTES = 16;

/** Generates the Ids of a signature. */
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

/** Generates an Id that starts with `kind`, a word of letters. */
export function newId(kind: string, random: RandomSource): string {
  return `${kind}-${hexOf(random(RANDOM_BYTES))}`;
}
