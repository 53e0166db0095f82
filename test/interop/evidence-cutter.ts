/**
 * Cuts signatures out of PDFs for openssl. Written apart from src/ on purpose: it finds
 * `/ByteRange` by its text and reads DER with a few lines of its own.
 */

/** One signature or document time-stamp of a file. */
export interface CutSignature {
  readonly subFilter: string;
  readonly byteRange: readonly [number, number, number, number];
  /** CMS or time-stamp token, DER, without the padding. */
  readonly cms: Buffer;
  /** The bytes that the signature covers. */
  readonly covered: Buffer;
  /** Why the range is not what a whole revision asks for. */
  readonly problems: readonly string[];
}

/** A time-stamp token and the value that it stamps. */
export interface CutTimestamp {
  readonly token: Buffer;
  readonly signatureValue: Buffer;
}

/** Signatures of a file in the order of their ranges. */
export function cutSignatures(pdf: Buffer): CutSignature[] {
  const text = pdf.toString('latin1');
  const found = [...text.matchAll(/\/ByteRange\s*\[\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s*\]/g)];
  return found
    .map((match) => cutOne(pdf, text, match))
    .sort((a, b) => a.byteRange[3] + a.byteRange[2] - b.byteRange[3] - b.byteRange[2]);
}

function cutOne(pdf: Buffer, text: string, match: RegExpExecArray): CutSignature {
  const [a, b, c, d] = match.slice(1, 5).map(Number) as [number, number, number, number];
  const problems: string[] = [];
  if (a !== 0) problems.push(`range begins at ${a}`);
  if (text[b] !== '<' || text[c - 1] !== '>') problems.push('gap is not exactly the hex string');
  if (c + d > pdf.length) problems.push('range ends after the file');
  if (!/%%EOF[\r\n]*$/.test(text.slice(Math.max(0, c + d - 16), c + d))) {
    problems.push('range does not end with %%EOF');
  }
  const start = text.lastIndexOf(' obj', match.index);
  const dictionary = text.slice(start, text.indexOf('endobj', match.index));
  const padded = Buffer.from(text.slice(b + 1, c - 1), 'hex');
  return {
    subFilter: /\/SubFilter\s*\/([\w.]+)/.exec(dictionary)?.[1] ?? '(none)',
    byteRange: [a, b, c, d],
    cms: padded.subarray(0, readElement(padded, 0).end),
    covered: Buffer.concat([pdf.subarray(a, a + b), pdf.subarray(c, c + d)]),
    problems,
  };
}

interface Element {
  readonly tag: number;
  /** Offsets of the content and of the end. */
  readonly content: number;
  readonly end: number;
}

function readElement(der: Buffer, start: number): Element {
  const tag = der.readUInt8(start);
  const first = der.readUInt8(start + 1);
  if (first < 0x80) return { tag, content: start + 2, end: start + 2 + first };
  const count = first & 0x7f;
  const length = der.readUIntBE(start + 2, count);
  return { tag, content: start + 2 + count, end: start + 2 + count + length };
}

function childrenOf(der: Buffer, parent: Element): Element[] {
  const children: Element[] = [];
  for (let at = parent.content; at < parent.end; ) {
    const child = readElement(der, at);
    children.push(child);
    at = child.end;
  }
  return children;
}

const signatureTimestampOid = Buffer.from('060b2a864886f70d010910020e', 'hex');

/** Signature time-stamps among the unsigned attributes of the first signer. */
export function cutTimestamps(cms: Buffer): CutTimestamp[] {
  // ContentInfo { oid, [0] { SignedData { …, SET { SignerInfo { …, OCTET STRING, [1] } } } } }
  const contentInfo = readElement(cms, 0);
  const explicit = childrenOf(cms, contentInfo)[1] as Element;
  const signedData = childrenOf(cms, explicit)[0] as Element;
  const signerInfos = childrenOf(cms, signedData).at(-1) as Element;
  const fields = childrenOf(cms, childrenOf(cms, signerInfos)[0] as Element);
  const value = fields.find(({ tag }) => tag === 0x04) as Element;
  const unsigned = fields.find(({ tag }) => tag === 0xa1);
  if (unsigned === undefined) return [];
  const tokens: CutTimestamp[] = [];
  for (const attribute of childrenOf(cms, unsigned)) {
    const content = cms.subarray(attribute.content, attribute.end);
    if (!content.subarray(0, signatureTimestampOid.length).equals(signatureTimestampOid)) continue;
    const set = childrenOf(cms, attribute)[1] as Element;
    tokens.push({
      token: cms.subarray(set.content, readElement(cms, set.content).end),
      signatureValue: cms.subarray(value.content, value.end),
    });
  }
  return tokens;
}
