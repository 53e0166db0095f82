/** A canonicalisation method. */
export type CanonicalMethod =
  | 'c14n10'
  | 'c14n10-comments'
  | 'c14n11'
  | 'c14n11-comments'
  | 'exc-c14n'
  | 'exc-c14n-comments';

/** Canonicalisation methods by identifier. @spec XML Signature 1.1 §6.5 */
export const canonicalMethods: ReadonlyMap<string, CanonicalMethod> = new Map([
  ['http://www.w3.org/TR/2001/REC-xml-c14n-20010315', 'c14n10'],
  ['http://www.w3.org/TR/2001/REC-xml-c14n-20010315#WithComments', 'c14n10-comments'],
  ['http://www.w3.org/2006/12/xml-c14n11', 'c14n11'],
  ['http://www.w3.org/2006/12/xml-c14n11#WithComments', 'c14n11-comments'],
  ['http://www.w3.org/2001/10/xml-exc-c14n#', 'exc-c14n'],
  ['http://www.w3.org/2001/10/xml-exc-c14n#WithComments', 'exc-c14n-comments'],
]);
