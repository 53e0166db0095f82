/**
 * Result of each side: "accepted" or the reason for rejection; a canonical form or the reason for
 * its absence.
 */
export interface Sides {
  readonly ours: string;
  readonly theirs: string;
}

type Known = readonly [pattern: RegExp, because: string];

const weRefuse: readonly Known[] = [
  [/^xml\.dtd\.forbidden/, 'we refuse document type declarations'],
  [/^xml\.encoding\.unsupported/, 'we refuse encodings other than UTF-8'],
];

const otherVersion = /^\ufeff?<\?xml\s+version\s*=\s*["']1\.(?!0["'])[0-9]*["']/;

/** libxml2 reports all its errors, each on one or more lines. */
const theyRefuse: readonly Known[] = [
  [/^xmlns\S*: '.*?' is not a valid URI$/gms, 'libxml2 checks the syntax of namespace URIs'],
  [/^xmlns\S*: URI .*? is not absolute$/gms, 'libxml2 checks the syntax of namespace URIs'],
  [/^xmlParsePITarget: invalid name prefix 'xml'$/gm, 'a warning of libxml2'],
  [/^xml:id : attribute value .*? is not an NCName$/gms, 'libxml2 checks the values of xml:id'],
  [/^ID .*? already defined$/gms, 'libxml2 checks the values of xml:id'],
  [/^Invalid value ".*?" for xml:space.*?$/gms, 'libxml2 checks the values of xml:space'],
];

/** Returns why one side accepts what the other rejects. Undefined if no reason is known. */
export function explainVerdict({ ours, theirs }: Sides, document: Uint8Array): string | undefined {
  if (ours !== 'accepted') {
    if (otherVersion.test(Buffer.from(document).toString())) return 'we read XML 1.0 only';
    return weRefuse.find(([pattern]) => pattern.test(ours))?.[1];
  }
  let left = theirs;
  let because: string | undefined;
  for (const [pattern, reason] of theyRefuse) {
    const without = left.replace(pattern, '');
    if (without !== left) because = reason;
    left = without;
  }
  return left.trim() === '' ? because : undefined;
}

const noForm = 'Failed to canonicalize XML document';
const relativeUri = /\sxmlns(?::[^=\s]+)?\s*=\s*["'](?![A-Za-z][A-Za-z0-9+.-]*:)[^"']/;

/** Returns why two canonical forms differ. Undefined if no reason is known. */
export function explainForm({ ours, theirs }: Sides, document: Uint8Array): string | undefined {
  const source = Buffer.from(document).toString();
  if (theirs === noForm && relativeUri.test(source)) {
    return 'libxml2 gives no form when a relative namespace URI stands anywhere, left out or not';
  }
  const plain = { ours: withPlainUris(ours), theirs: withPlainUris(theirs) };
  if (plain.ours === plain.theirs) return 'libxml2 does not escape namespace URIs';
  const sides = { ours: withoutEmptyBases(plain.ours), theirs: withoutEmptyBases(plain.theirs) };
  if (sides.ours === sides.theirs) {
    return 'libxml2 drops xml:base="" in version 1.1 where nothing is left out';
  }
  const sameButForBase = withoutFirstBase(sides.ours) === withoutFirstBase(sides.theirs);
  const outOfRoot = /^(?:[a-z]+:\/\/[^/]*)?\/.*\.\./.test(firstBase(theirs));
  if (sameButForBase && outOfRoot) {
    return 'libxml2 keeps ".." that leads out of the root of an xml:base';
  }
  const bases = [...source.matchAll(/\sxml:base\s*=\s*(["'])(.*?)\1/gs)].map((match) => match[2]);
  if (sameButForBase && bases.some((base) => !isOrdinary(base ?? ''))) {
    return 'libxml2 joins xml:base with ".", "#", "?", "//" or ".." at the end in its own way';
  }
  return undefined;
}

/** True for bases that libxml2 joins according to Canonical XML 1.1 §2.4. */
function isOrdinary(base: string): boolean {
  return /^(?:[a-z]+:\/\/[a-z0-9]+)?\/?(?:(?:\.\.|[a-z0-9]+)\/)*[a-z0-9]*$/.test(base);
}

function withoutEmptyBases(form: string): string {
  return form.replaceAll(' xml:base=""', '');
}

/** Removes the `xml:base` of the first tag of the form. */
function withoutFirstBase(form: string): string {
  return form.replace(/ xml:base="[^"]*"/, '');
}

function firstBase(form: string): string {
  return / xml:base="([^"]*)"/.exec(form)?.[1] ?? '';
}

function withPlainUris(form: string): string {
  return form.replace(/ xmlns(:[^=\s]+)?="[^"]*"/g, (declaration) =>
    declaration.replaceAll('&lt;', '<').replaceAll('&amp;', '&'),
  );
}
