/** DER: a zero-copy reader, and a writer with exactly one encoding per value. */
export {
  childrenOf,
  contentOf,
  type DerNode,
  derOf,
  namedBitsIn,
  readBitOctets,
  readBoolean,
  readBytes,
  readDer,
  readIntegerBytes,
  readNamedBits,
  readNode,
  readOid,
  readSequence,
  readSet,
  readSmallInteger,
  readText,
  readTimeMs,
  requireTag,
} from './der-reader.ts';
export * as der from './der-writer.ts';
export { oids } from './oids.table.ts';
