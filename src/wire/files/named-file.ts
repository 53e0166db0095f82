import type { FileObject } from '../../app/documents/xml/request.ts';
import { wholeBytes } from '../../base/bytes.ts';
import type { FileObjectSource } from '../toolkit.types.ts';

/** Reads a document into memory, under its name. */
export function namedFile({ name, source }: FileObjectSource): FileObject {
  return { name, content: wholeBytes(source) };
}
