import { latin1Bytes } from '../../../src/base/bytes.ts';
import { continued, latin1, streamOf, text } from '../../support/shadow.ts';
import { type Attack, again, entry, forged, sealOf } from './attack.ts';
import { after, bodyNow, objects, type SignedDocument, updated } from './documents.ts';

const forgedPage = (document: SignedDocument) =>
  bodyNow(document, 3).replace(/\/Contents ?\d+ 0 R/, '/Contents 300 0 R');

/** An update with an object stream and a cross-reference stream. */
function inStream(
  document: SignedDocument,
  members: readonly (readonly [number, string])[],
  more: Readonly<Record<number, string>> = {},
  edit: (update: string) => string = (update) => update,
): Uint8Array {
  const { builder, previous } = continued(document.bytes);
  for (const [number, body] of Object.entries(more)) builder.object(Number(number), body);
  builder.objectStream(310, members);
  const trailer = `/Prev ${previous}/Info 24 0 R`;
  const { bytes } = builder.end(builder.xrefStream(311, { trailer, size: 600 }));
  const kept = document.bytes.length;
  return latin1Bytes(latin1(document.bytes) + edit(latin1(bytes).slice(kept)));
}

/** A hybrid-reference update: a table for old readers, a stream for the rest. */
function hybrid(
  document: SignedDocument,
  open: Readonly<Record<number, string>>,
  concealed: readonly (readonly [number, string])[],
): Uint8Array {
  const { builder, previous } = continued(document.bytes);
  for (const [number, body] of Object.entries(open)) builder.object(Number(number), body);
  const inner = builder.offset;
  builder.objectStream(310, concealed);
  const stream = builder.xrefStream(311, { size: 600 });
  builder.nextRevision();
  for (const number of Object.keys(open)) {
    const at = latin1(builder.bytes).indexOf(`${number} 0 obj`, document.bytes.length);
    builder.at(Number(number), at);
  }
  builder.at(310, inner);
  const trailer = `/Prev ${previous}/XRefStm ${stream}/Info 24 0 R`;
  return builder.end(builder.table({ trailer, size: 600 })).bytes;
}

/** Trailers and the sections that they refer to. */
const trailers: readonly Attack[] = [
  {
    name: 'the trailer gets an encryption dictionary',
    make: (document) =>
      updated(
        document,
        {
          300: '<</Filter/Standard/V 1/R 2/O<00>/U<00>/P -4>>',
        },
        { trailer: '/Encrypt 300 0 R/Prev PREV' },
      ),
    told: /encryption/,
    hides: true,
  },
  {
    name: '/Prev leads to the update itself',
    make: (document) =>
      updated(document, again(document), {
        edit: (update) =>
          update.replace(/\/Prev \d+/, `/Prev ${/startxref\n(\d+)/.exec(update)?.[1]}`),
      }),
    told: /./,
    hides: true,
  },
  {
    name: 'two updates refer to each other',
    make: (document) => {
      const first = updated(document, { 4: forged });
      const second = latin1(updated(after(document, first), again(document)));
      const at = document.bytes.length;
      const [, last] = [...second.slice(at).matchAll(/startxref\n(\d+)/g)];
      const width = /\/Prev (\d+)/.exec(second.slice(at))?.[1]?.length ?? 0;
      const prev = `/Prev ${(last?.[1] ?? '').padStart(width, '0')}`;
      return latin1Bytes(second.slice(0, at) + second.slice(at).replace(/\/Prev \d+/, prev));
    },
    told: /./,
    hides: true,
  },
  {
    name: 'no /Prev, and all objects anew',
    make: (document) => {
      const { 4: _, ...rest } = objects;
      const [seal] = [sealOf(document)];
      const value = Number(/\/V ?(\d+)/.exec(bodyNow(document, seal))?.[1]);
      return updated(
        document,
        {
          ...rest,
          1: bodyNow(document, 1),
          3: bodyNow(document, 3),
          4: forged,
          10: bodyNow(document, 10),
          [seal]: bodyNow(document, seal),
          [value]: bodyNow(document, value),
        },
        { trailer: '' },
      );
    },
    told: /./,
    hides: true,
  },
  {
    name: 'the update is written twice, the first one with another page',
    make: (document) => {
      const first = updated(document, { 3: forgedPage(document), 300: forged });
      return updated(after(document, first), { 3: bodyNow(document, 3) });
    },
    told: /changed back \(page 1\)/,
  },
  {
    name: 'an object is freed',
    make: (document) =>
      updated(document, { 19: '<<>>' }, { edit: (update) => freed(document, update) }),
    told: /page 1|no comment|removed|two entries|cannot be read/,
  },
  {
    name: 'a section of an unknown type',
    make: (document) =>
      updated(document, again(document), {
        edit: (update) => update.replace('/Type/XRef', '/Type/XRfe'),
      }),
    told: /./,
    shape: 'streams',
    hides: true,
  },
];

function freed(document: SignedDocument, update: string): string {
  if (document.shape === 'streams') return update;
  return update.replace(/\d{10} 00000 n/, '0000000000 00001 f');
}

/** Objects in object streams. */
const containers: readonly Attack[] = [
  {
    name: 'a page in an object stream',
    make: (document) => inStream(document, [[3, forgedPage(document)]], { 300: forged }),
    told: /the content of page 1/,
  },
  {
    name: 'an object stream whose header names another object',
    make: (document) =>
      inStream(
        document,
        [
          [3, forgedPage(document)],
          [320, bodyNow(document, 3)],
        ],
        { 300: forged },
      ),
    told: /the content of page 1/,
  },
  {
    name: 'an object stream that extends another',
    make: (document) =>
      inStream(document, [[320, '<<>>']], {}, (update) =>
        update.replace('/Type/ObjStm', '/Type/ObjStm/Extends 40 0 R'),
      ),
    told: /./,
  },
  {
    name: 'an object stream is rewritten in place',
    make: (document) =>
      updated(document, {
        40: streamOf('3 0 <<>>', '/Type/ObjStm/N 1/First 4'),
      }),
    told: /./,
    shape: 'streams',
    hides: true,
  },
  {
    name: 'a hybrid-reference update that conceals a page',
    make: (document) =>
      hybrid(document, { 300: forged, ...again(document) }, [[3, forgedPage(document)]]),
    told: /two entries|content of page 1/,
  },
  {
    name: 'a hybrid-reference update with two versions of a page',
    make: (document) =>
      hybrid(document, { 3: bodyNow(document, 3), 300: forged }, [[3, forgedPage(document)]]),
    told: /two entries|content of page 1/,
  },
];

/** Objects that readers interpret differently. */
const syntax: readonly Attack[] = [
  ...(
    [
      ['the content twice in a page', '/Contents 300 0 R/Contents 4 0 R'],
      ['the content behind a name with an escape', '/Contents 4 0 R/Con#74ents 300 0 R'],
      ['the content behind a name with a null character', '/Contents 4 0 R/Contents#00 300 0 R'],
    ] as const
  ).map(
    ([name, contents]): Attack => ({
      name,
      make: (document) =>
        updated(document, {
          3: bodyNow(document, 3).replace(/\/Contents ?\d+ 0 R/, contents),
          300: forged,
        }),
      told: /./,
    }),
  ),
  {
    name: 'one object within another',
    make: (document) =>
      updated(document, { 1: `${bodyNow(document, 1)}\nendobj\n4 0 obj\n${forged}` }),
    told: /not listed|cannot be read/,
  },
  {
    name: 'a stream with a /Length that ends earlier',
    make: (document) =>
      updated(document, {
        ...again(document),
        300: `<</Length 2>>\nstream\n${text('PAY 999')}\nendstream`,
      }),
    told: /./,
  },
  {
    name: 'a stream whose data are in an external file',
    make: (document) =>
      updated(document, {
        11: entry(document, 11, 'AP', '<</N 300 0 R>>'),
        300: streamOf('', '/Type/XObject/Subtype/Form/BBox[0 0 9 9]/F(http://x/look)'),
      }),
    told: /./,
  },
];

/** Attacks on the structure of updates. */
export const structures: Readonly<Record<string, readonly Attack[]>> = {
  trailers,
  containers,
  syntax,
};
