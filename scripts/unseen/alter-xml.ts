import type { Alteration, AlterationContext } from './alteration.ts';

type Edit = (text: string) => string | undefined;

/** Returns alterations of an XML signature, each of one part of its structure. */
export function xmlAlterations(
  bytes: Uint8Array,
  { random, other }: AlterationContext,
): readonly Alteration[] {
  const text = Buffer.from(bytes).toString('utf8');
  const edited = (name: string, edit: Edit): Alteration => ({
    name,
    make: () => {
      const made = edit(text);
      return made === undefined || made === text ? undefined : new Uint8Array(Buffer.from(made));
    },
  });
  const flipText = (name: string): Edit => {
    return (whole) => changeOne(whole, name, random.below(16), (body) => flipLetter(body, random));
  };
  const dropped = [
    'KeyInfo',
    'X509Data',
    'X509Certificate',
    'Transforms',
    'Transform',
    'Reference',
    'Object',
    'QualifyingProperties',
    'SignedProperties',
    'SigningTime',
    'SigningCertificateV2',
    'SignedDataObjectProperties',
    'DataObjectFormat',
    'UnsignedProperties',
    'SignatureTimeStamp',
    'CertificateValues',
    'RevocationValues',
    'ArchiveTimeStamp',
    'TimeStampValidationData',
    'SignatureValue',
    'CanonicalizationMethod',
    'MimeType',
    'CertDigest',
  ] as const;
  const flips = [
    'SignatureValue',
    'DigestValue',
    'X509Certificate',
    'SigningTime',
    'MimeType',
    'EncapsulatedTimeStamp',
    'EncapsulatedX509Certificate',
    'EncapsulatedOCSPValue',
    'Text',
    'Amount',
    'IssuerSerialV2',
  ] as const;
  return [
    ...dropped.map((name) =>
      edited(`drop-${name}`, (whole) => changeElement(whole, name, random.below(4), () => '')),
    ),
    ...dropped
      .slice(3, 16)
      .map((name) =>
        edited(`twice-${name}`, (whole) => changeElement(whole, name, 0, (it) => it + it)),
      ),
    ...flips.map((name) => edited(`flip-${name}`, flipText(name))),
    ...rewrites.map(([name, from, to]) => edited(name, (whole) => whole.replace(from, to))),
    edited('signature-of-other', (whole) => takeOver(whole, other, 'SignatureValue')),
    edited('signedinfo-of-other', (whole) => takeOver(whole, other, 'SignedInfo')),
    edited('keyinfo-of-other', (whole) => takeOver(whole, other, 'KeyInfo')),
    edited('unsigned-of-other', (whole) => takeOver(whole, other, 'UnsignedProperties')),
    edited('stamp-of-other', (whole) => takeOver(whole, other, 'SignatureTimeStamp')),
    edited('signature-first', moveSignature),
  ];
}

const strange = '<x:Strange xmlns:x="urn:example:x">999</x:Strange>';

/** Replacements at the first occurrence. */
const rewrites: readonly (readonly [name: string, from: RegExp, to: string])[] = [
  ['comment-in-content', /<Buyer/, '<!-- c --><Buyer'],
  ['instruction', /<Buyer/, '<?x y?><Buyer'],
  ['space-in-tag', /<Amount currency/, '<Amount  currency'],
  ['attribute-quotes', /country="IS"/, "country='IS'"],
  ['attribute-changed', /country="IS"/, 'country="SE"'],
  ['attribute-added', /<Amount /, '<Amount x="1" '],
  ['entity', /&amp;/, '&#38;'],
  ['line-ends', /\n {2}</, '\r\n  <'],
  ['element-added', /<Buyer/, `${strange}<Buyer`],
  ['strange-in-keyinfo', /<((?:\w+:)?)KeyInfo([^>]*)>/, `<$1KeyInfo$2>${strange}`],
  ['strange-in-x509', /<((?:\w+:)?)X509Data>/, `<$1X509Data>${strange}`],
  [
    'strange-in-unsigned',
    /<((?:\w+:)?)UnsignedSignatureProperties([^>/]*)>/,
    `<$1UnsignedSignatureProperties$2>${strange}`,
  ],
  ['strange-object', /<\/((?:\w+:)?)Signature>/, `<$1Object>${strange}</$1Object></$1Signature>`],
  ['strange-in-signature', /<\/((?:\w+:)?)Signature>/, `${strange}</$1Signature>`],
  ['strange-in-signedinfo', /<((?:\w+:)?)SignedInfo([^>]*)>/, `<$1SignedInfo$2>${strange}`],
  ['space-in-signedinfo', /<((?:\w+:)?)SignedInfo([^>]*)>/, '<$1SignedInfo$2>\n'],
  ['space-in-value', /<((?:\w+:)?)SignatureValue([^>]*)>/, '<$1SignatureValue$2>\n '],
  ['space-in-digest', /<((?:\w+:)?)DigestValue>/, '<$1DigestValue>\n '],
  ['id-of-properties', /(SignedProperties Id="[^"]+)"/, '$1x"'],
  ['id-of-signature', /(Signature [^>]*Id="[^"]+)"/, '$1x"'],
  ['target', /Target="#[^"]*"/, 'Target="#nothing"'],
  ['target-drop', / Target="[^"]*"/, ''],
  ['object-reference', /ObjectReference="[^"]*"/, 'ObjectReference="#nothing"'],
  ['reference-uri', / URI="#[^"]*"/, ' URI="#nothing"'],
  ['reference-uri-all', / URI="#[^"]*"/, ' URI=""'],
  ['reference-uri-drop', / URI="[^"]*"/, ''],
  ['reference-type-drop', / Type="[^"]*SignedProperties"/, ''],
  ['reference-type', / Type="[^"]*SignedProperties"/, ' Type="urn:example:type"'],
  [
    'digest-sha1',
    /http:\/\/www.w3.org\/2001\/04\/xmlenc#sha256/,
    'http://www.w3.org/2000/09/xmldsig#sha1',
  ],
  ['digest-unknown', /http:\/\/www.w3.org\/2001\/04\/xmlenc#sha(256|512)/, 'urn:example:digest'],
  ['method-unknown', /xmldsig-more#(rsa|ecdsa)-sha\d+/, 'xmldsig-more#unknown'],
  ['method-other', /xmldsig-more#(rsa|ecdsa)-sha256/, 'xmldsig-more#$1-sha512'],
  [
    'c14n-inclusive',
    /http:\/\/www.w3.org\/2001\/10\/xml-exc-c14n#/,
    'http://www.w3.org/TR/2001/REC-xml-c14n-20010315',
  ],
  ['c14n-unknown', /http:\/\/www.w3.org\/2001\/10\/xml-exc-c14n#/, 'urn:example:c14n'],
  ['transform-unknown', /(Transform Algorithm=")[^"]*"/, '$1urn:example:transform"'],
  [
    'transform-xslt',
    /(Transform Algorithm=")[^"]*"/,
    '$1http://www.w3.org/TR/1999/REC-xslt-19991116"',
  ],
  ['prolog', /^<\?xml[^>]*\?>/, ''],
  ['doctype', /^(<\?xml[^>]*\?>)?/, '$1<!DOCTYPE x [<!ENTITY y "z">]>'],
];

const place = (name: string) =>
  new RegExp(`<((?:\\w+:)?)${name}(?=[\\s/>])[^>]*?(?:/>|>[\\s\\S]*?</\\1${name}>)`, 'g');

/** Changes one occurrence of an element; the index wraps around. */
function changeElement(
  text: string,
  name: string,
  wanted: number,
  change: (element: string) => string,
): string | undefined {
  const found = [...text.matchAll(place(name))];
  const match = found[wanted % Math.max(1, found.length)];
  if (match === undefined) return undefined;
  const end = match.index + match[0].length;
  return text.slice(0, match.index) + change(match[0]) + text.slice(end);
}

function changeOne(
  text: string,
  name: string,
  wanted: number,
  change: (body: string) => string,
): string | undefined {
  return changeElement(text, name, wanted, (element) => {
    const from = element.indexOf('>') + 1;
    const to = element.lastIndexOf('</');
    return to <= from
      ? element
      : element.slice(0, from) + change(element.slice(from, to)) + element.slice(to);
  });
}

/** Replaces a letter or digit with a different one. */
function flipLetter(body: string, random: AlterationContext['random']): string {
  const places = [...body.matchAll(/[A-Za-z0-9]/g)].map(({ index }) => index);
  if (places.length === 0) return body;
  const at = random.pick(places);
  return `${body.slice(0, at)}${body[at] === 'A' ? 'B' : 'A'}${body.slice(at + 1)}`;
}

function takeOver(text: string, other: Uint8Array | undefined, name: string): string | undefined {
  const theirs = Buffer.from(other ?? [])
    .toString('utf8')
    .match(place(name))?.[0];
  return theirs === undefined ? undefined : changeElement(text, name, 0, () => theirs);
}

/** Moves the signature in front of its siblings. */
function moveSignature(text: string): string | undefined {
  const [signature] = text.match(place('Signature')) ?? [];
  const root = /<(?!\?|!)[^>]*>/.exec(text);
  if (signature === undefined || root === null || root[0].includes('Signature')) return undefined;
  const without = text.replace(signature, '');
  const at = root.index + root[0].length;
  return without.slice(0, at) + signature + without.slice(at);
}
