import { latin1Text } from '../../base/bytes.ts';
import type { XmlDocument } from '../xml/index.ts';

/** Number of bytes that suffice to recognise a document. */
const START_BYTES = 256;

/**
 * The form of a list of trusted entities that is not XML; undefined for any other document. Such
 * lists are JSON, or a JSON Web Signature over it, whose header is base64 of `{"`.
 */
export function foreignListForm(bytes: Uint8Array): 'JSON' | 'JWS' | undefined {
  const start = latin1Text(bytes.subarray(0, START_BYTES));
  if (/^(?:\xef\xbb\xbf)?\s*\{/.test(start)) return 'JSON';
  return /^\s*ey[A-Za-z0-9_-]+(?:\.|$)/.test(start) ? 'JWS' : undefined;
}

/** Whether the document is a list of trusted entities in XML. */
export function isEntityList({ root }: XmlDocument): boolean {
  return /^(?:ListOfTrustedEntities(?:Type)?|LoTE)$/i.test(root.localName);
}
