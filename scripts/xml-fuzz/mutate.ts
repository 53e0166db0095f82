import type { Random } from './random.ts';

const tokens = [
  ...['<', '>', '&', ';', '"', "'", '/', '=', ' ', ':', '\r', '\n', '\t', '\0', '\x0b', '-', '?'],
  ...['!', ']]>', '<!--', '-->', '--', '<![CDATA[', '<?', '?>', '<?xml ?>', '<?XML x?>', '<?a:b?>'],
  ...[
    '&#0;',
    '&#x;',
    '&#xD800;',
    '&#xFFFE;',
    '&#1;',
    '&#x110000;',
    '&#99999999999;',
    '&amp',
    '&a;',
  ],
  ...['&nbsp;', '&#X41;', '&#65;', '&#0000000065;', '<a>', '</a>', '<a/>', '<!DOCTYPE a>', '</'],
  ...[' a="1"', ' a="2"', ' xmlns=""', ' xmlns:a=""', ' xmlns:b="urn:a"', ' a:x="1"', ' b:x="1"'],
  ...[' xmlns:xmlns="u:x"', ' xmlns:xml="urn:x"', ' xmlns:y="http://www.w3.org/2000/xmlns/"'],
  ...[
    ' xmlns:c="http://www.w3.org/XML/1998/namespace"',
    ' xml:id="1 2"',
    ' xml:space="x"',
    ' :a=""',
  ],
  ...[
    ' a:="1"',
    ' a:b:c="1"',
    ' xmlns:="u:x"',
    '\ufeff',
    '\ufffe',
    '\uffff',
    '\ud7ff',
    '\u2028',
    '\u037e',
  ],
  ...['\u00b7', '\u203f', '\u00d7', '\u0300', '\u{1f600}', '\u{f0000}', '\u0085', '\u00a0'],
];

const bytes = [0x00, 0x1f, 0x20, 0x3c, 0x3e, 0x26, 0x7f, 0x80, 0xbf, 0xc0, 0xc2, 0xe2, 0xed, 0xff];

/** Returns the document with a few bytes changed, removed, repeated, moved or inserted. */
export function mutate(document: Uint8Array, random: Random): Uint8Array {
  let result = Buffer.from(document);
  for (let i = random.oneIn(4) ? 2 : 1; i > 0; i--) result = mutateOnce(result, random);
  return result;
}

function mutateOnce(document: Buffer, random: Random): Buffer<ArrayBuffer> {
  const at = random.below(document.length + 1);
  const end = Math.min(document.length, at + 1 + random.below(12));
  const head = document.subarray(0, at);
  switch (random.below(6)) {
    case 0:
      return Buffer.concat([head, document.subarray(end)]);
    case 1:
      return Buffer.concat([head, document.subarray(at, end), document.subarray(at)]);
    case 2:
      return Buffer.concat([head, Buffer.of(random.pick(bytes)), document.subarray(at + 1)]);
    case 3: {
      const to = random.below(document.length + 1);
      const piece = document.subarray(at, end);
      return Buffer.concat([document.subarray(0, to), piece, document.subarray(to)]);
    }
    case 4:
      return random.oneIn(6) ? Buffer.from(head) : Buffer.concat([head, document.subarray(end)]);
    default:
      return Buffer.concat([head, Buffer.from(random.pick(tokens)), document.subarray(at)]);
  }
}
