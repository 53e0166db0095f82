import { sealPdf } from '../../../src/index.ts';
import { tokenBy } from '../../support/hand-signed.ts';
import { sealOptions } from '../../support/sealing.ts';
import { streamOf } from '../../support/shadow.ts';
import {
  type Attack,
  again,
  bigLook,
  certified,
  entry,
  forged,
  onPage,
  otherSignature,
  sealOf,
  widget,
  withField,
} from './attack.ts';
import {
  after,
  bodyNow,
  look,
  objects,
  pki,
  referenceAt,
  type SignedDocument,
  type SignedDocumentMaker,
  signatureValue,
  signedDocument,
  signedLock,
  signedStore,
  signedUpdate,
  updated,
  withEntry,
  xmp,
} from './documents.ts';
import { entries } from './entries.table.ts';
import { preparations } from './prepared.table.ts';
import { structures } from './structures.table.ts';

/** Objects listed again with a different generation, which nothing refers to. */
const generations: readonly Attack[] = [
  ...(
    [
      ['the content', 4, () => objects[4]],
      ['the page', 3, (document: SignedDocument) => bodyNow(document, 3)],
      ['the second page', 30, () => objects[30]],
      ['the font', 5, () => objects[5]],
      ['a field', 11, () => objects[11]],
      ['the form', 10, (document: SignedDocument) => bodyNow(document, 10)],
      ['the signature field', 0, (document: SignedDocument) => bodyNow(document, sealOf(document))],
    ] as const
  ).map(
    ([what, number, body]): Attack => ({
      name: `generation 1 of ${what}`,
      make: (document) =>
        updated(
          document,
          { [number === 0 ? sealOf(document) : number]: body(document) ?? '' },
          { generation: 1 },
        ),
      told: /a different generation/,
      ...(what.includes('form') || what.includes('signature') ? { hides: true } : {}),
    }),
  ),
  {
    name: 'generation 1 of an object that an update added',
    make: (document) => {
      const first = updated(document, { ...again(document), 300: forged });
      return updated(after(document, first), { 300: forged }, { generation: 1 });
    },
    told: /a different generation/,
  },
];

/** Keywords of cross-reference data that readers interpret differently. */
const keywords: readonly Attack[] = [
  ...(
    [
      ['/Prev with a fraction', /\/Prev (\d+)/, '/Prev $1.0', /not written as plain integers/],
      ['/Prev with a sign', /\/Prev (\d+)/, '/Prev +$1', /not written as plain integers/],
      ['/Prev with a comment', /\/Prev (\d+)/, '/Prev %x\n$1', /not written as plain integers/],
      ['/Prev with an escape', /\/Prev (\d+)/, '/P#72ev $1', /not written as plain integers/],
      ['/Prev twice', /\/Prev (\d+)/, '/Prev 9/Prev $1', /occurs twice/],
      ['/Size with a fraction', /\/Size (\d+)/, '/Size $1.0', /not written as plain integers/],
      ['/Size that leaves objects out', /\/Size (\d+)/, '/Size 12', /\/Size that leaves objects/],
      ['a comment before "startxref"', /startxref\n(\d+)/, 'startxref %x\n$1', /./],
    ] as const
  ).map(
    ([name, found, written, told]): Attack => ({
      name,
      make: (document) =>
        updated(document, again(document), { edit: (update) => update.replace(found, written) }),
      told,
    }),
  ),
  {
    name: 'startxref that leads to a comment',
    make: (document) =>
      updated(document, again(document), {
        edit: (update, start) => {
          const named = Number(/startxref\n(\d+)/.exec(update)?.[1]);
          const at = named - start;
          const moved = `${update.slice(0, at)}%xxxxx\n${update.slice(at)}`;
          return moved.replace(/(\d{10})(?= 00000 n)/g, '$1');
        },
      }),
    told: /"startxref" does not lead/,
    shape: 'table',
  },
  {
    name: '/Prev with a fraction, all but the content listed again',
    make: (document) => {
      const { 4: _, 3: page, ...rest } = objects;
      const all = { ...rest, 3: page ?? '', 1: bodyNow(document, 1), 10: bodyNow(document, 10) };
      const now = { ...all, 3: bodyNow(document, 3) };
      return updated(document, now, {
        edit: (update) => update.replace(/\/Prev (\d+)/, '/Prev $1.0'),
      });
    },
    told: /not written as plain integers/,
  },
  {
    name: '/W with fractions',
    make: (document) =>
      updated(document, again(document), {
        edit: (update) => update.replace('/W[1 4 2]', '/W[1 4.0 2]'),
      }),
    told: /not written as plain integers/,
    shape: 'streams',
  },
  {
    name: 'the /Length of a new stream with a fraction',
    make: (document) =>
      updated(
        document,
        { ...again(document), 300: forged },
        {
          edit: (update) => update.replace(/\/Length (\d+)/, '/Length $1.'),
        },
      ),
    told: /not written as plain integers|cannot be read/,
  },
];

/** Existing widgets, moved elsewhere. */
const widgets: readonly Attack[] = [
  ...(
    [
      ['the seal', sealOf],
      ['a text field', () => 11],
      ['an empty signature field', () => 18],
      ['a radio button', () => 16],
      ['a comment', () => 19],
    ] as const
  ).map(
    ([what, number]): Attack => ({
      name: `${what} is put on the second page`,
      make: (document) => updated(document, onPage(document, number(document), 30)),
      told: /an existing object was put on page 2/,
    }),
  ),
  {
    name: 'the second page uses the annotations of the first',
    make: (document) => {
      const list = /\/Annots ?(\[[^\]]*\]|\d+ 0 R)/.exec(bodyNow(document, 3))?.[1] ?? '';
      return updated(document, { 30: entry(document, 30, 'Annots', list) });
    },
    told: /page 2/,
  },
  {
    name: 'a field is listed twice on its page',
    make: (document) => updated(document, onPage(document, 11)),
    told: /was put on page 1/,
  },
  {
    name: 'the rectangle of a field is moved',
    make: (document) => updated(document, { 11: entry(document, 11, 'Rect', '[0 0 595 842]') }),
    told: /the field "name" was changed: \/Rect/,
  },
  {
    name: 'the content of a page becomes the appearance of a field',
    make: (document) =>
      updated(document, { 11: entry(document, 11, 'AP', '<</N 4 0 R/X 4 0 R>>') }),
    told: /the field "name" was changed: \/AP/,
  },
];

const stamp = (area: string, more: string) => (document: SignedDocument) =>
  signedUpdate(
    document,
    {
      ...withField(document, 300),
      ...onPage(document, 300),
      300: `<<${widget}/FT/Sig/T(Stamp)/V 301 0 R/Rect[${area}]${more}>>`,
      301: signatureValue('DocTimeStamp', 'ETSI.RFC3161'),
      302: bigLook,
    },
    tokenBy(pki, pki.member('tsa'), pki.nowMs),
  );

/** Document time-stamps, which need no signing key, with an appearance. */
const stamps: readonly Attack[] = [
  ['over the page', stamp('0 0 595 842', '/AP<</N 302 0 R>>')] as const,
  ['with a rectangle and no appearance', stamp('0 0 100 100', '')] as const,
  ['with an appearance and no rectangle', stamp('0 0 0 0', '/AP<</N 302 0 R>>')] as const,
  ['hidden, with an appearance', stamp('0 0 595 842', '/AP<</N 302 0 R>>/F 2')] as const,
].map(([name, make]) => ({
  name: `a document time-stamp ${name}`,
  make: (document: SignedDocument) => make({ ...document, bytes: document.bytes }),
  told: name.startsWith('hidden')
    ? /time-stamp|cannot be read/
    : /time-stamp "Stamp" was added with an appearance/,
}));

const field =
  (dict: string, more: Readonly<Record<number, string>> = {}) =>
  (document: SignedDocument) =>
    updated(document, {
      ...more,
      ...withField(document, 300),
      ...onPage(document, 300),
      300: `<<${widget}${dict}/T(New)/Rect[72 300 272 320]>>`,
    });

/** Fields and document data that a certification does not permit. */
const additions: readonly Attack[] = [
  { name: 'a text field', make: field('/FT/Tx'), told: /"New", not a signature field/ },
  { name: 'a check box', make: field('/FT/Btn'), told: /"New", not a signature field/ },
  {
    name: 'an empty signature field',
    make: field('/FT/Sig'),
    told: /permits no (?:new fields|changes)/,
    under: certified,
  },
  {
    name: 'an invisible empty signature field',
    make: (document) =>
      updated(document, { ...withField(document, 300), 300: '<</FT/Sig/T(New)/Rect[0 0 0 0]>>' }),
    told: /permits no (?:new fields|changes)/,
    under: certified,
  },
  {
    name: 'an empty signature field with a painting appearance',
    make: field('/FT/Sig/AP<</N 302 0 R>>', { 302: look('Pay 999') }),
    told: /"New" was added with more/,
  },
  {
    name: 'a field with a script',
    make: field('/FT/Sig/AA<</E<</S/JavaScript/JS(x)>>>>'),
    told: /"New" was added with more/,
  },
  {
    name: 'a second field of the same name',
    make: (document) =>
      updated(document, {
        ...withField(document, 300),
        300: '<</FT/Sig/T(Approve)/Rect[0 0 0 0]>>',
      }),
    told: /a second field "Approve"/,
  },
  {
    name: 'replaced metadata',
    make: (document) => updated(document, { 20: xmp('Other') }),
    told: /metadata .*P=1/,
    under: [1],
  },
  {
    name: 'replaced document information',
    make: (document) => updated(document, { 24: '<</Title(Other)>>' }),
    told: /document information .*P=1/,
    under: [1],
  },
  {
    name: 'new document information in the trailer',
    make: (document) =>
      updated(
        document,
        { 300: '<</Title(Other)>>' },
        {
          edit: (update) => update.replace('/Info 24 0 R', '/Info 300 0 R'),
        },
      ),
    told: /document information .*P=1/,
    under: [1],
  },
  {
    name: 'a signature',
    make: otherSignature('0 0 0 0'),
    told: /"Second" was added; the certification permits no changes/,
    under: [1],
  },
  {
    name: 'a visible signature over the text',
    make: otherSignature('60 690 400 740'),
    told: /"Second" was added; the certification permits/,
    under: certified,
  },
  {
    name: 'a field made read-only',
    make: (document) => updated(document, { 11: entry(document, 11, 'Ff', '1') }),
    told: /"name" was made read-only; the certification permits no changes/,
    under: [1],
  },
  {
    name: 'a filled field',
    make: (document) => updated(document, { 11: entry(document, 11, 'V', '(Eve)') }),
    told: /"name" was filled in; the certification permits no changes/,
    under: [1],
  },
];

/** Changes of fields beyond filling in. */
const fields: readonly Attack[] = [
  ...(
    [
      ['an action', 'AA', '<</K<</S/JavaScript/JS(x)>>>>'],
      ['a background', 'MK', '<</BG[1 1 1]>>'],
      ['a type', 'FT', '/Sig'],
      ['a name', 'T', '(other)'],
      ['flags', 'Ff', '8192'],
      ['malformed annotation flags', 'F', '(x)'],
      ['a maximum length', 'MaxLen', '3'],
      ['a different annotation subtype', 'Subtype', '/Stamp'],
    ] as const
  ).map(
    ([what, key, value]): Attack => ({
      name: `a field gets ${what}`,
      make: (document) => updated(document, { 11: entry(document, 11, key, value) }),
      told: new RegExp(`the field "(?:name)" was (?:changed: /${key}|removed)`),
    }),
  ),
  {
    name: 'a field is removed from the form',
    make: (document) => updated(document, { 10: bodyNow(document, 10).replace(/ ?13 0 R/, '') }),
    told: /fields of the form were removed or moved/,
  },
  {
    name: 'an empty signature field gets an appearance',
    make: (document) =>
      updated(document, { 18: entry(document, 18, 'AP', '<</N 300 0 R>>'), 300: bigLook }),
    told: /the field "Approve" was changed/,
  },
  {
    name: 'the seal gets a different appearance',
    make: (document) => {
      const number = sealOf(document);
      return updated(document, {
        [number]: entry(document, number, 'AP', '<</N 300 0 R>>'),
        300: bigLook,
      });
    },
    told: /the field "Seal" was changed/,
  },
  {
    name: 'an appearance shared by two fields is replaced',
    make: (document) => updated(document, { 21: look('Z', '0 0 20 20') }),
    told: /annotation of page 1 was replaced|the look/,
  },
  {
    name: 'NeedAppearances is set',
    make: (document) => updated(document, { 10: entry(document, 10, 'NeedAppearances', 'true') }),
    told: /the form was changed: \/NeedAppearances/,
  },
  {
    name: 'the form gets different fonts',
    make: (document) =>
      updated(document, { 10: entry(document, 10, 'DR', '<</Font<</F1 300 0 R>>>>'), 300: '<<>>' }),
    told: /resources of the form/,
  },
  {
    name: 'the AppendOnly flag is removed',
    make: (document) => updated(document, { 10: entry(document, 10, 'SigFlags', '1') }),
    told: /flags of the form/,
  },
];

/** Entries of the catalog. */
const catalog: readonly Attack[] = [
  ...(
    [
      ['OpenAction', '<</S/JavaScript/JS(x)>>'],
      ['AA', '<</WC<</S/JavaScript/JS(x)>>>>'],
      ['Names', '<</EmbeddedFiles<</Names[(a)300 0 R]>>>>'],
      ['Outlines', '300 0 R'],
      ['OCProperties', '<</OCGs[300 0 R]/D<</OFF[300 0 R]>>>>'],
      ['ViewerPreferences', '<</HideToolbar true>>'],
      ['PageLabels', '<</Nums[0<</P(x)>>]>>'],
    ] as const
  ).map(
    ([key, value]): Attack => ({
      name: `the catalog gets /${key}`,
      make: (document) => updated(document, { 1: entry(document, 1, key, value), 300: '<<>>' }),
      told: new RegExp(`the catalog of the document was changed: /${key}`),
    }),
  ),
  {
    name: 'the version is lowered',
    make: (document) => updated(document, { 1: entry(document, 1, 'Version', '/1.4') }),
    told: /the version of the document was lowered/,
  },
  {
    name: 'the version is removed',
    make: (document) => updated(document, { 1: entry(document, 1, 'Version') }),
    told: /the version of the document was lowered/,
  },
  ...(
    [
      ['removed', undefined],
      ['emptied', '<<>>'],
      ['lowered', '<</ADBE<</BaseVersion/1.7/ExtensionLevel 1>>>>'],
      ['given a lower base version', '<</ADBE<</BaseVersion/1.4/ExtensionLevel 3>>>>'],
    ] as const
  ).map(
    ([what, value]): Attack => ({
      name: `the extension is ${what}`,
      make: (document) => updated(document, { 1: entry(document, 1, 'Extensions', value) }),
      told: /a developer extension of the document was lowered/,
    }),
  ),
  {
    name: 'a certification after the signature',
    make: (document) => {
      const sealed = referenceAt(document, sealOf(document), 'V');
      const perms = `<</DocMDP ${sealed} 0 R>>`;
      return updated(document, { 1: entry(document, 1, 'Perms', perms) });
    },
    told: /certified after signing/,
    under: ['none'],
  },
  {
    name: 'the certification is removed',
    make: (document) => updated(document, { 1: entry(document, 1, 'Perms') }),
    told: /permissions of the certification/,
    under: certified,
  },
  ...(
    [
      ['text that is not XML', streamOf('hello', '/Type/Metadata/Subtype/XML')],
      ['other XML', streamOf('<a/>', '/Type/Metadata/Subtype/XML')],
      ['XML with a document type', xmp('x', '<!DOCTYPE a [<!ENTITY b "c">]>')],
      ['a dictionary', '<</Type/Metadata>>'],
    ] as const
  ).map(
    ([what, value]): Attack => ({
      name: `metadata become ${what}`,
      make: (document) => updated(document, { 20: value }),
      told: /metadata of the document was replaced/,
    }),
  ),
];

/** Visible content of pages. */
const pages: readonly Attack[] = [
  {
    name: 'forged content, then the signed content again',
    make: (document) => {
      const next = after(document, updated(document, { 4: forged }));
      return updated(next, { 4: objects[4] ?? '' });
    },
    told: /the visible content was changed and changed back \(page 1\)/,
  },

  {
    name: 'a replaced content stream',
    make: (document) => updated(document, { 4: forged }),
    told: /the content of page 1 was replaced/,
  },
  {
    name: 'a replaced content stream of the second page',
    make: (document) => updated(document, { 31: forged }),
    told: /the content of page 2/,
  },
  {
    name: 'a content stream under another object number',
    make: (document) =>
      updated(document, { 3: entry(document, 3, 'Contents', '300 0 R'), 300: forged }),
    told: /the content of page 1/,
  },
  {
    name: 'a replaced font',
    make: (document) => updated(document, { 5: '<</Type/Font/Subtype/Type1/BaseFont/Symbol>>' }),
    told: /resource of page 1/,
  },
  {
    name: 'a changed rotation',
    make: (document) => updated(document, { 3: entry(document, 3, 'Rotate', '180') }),
    told: /page 1 was rotated or cropped/,
  },
  {
    name: 'a changed crop box',
    make: (document) => updated(document, { 30: entry(document, 30, 'CropBox', '[0 0 9 9]') }),
    told: /page 2 was rotated or cropped/,
  },
  {
    name: 'an additional page',
    make: (document) =>
      updated(document, {
        2: '<</Type/Pages/Kids[3 0 R 30 0 R 300 0 R]/Count 3>>',
        300: objects[30] ?? '',
      }),
    told: /pages were added, removed or moved/,
  },
  {
    name: 'a removed page',
    make: (document) => updated(document, { 2: '<</Type/Pages/Kids[3 0 R]/Count 1>>' }),
    told: /pages were added, removed or moved/,
  },
  {
    name: 'a changed order of pages',
    make: (document) => updated(document, { 2: '<</Type/Pages/Kids[30 0 R 3 0 R]/Count 2>>' }),
    told: /pages were added, removed or moved/,
  },
  {
    name: 'an added link',
    make: (document) =>
      updated(document, {
        ...onPage(document, 300),
        300: '<</Type/Annot/Subtype/Link/Rect[0 0 99 99]/A<</S/URI/URI(http://x)>>>>',
      }),
    told: /an annotation was added on page 1/,
  },
  {
    name: 'an added comment with an action',
    make: (document) =>
      updated(document, {
        ...onPage(document, 300),
        300: '<</Type/Annot/Subtype/Text/Rect[0 0 99 99]/A<</S/Named/N/Print>>>>',
      }),
    told: /an annotation was added on page 1/,
  },
  {
    name: 'an added comment',
    make: (document) =>
      updated(document, {
        ...onPage(document, 300),
        300: '<</Type/Annot/Subtype/Square/Rect[0 0 595 842]/IC[1 1 1]/F 4>>',
      }),
    told: /a comment was added on page 1; the signature does not permit/,
    under: ['none', 1, 2],
  },
  {
    name: 'a changed comment text',
    make: (document) => updated(document, { 19: entry(document, 19, 'Contents', '(other)') }),
    told: /a comment on page 1 was changed; /,
    under: ['none', 1, 2],
  },
  {
    name: 'a removed comment',
    make: (document) => updated(document, { 3: bodyNow(document, 3).replace(/ ?19 0 R/, '') }),
    told: /a comment was removed from page 1; /,
    under: ['none', 1, 2],
  },
  {
    name: 'a field removed from its page',
    make: (document) => updated(document, { 3: bodyNow(document, 3).replace(/ ?11 0 R/, '') }),
    told: /an annotation was removed from page 1/,
  },
];

/** Validation data that are lost. */
const stores: readonly Attack[] = [
  {
    name: 'validation data are removed',
    signed: signedStore,
    under: ['none', 2, 3],
    make: (document) => updated(document, { 1: entry(document, 1, 'DSS') }),
    told: /validation data \(\/DSS\) was removed/,
  },
  {
    name: 'validation data get an unknown entry',
    signed: signedStore,
    under: ['none', 2, 3],
    make: (document) => {
      const store = referenceAt(document, 1, 'DSS');
      return updated(document, { [store]: entry(document, store, 'Kids', '[3 0 R]') });
    },
    told: /\/DSS has an entry \/Kids/,
  },
  {
    name: 'validation data refer to a page',
    signed: signedStore,
    under: ['none', 2, 3],
    make: (document) => {
      const store = referenceAt(document, 1, 'DSS');
      return updated(document, { [store]: entry(document, store, 'CRLs', '[3 0 R]') });
    },
    told: /\/CRLs is not a list of streams/,
  },
];

/** The object number of the DSS, which an update after the signature may have added. */
const storeOf = (document: SignedDocument) => referenceAt(document, 1, 'DSS');
const longTerm: SignedDocumentMaker = (shape, permission) =>
  signedDocument(shape, permission, 'B-LT');

/** Validation data added by one update after the signature, and removed by another. */
const laterStores: readonly Attack[] = [
  {
    name: 'the DSS is removed',
    signed: longTerm,
    make: (document) => updated(document, { 1: entry(document, 1, 'DSS') }),
    told: /validation data \(\/DSS\) was removed|changed back/,
  },
  {
    name: 'the DSS is removed, and the version raised',
    signed: longTerm,
    make: (document) => {
      const without = entry(document, 1, 'DSS');
      return updated(document, { 1: withEntry(without, 'Version', '/2.0') });
    },
    told: /validation data \(\/DSS\) was removed/,
  },
  {
    name: 'the DSS is emptied',
    signed: longTerm,
    make: (document) => updated(document, { [storeOf(document)]: '<<>>' }),
    told: /validation data \(\/DSS\) was removed/,
  },
  {
    name: 'the DSS is replaced by one with empty lists',
    signed: longTerm,
    make: (document) =>
      updated(document, {
        1: entry(document, 1, 'DSS', '300 0 R'),
        300: '<</Type/DSS/Certs[]/CRLs[]>>',
      }),
    told: /validation data \(\/DSS\) was removed/,
  },
  {
    name: 'a signed DSS is emptied',
    shape: 'table',
    signed: async (shape, permission) => {
      const first = await signedDocument(shape, permission, 'B-LT');
      const plain = updated(first, { [storeOf(first)]: entry(first, storeOf(first), 'VRI') });
      const options = sealOptions(pki, { level: 'B-B', field: 'Second seal' });
      const { bytes } = await sealPdf(plain, options);
      return { ...first, bytes: new Uint8Array(bytes), judged: 'Second seal' };
    },
    under: ['none', 2, 3],
    make: (document) => updated(document, { [storeOf(document)]: '<<>>' }, { size: 900 }),
    told: /validation data \(\/DSS\) was removed/,
  },
];

const fill = (document: SignedDocument) =>
  updated(document, { 11: entry(document, 11, 'V', '(Eve)') });
const check = (document: SignedDocument) =>
  updated(document, { 13: withEntry(entry(document, 13, 'V', '/Yes'), 'AS', '/Yes') });

/** Fields locked by the signature. */
const locks: readonly Attack[] = [
  ['Include', '/Fields[(name)]', fill, 'the field "name" was filled in'] as const,
  ['Exclude', '/Fields[(name)]', check, 'the field "agree" was filled in'] as const,
  ['All', '', fill, 'the field "name" was filled in'] as const,
  ['All', '', check, 'the field "agree" was filled in'] as const,
  ['All', '', otherSignature('0 0 0 0'), 'the signature "Second" was added'] as const,
].map(([action, more, make, message]) => ({
  name: `${message} that a lock has (${action})`,
  signed: signedLock(`/Action/${action}${more}`),
  make,
  told: new RegExp(`${message}; the signature locks the field`),
  under: ['none', 2, 3],
}));

/** Locks that apply to the whole document. */
const lockedDocument: readonly Attack[] = [
  {
    name: 'a filled field under a lock with P 1',
    signed: signedLock('/Action/Include/Fields[(other)]/P 1'),
    make: fill,
    told: /"name" was filled in; the certification permits no changes/,
    under: ['none'],
  },
];

/** Every attack, by class. */
export const attacks: Readonly<Record<string, readonly Attack[]>> = {
  generations,
  keywords,
  widgets,
  stamps,
  additions,
  fields,
  catalog,
  pages,
  stores,
  laterStores,
  locks,
  lockedDocument,
  ...entries,
  ...preparations,
  ...structures,
};
