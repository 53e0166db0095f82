import { createHash } from 'node:crypto';
import { type ByteSource, scanBytes } from '../../base/bytes.ts';
import type { ReportedDocument } from './report-view.ts';

/** Details of a file for a report: the last part of its name, its length and its digest. */
export function describeDocument(name: string | undefined, source: ByteSource): ReportedDocument {
  const hash = createHash('sha256');
  const { lengthBytes } = source;
  scanBytes(source, 0, lengthBytes, (piece) => hash.update(piece));
  return { name: name?.split(/[\\/]/).at(-1), lengthBytes, sha256: hash.digest('hex') };
}
