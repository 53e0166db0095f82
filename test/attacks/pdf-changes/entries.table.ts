import { cmsBy } from '../../support/hand-signed.ts';
import { streamOf } from '../../support/shadow.ts';
import {
  type Attack,
  bigLook,
  certified,
  entry,
  onPage,
  otherSignature,
  sealOf,
} from './attack.ts';
import {
  bodyNow,
  look,
  objects,
  pki,
  referenceAt,
  type SignedDocumentMaker,
  signatureValue,
  signedDocument,
  signedUpdate,
  updated,
  withEntry,
} from './documents.ts';

const script = '<</S/JavaScript/JS(x)>>';

const catalogEntries: readonly Attack[] = (
  [
    ['Names', '<</JavaScript<</Names[(a)300 0 R]>>>>'],
    ['Lang', '(xx)'],
    ['MarkInfo', '<</Marked true>>'],
    ['StructTreeRoot', '300 0 R'],
    ['Collection', '<</View/T>>'],
    ['PageMode', '/FullScreen'],
    ['PageLayout', '/TwoPageLeft'],
    ['URI', '<</Base(http://x/)>>'],
    ['Threads', '[300 0 R]'],
    ['Dests', '<</a[3 0 R/Fit]>>'],
    ['OutputIntents', '[300 0 R]'],
    ['PieceInfo', '<</X<</LastModified(D:2026)>>>>'],
    ['Requirements', '[<</S/EnableJavaScripts>>]'],
    ['AF', '[300 0 R]'],
    ['NeedsRendering', 'true'],
    ['SpiderInfo', '<</V 1>>'],
    ['Legal', '<</JavaScriptActions 0>>'],
    ['Type', '/Katalog'],
  ] as const
).map(([key, value]) => ({
  name: `the catalog gets /${key}`,
  make: (document) => updated(document, { 1: entry(document, 1, key, value), 300: script }),
  told: new RegExp(`the catalog of the document was changed: /${key}`),
}));

const otherCatalog: readonly Attack[] = [
  {
    name: 'usage rights are added',
    make: (document) => {
      const value = /\/V ?(\d+ 0 R)/.exec(bodyNow(document, sealOf(document)))?.[1];
      const perms = /\/Perms ?<<([^>]*)>>/.exec(bodyNow(document, 1))?.[1] ?? '';
      return updated(document, { 1: entry(document, 1, 'Perms', `<<${perms}/UR3 ${value}>>`) });
    },
    told: /permissions of the certification/,
  },
  {
    name: 'the version becomes a non-number',
    make: (document) => updated(document, { 1: entry(document, 1, 'Version', '/new') }),
    told: /version of the document/,
  },
  {
    name: 'the form is replaced by a different one with the same fields',
    make: (document) =>
      updated(document, {
        1: entry(document, 1, 'AcroForm', '300 0 R'),
        300: withEntry(bodyNow(document, 10), 'XFA', '301 0 R'),
        301: streamOf('<xdp/>'),
      }),
    told: /the form was changed: \/XFA/,
  },
  ...(
    [
      ['XFA', '300 0 R'],
      ['CO', '[11 0 R]'],
      ['Q', '2'],
    ] as const
  ).map(
    ([key, value]): Attack => ({
      name: `the form gets /${key}`,
      make: (document) =>
        updated(document, { 10: entry(document, 10, key, value), 300: streamOf('<xdp/>') }),
      told: new RegExp(`the form was changed: /${key}`),
    }),
  ),
];

const pageEntries: readonly Attack[] = (
  [
    ['MediaBox', '[0 0 595 400]', /page 1 was rotated or cropped/],
    ['TrimBox', '[0 0 5 5]', /page 1 was rotated or cropped/],
    ['UserUnit', '10', /page 1 was .*UserUnit|rotated or cropped/],
    ['Group', '<</S/Transparency/K true>>', /\/Group/],
    ['Trans', '<</S/Dissolve>>', /\/Trans/],
    ['AA', `<</O ${script}>>`, /\/AA/],
    ['Tabs', '/S', /\/Tabs/],
    ['Dur', '1', /\/Dur/],
    ['Thumb', '300 0 R', /\/Thumb/],
    ['PieceInfo', '<</X<<>>>>', /\/PieceInfo/],
    ['Parent', '300 0 R', /\/Parent|pages were/],
    ['Type', '/Template', /\/Type|page/],
    ['StructParents', '9', /\/StructParents/],
    ['Metadata', '300 0 R', /\/Metadata/],
  ] as const
).map(([key, value, told]) => ({
  name: `a page gets /${key}`,
  make: (document) => updated(document, { 3: entry(document, 3, key, value), 300: '<<>>' }),
  told,
}));

const pageTree: readonly Attack[] = (
  [
    ['an inherited rotation', 'Rotate', '180'],
    ['an inherited media box', 'MediaBox', '[0 0 9 9]'],
    ['inherited resources', 'Resources', '<<>>'],
    ['a wrong count', 'Count', '1'],
    ['an unknown type', 'Type', '/Page'],
  ] as const
).map(([what, key, value]) => ({
  name: `the tree of pages gets ${what}`,
  make: (document) => updated(document, { 2: entry(document, 2, key, value) }),
  told: /pages|page/,
}));

const annotationTypes: readonly Attack[] = (
  'Widget Watermark Redact FileAttachment Sound Movie Screen 3D RichMedia TrapNet PrinterMark ' +
  'Projection Unknown'
)
  .split(' ')
  .map((subtype) => ({
    name: `a page gets an annotation /${subtype}`,
    make: (document) =>
      updated(document, {
        ...onPage(document, 300),
        300: `<</Type/Annot/Subtype/${subtype}/Rect[0 0 595 842]/F 4/AP<</N 301 0 R>>>>`,
        301: bigLook,
      }),
    told: /an annotation was added on page 1/,
  }));

const otherAnnotations: readonly Attack[] = [
  {
    name: 'annotations are reordered',
    make: (document) =>
      updated(document, { 3: bodyNow(document, 3).replace('11 0 R 13 0 R', '13 0 R 11 0 R') }),
    told: /annotations of page 1 were moved/,
  },
  {
    name: 'a note becomes a link',
    make: (document) =>
      updated(document, {
        19: withEntry(entry(document, 19, 'Subtype', '/Link'), 'A', script),
      }),
    told: /annotation of page 1/,
  },
  {
    name: 'the annotations of a page become a non-array',
    make: (document) => updated(document, { 3: entry(document, 3, 'Annots', 'null') }),
    told: /page 1/,
  },
];

const fieldEntries: readonly Attack[] = (
  [
    ['A', script],
    ['AA', `<</E ${script}>>`],
    ['DV', '(other)'],
    ['TU', '(other)'],
    ['TM', '(other)'],
    ['Rect', '[0 0 595 842]'],
    ['BS', '<</W 500>>'],
    ['Border', '[0 0 500]'],
    ['OC', '300 0 R'],
    ['RV', '(<b>x</b>)'],
    ['Kids', '[300 0 R]'],
    ['Parent', '13 0 R'],
    ['P', '30 0 R'],
    ['H', '/P'],
    ['StructParent', '5'],
    ['Lock', '<</Action/All>>'],
  ] as const
).map(([key, value]) => ({
  name: `a text field gets /${key}`,
  make: (document) => updated(document, { 11: entry(document, 11, key, value), 300: '<<>>' }),
  told: new RegExp(`the field "(?:agree\\.)?name" was (?:changed: /${key}|removed)`),
}));

const visibleSeal: SignedDocumentMaker = (shape, permission) =>
  signedDocument(
    shape,
    permission,
    'B-B',
    {},
    { visible: { page: 2, rect: [100, 100, 300, 160] } },
  );
const withLook =
  (change: (document: Parameters<Attack['make']>[0], look: number) => Record<number, string>) =>
  (document: Parameters<Attack['make']>[0]) => {
    const body = bodyNow(document, sealOf(document));
    const number = Number(/\/N ?(\d+) 0 R/.exec(body)?.[1]);
    return updated(document, change(document, number));
  };

/** A document whose field was filled in before it was signed. */
const filledForm: SignedDocumentMaker = (shape, permission) =>
  signedDocument(shape, permission, 'B-B', { 12: look('PAY 10') });

const seals: readonly Attack[] = [
  {
    name: 'the appearance of the seal is replaced',
    signed: visibleSeal,
    make: withLook((_, number) => ({ [number]: look('VOID', '0 0 200 60') })),
    told: /./,
  },
  {
    name: "resources of the seal's appearance are replaced",
    signed: visibleSeal,
    make: withLook((document, number) => {
      const resources = referenceAt(document, number, 'Resources');
      return {
        [resources]: bodyNow(document, resources).replace(/(\/Font ?<<[^>]*?)\d+ 0 R/, '$1 5 0 R'),
      };
    }),
    told: /annotation of page 2/,
  },
  {
    name: 'the seal is hidden',
    signed: visibleSeal,
    make: (document) => {
      const number = sealOf(document);
      return updated(document, { [number]: entry(document, number, 'F', '2') });
    },
    told: /the field "Seal" was changed: \/F/,
  },
  {
    name: 'a lock is removed while its field is signed',
    signed: (shape, permission) =>
      signedDocument(shape, permission, 'B-B', {
        18: withEntry(objects[18] ?? '', 'Lock', '<</Type/SigFieldLock/Action/All>>'),
      }),
    make: (document) =>
      signedUpdate(
        document,
        {
          18: withEntry(entry(document, 18, 'Lock'), 'V', '301 0 R'),
          301: signatureValue('Sig', 'ETSI.CAdES.detached'),
        },
        cmsBy(pki.member('signer')),
      ),
    told: /the field "Approve" was changed: \/Lock/,
  },
  {
    name: 'a signature covers text with the NoZoom flag',
    signed: visibleSeal,
    make: otherSignature('300 100 500 160', '', 3, '/F 12'),
    told: /the certification permits/,
    under: certified,
  },
  {
    name: 'a signature covers the seal',
    signed: visibleSeal,
    make: otherSignature('90 90 320 180', '', 30),
    told: /the certification permits/,
    under: certified,
  },
  {
    name: 'a signature covers a field that is filled in',
    signed: filledForm,
    make: otherSignature('60 490 280 530'),
    told: /the certification permits/,
    under: certified,
  },
];

/** Attacks on dictionaries, entry by entry. */
export const entries: Readonly<Record<string, readonly Attack[]>> = {
  catalogEntries,
  otherCatalog,
  pageEntries,
  pageTree,
  annotationTypes,
  otherAnnotations,
  fieldEntries,
  seals,
};
