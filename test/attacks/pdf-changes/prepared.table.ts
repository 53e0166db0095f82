import { cmsBy } from '../../support/hand-signed.ts';
import { streamOf, text } from '../../support/shadow.ts';
import {
  type Attack,
  again,
  bigLook,
  entry,
  forged,
  onPage,
  sealOf,
  widget,
  withField,
} from './attack.ts';
import {
  after,
  bodyNow,
  look,
  objects,
  type Permission,
  pki,
  type SignedDocumentMaker,
  signatureValue,
  signedDocument,
  signedUpdate,
  updated,
  withEntry,
  xmp,
} from './documents.ts';

/** A document in which the author has prepared a forgery before others signed. */
const prepared =
  (changes: Readonly<Record<number, string>>): SignedDocumentMaker =>
  (shape, permission) =>
    signedDocument(shape, permission, 'B-B', changes);

const old = (number: number, key: string, value: string) =>
  withEntry(objects[number] ?? '', key, value);

const script = (code: string) => `<</S/JavaScript/JS(${code})>>`;
const note = '/Type/Annot/Subtype/Text/Rect[400 700 420 720]/F 4';
const annotations = '[11 0 R 13 0 R 16 0 R 17 0 R 18 0 R 19 0 R]';
const commentsOnly: readonly Permission[] = [3];

/** Objects with two roles: a change permitted for one role is not permitted for the other. */
const twoRoles: readonly Attack[] = [
  {
    name: 'document information that is the open action',
    signed: prepared({ 1: old(1, 'OpenAction', '24 0 R'), 24: script('calm') }),
    make: (document) => updated(document, { 24: script('angry') }),
    told: /an object that is not part of a page was changed/,
  },
  {
    name: 'document information that is the action of a field',
    signed: prepared({ 11: old(11, 'AA', '<</F 24 0 R>>'), 24: script('calm') }),
    make: (document) => updated(document, { 24: script('angry') }),
    told: /./,
  },
  {
    name: 'metadata that is the content of a page',
    signed: prepared({ 1: old(1, 'Metadata', '31 0 R'), 31: xmp('SECOND PAGE') }),
    make: (document) => updated(document, { 31: xmp('OTHER PAGE') }),
    told: /page 2/,
  },
  {
    name: 'a list of validation data that is the content of a page',
    signed: prepared({
      1: old(1, 'DSS', '50 0 R'),
      3: old(3, 'Contents', '51 0 R'),
      50: '<</Type/DSS/CRLs 51 0 R>>',
      51: '[4 0 R]',
    }),
    make: (document) => updated(document, { 51: '[4 0 R 300 0 R]', 300: forged }),
    told: /the content of page 1/,
  },
  {
    name: 'a list of validation data that is the list of annotations of a page',
    signed: prepared({
      1: old(1, 'DSS', '50 0 R'),
      30: old(30, 'Annots', '51 0 R'),
      50: '<</Type/DSS/CRLs 51 0 R>>',
      51: '[52 0 R]',
      52: '<</Type/Annot/Subtype/FreeText/Rect[72 600 400 640]/Contents(VOID)/DA(/F1 9 Tf)/F 4>>',
    }),
    make: (document) => updated(document, { 51: '[]' }),
    told: /annotation of page 2/,
  },
  {
    name: 'a list of validation data that is the list of fields',
    signed: prepared({
      1: old(1, 'DSS', '50 0 R'),
      10: old(10, 'Fields', '51 0 R'),
      50: '<</Type/DSS/CRLs 51 0 R>>',
      51: '[11 0 R 13 0 R 15 0 R 18 0 R]',
    }),
    make: (document) => updated(document, { 51: bodyNow(document, 51).replace('13 0 R', '') }),
    told: /fields of the form were removed/,
  },
  {
    name: 'resources of the form that are shared with a page',
    signed: prepared({
      3: old(3, 'Resources', '51 0 R'),
      10: old(10, 'DR', '51 0 R'),
      51: '<</Font<</F1 5 0 R>>>>',
    }),
    make: (document) =>
      updated(document, {
        51: '<</Font<</F1 5 0 R>>/ExtGState<</G 300 0 R>>>>',
        300: '<</ca 0>>',
      }),
    told: /page 1/,
  },
  {
    name: 'a comment that is the open action',
    signed: prepared({
      1: old(1, 'OpenAction', '19 0 R'),
      19: `<<${note}/S/JavaScript/JS(calm)>>`,
    }),
    make: (document) => updated(document, { 19: entry(document, 19, 'JS', '(angry)') }),
    told: /./,
    under: commentsOnly,
  },
  {
    name: 'a comment that is a graphics state of a page',
    signed: prepared({
      3: old(3, 'Resources', '<</Font<</F1 5 0 R>>/ExtGState<</G 19 0 R>>>>'),
      4: streamOf(`/G gs ${text('PAY 10')}`),
      19: `<<${note}/CA 1>>`,
    }),
    make: (document) => updated(document, { 19: entry(document, 19, 'ca', '0') }),
    told: /page 1/,
    under: commentsOnly,
  },
  {
    name: 'a comment of one page that is a graphics state of another',
    signed: prepared({
      30: old(30, 'Resources', '<</Font<</F1 5 0 R>>/ExtGState<</G 19 0 R>>>>'),
      31: streamOf(`/G gs ${text('SECOND PAGE')}`),
      19: `<<${note}/CA 1>>`,
    }),
    make: (document) => updated(document, { 19: entry(document, 19, 'CA', '0') }),
    told: /./,
    under: commentsOnly,
  },
  {
    name: 'the appearance of a field that is a form XObject of the page',
    signed: prepared({
      3: old(3, 'Resources', '<</Font<</F1 5 0 R>>/XObject<</X 12 0 R>>>>'),
      4: streamOf(`/X Do ${text('PAY 10')}`),
    }),
    make: (document) => updated(document, { 12: bigLook }),
    told: /the appearance of the field "name"|resource of page 1/,
  },
  {
    name: 'a font used only by the appearance of a field',
    signed: prepared({
      12: look(' ').replace('/F1 5 0 R', '/F1 51 0 R'),
      51: objects[5] ?? '',
    }),
    make: (document) => updated(document, { 51: '<</Type/Font/Subtype/Type1/BaseFont/Symbol>>' }),
    told: /page 1/,
  },
  {
    name: 'annotations that two pages share get a signature over the text of the second',
    signed: prepared({
      3: old(3, 'Annots', '51 0 R'),
      30: old(30, 'Annots', '51 0 R'),
      4: streamOf('BT /F1 24 Tf 72 100 Td (PAY 10) Tj ET'),
      51: annotations,
    }),
    make: (document) =>
      signedUpdate(
        document,
        {
          ...withField(document, 300),
          51: bodyNow(document, 51).replace(/\]$/, ' 300 0 R]'),
          300: `<<${widget}/FT/Sig/T(Second)/V 301 0 R/Rect[60 690 400 740]/AP<</N 302 0 R>>>>`,
          301: signatureValue('Sig', 'ETSI.CAdES.detached'),
          302: bigLook,
        },
        cmsBy(pki.member('signer')),
      ),
    told: /annotations shared by several pages/,
  },
];

/** Objects that the document refers to but lacks until someone adds them. */
const missing: readonly Attack[] = [
  {
    name: 'an XObject',
    signed: prepared({
      3: old(3, 'Resources', '<</Font<</F1 5 0 R>>/XObject<</X 290 0 R>>>>'),
      4: streamOf(`${text('PAY 10')} /X Do`),
    }),
    make: (document) => updated(document, { 290: bigLook }),
    told: /was missing and now exists \(page 1\)/,
  },
  {
    name: 'an XObject with a different generation',
    signed: prepared({
      3: old(3, 'Resources', '<</Font<</F1 5 0 R>>/XObject<</X 290 1 R>>>>'),
      4: streamOf(`${text('PAY 10')} /X Do`),
    }),
    make: (document) => updated(document, { 290: bigLook }, { generation: 1 }),
    told: /was missing and now exists|different generation/,
  },
  {
    name: 'the second content stream of a page',
    signed: prepared({ 3: old(3, 'Contents', '[4 0 R 290 0 R]') }),
    make: (document) => updated(document, { 290: forged }),
    told: /was missing and now exists \(page 1\)/,
  },
  {
    name: 'an action',
    signed: prepared({ 1: old(1, 'OpenAction', '290 0 R') }),
    make: (document) => updated(document, { 290: script('angry') }),
    told: /was missing and now exists/,
  },
  {
    name: 'an XObject in the appearance of a field',
    signed: prepared({
      12: streamOf(
        '/X Do',
        '/Type/XObject/Subtype/Form/BBox[0 0 200 20]/Resources<</XObject<</X 290 0 R>>>>',
      ),
    }),
    make: (document) => updated(document, { 290: bigLook }),
    told: /was missing and now exists/,
  },
  {
    name: 'a description of the form (XFA)',
    signed: prepared({ 10: old(10, 'XFA', '290 0 R') }),
    make: (document) => updated(document, { 290: streamOf('<xdp/>') }),
    told: /was missing and now exists/,
  },
  {
    name: 'names of the catalog',
    signed: prepared({ 1: old(1, 'Names', '290 0 R') }),
    make: (document) =>
      updated(document, { 290: '<</JavaScript<</Names[(a)300 0 R]>>>>', 300: script('angry') }),
    told: /was missing and now exists/,
  },
  {
    name: 'the states of layers',
    signed: prepared({ 1: old(1, 'OCProperties', '<</OCGs[51 0 R]/D 290 0 R>>'), 51: '<<>>' }),
    make: (document) => updated(document, { 290: '<</OFF[51 0 R]>>' }),
    told: /was missing and now exists/,
  },
];

const layered = {
  1: old(1, 'OCProperties', '<</OCGs[51 0 R]/D 52 0 R>>'),
  3: old(3, 'Resources', '<</Font<</F1 5 0 R>>/Properties<</L 51 0 R>>>>'),
  4: streamOf(`/OC /L BDC ${text('PAY 10')} EMC`),
  51: '<</Type/OCG/Name(Layer)>>',
  52: '<</ON[51 0 R]>>',
};
const cover =
  '<</Type/Annot/Subtype/Square/Rect[0 0 595 842]/IC[1 1 1]/AP<</N 54 0 R>>/F 2/Contents(x)>>';

/** Content that is hidden in the signed document and shown later, or the reverse. */
const hidden: readonly Attack[] = [
  {
    name: 'a layer is switched off',
    signed: prepared(layered),
    make: (document) => updated(document, { 52: '<</OFF[51 0 R]>>' }),
    told: /./,
  },
  {
    name: 'a layer is restricted to the screen',
    signed: prepared(layered),
    make: (document) =>
      updated(document, { 51: '<</Type/OCG/Name(Layer)/Usage<</View<</ViewState/OFF>>>>>>' }),
    told: /./,
  },
  {
    name: 'layers get a different default configuration',
    signed: prepared(layered),
    make: (document) =>
      updated(document, {
        1: entry(document, 1, 'OCProperties', '<</OCGs[51 0 R]/D<</OFF[51 0 R]>>>>'),
      }),
    told: /\/OCProperties/,
  },
  {
    name: 'a field over the text is shown',
    signed: prepared({
      11: `<<${widget}/FT/Tx/T(name)/Rect[60 690 400 740]/AP<</N 12 0 R>>>>`.replace(
        '/F 4',
        '/F 2',
      ),
      12: bigLook,
    }),
    make: (document) => updated(document, { 11: entry(document, 11, 'F', '4') }),
    told: /the field "name" was shown; the certification permits/,
    under: [1, 2, 3],
  },
  {
    name: 'a comment over the page is shown',
    signed: prepared({ 19: cover, 54: bigLook }),
    make: (document) => updated(document, { 19: entry(document, 19, 'F', '4') }),
    told: /a comment on page 1 was changed/,
    under: ['none', 1, 2],
  },
  {
    name: 'the page tree is replaced by a prepared one',
    signed: prepared({
      51: '<</Type/Pages/Kids[52 0 R]/Count 1>>',
      52: objects[30]?.replace('2 0 R', '51 0 R') ?? '',
    }),
    make: (document) => updated(document, { 1: entry(document, 1, 'Pages', '51 0 R') }),
    told: /the catalog of the document was changed: \/Pages/,
  },
  {
    name: 'a hidden page is put first',
    signed: prepared({ 52: objects[30] ?? '' }),
    make: (document) =>
      updated(document, { 2: '<</Type/Pages/Kids[52 0 R 3 0 R 30 0 R]/Count 3>>' }),
    told: /pages were added/,
  },
  {
    name: 'hidden content is put in place',
    signed: prepared({ 52: forged }),
    make: (document) => updated(document, { 3: entry(document, 3, 'Contents', '52 0 R') }),
    told: /the content of page 1/,
  },
  {
    name: 'a prepared catalog is put in place',
    signed: prepared({ 52: '<</Type/Catalog/Pages 2 0 R>>' }),
    make: (document) =>
      updated(document, again(document), {
        edit: (update) => update.replace('/Root 1 0 R', '/Root 52 0 R'),
      }),
    told: /the catalog was replaced/,
    hides: true,
  },
  {
    name: 'the form had an XFA in between',
    make: (document) => {
      const form = bodyNow(document, 10);
      const between = withEntry(form, 'XFA', '300 0 R');
      const next = after(document, updated(document, { 10: between, 300: streamOf('<xdp/>') }));
      return updated(next, { 10: form });
    },
    told: /changed back/,
  },
  {
    name: 'NeedAppearances was set in between',
    make: (document) => {
      const form = bodyNow(document, 10);
      const between = withEntry(form, 'NeedAppearances', 'true');
      return updated(after(document, updated(document, { 10: between })), { 10: form });
    },
    told: /changed back/,
  },
  {
    name: 'a link was on the page in between',
    make: (document) => {
      const page = bodyNow(document, 3);
      const link = '<</Type/Annot/Subtype/Link/Rect[0 0 99 99]/A<</S/URI/URI(http://x)>>>>';
      const between = updated(document, { ...onPage(document, 300), 300: link });
      return updated(after(document, between), { 3: page });
    },
    told: /changed back/,
  },
  {
    name: 'the value of the seal becomes the value of a new field, too',
    make: (document) => {
      const value = /\/V ?(\d+ 0 R)/.exec(bodyNow(document, sealOf(document)))?.[1];
      const field = `<<${widget}/FT/Sig/T(Copy)/V ${value}/Rect[0 0 0 0]>>`;
      return updated(document, {
        ...withField(document, 300),
        ...onPage(document, 300),
        300: field,
      });
    },
    told: /was given an existing value/,
  },
];

/** Attacks prepared by the author of a document, or undone by a later revision. */
export const preparations: Readonly<Record<string, readonly Attack[]>> = {
  twoRoles,
  missing,
  hidden,
};
