import type { NamedFile } from '../../app/documents/xml/request.ts';
import type { NamedDocument } from '../toolkit.types.ts';

/** A document in memory, under its name. */
export function namedFile({ name, source }: NamedDocument): NamedFile {
  return { name, content: source.bytes ?? source.slice(0, source.lengthBytes) };
}
