import type { ChangeLevel } from '../../../src/index.ts';
import { cmsBy, tokenBy } from '../../support/hand-signed.ts';
import { streamOf } from '../../support/shadow.ts';
import {
  after,
  bodyNow,
  look,
  objects,
  type Permission,
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

/** A later update that must pass. */
export interface Control {
  readonly name: string;
  readonly make: (document: SignedDocument) => Uint8Array;
  readonly level: ChangeLevel;
  /** Permissions under which it passes. Default: all. */
  readonly under?: readonly Permission[];
  /** Creates the document that the update follows. Default: {@link signedDocument}. */
  readonly signed?: SignedDocumentMaker;
  /** The clause that permits it although pyHanko rejects it. */
  readonly clause?: string;
}

const filling: readonly Permission[] = ['none', 2, 3];
const widget = '/Type/Annot/Subtype/Widget/F 4/P 3 0 R';
const entry = (document: SignedDocument, object: number, key: string, value?: string) =>
  withEntry(bodyNow(document, object), key, value);
const withItem = (document: SignedDocument, object: number, key: string, item: string) =>
  bodyNow(document, object).replace(new RegExp(`(/${key} ?\\[[^\\]]*)\\]`), `$1 ${item}]`);
const named = (document: SignedDocument, changes: Readonly<Record<number, string>>) => ({
  10: withItem(document, 10, 'Fields', '300 0 R'),
  3: withItem(document, 3, 'Annots', '300 0 R'),
  ...changes,
});
const filled = (document: SignedDocument) => ({
  11: withEntry(entry(document, 11, 'V', '(Anna)'), 'AP', '<</N 300 0 R>>'),
  300: look('Anna'),
});

const stamped = (document: SignedDocument) =>
  signedUpdate(
    document,
    named(document, {
      300: `<<${widget}/FT/Sig/T(Stamp)/V 301 0 R/Rect[0 0 0 0]>>`,
      301: signatureValue('DocTimeStamp', 'ETSI.RFC3161'),
    }),
    tokenBy(pki, pki.member('tsa'), pki.nowMs),
  );

/** Every control. */
export const controls: readonly Control[] = [
  {
    name: 'the catalog is repeated',
    make: (document) => updated(document, { 1: bodyNow(document, 1) }),
    level: 'none',
  },
  {
    name: 'an unreferenced object is added',
    make: (document) => updated(document, { 300: look('Anna') }),
    level: 'none',
  },
  {
    name: 'the content is repeated unchanged, twice',
    make: (document) => {
      const same = { 4: objects[4] ?? '' };
      return updated(after(document, updated(document, same)), same);
    },
    level: 'none',
  },
  {
    name: 'the section is preceded by white space',
    make: (document) =>
      document.shape === 'streams'
        ? updated(document, { 1: bodyNow(document, 1) })
        : updated(document, { 1: bodyNow(document, 1) }, { edit: (update) => `${update}\n` }),
    level: 'none',
  },
  {
    name: 'a document time-stamp without an appearance',
    make: (document) => stamped(document),
    level: 'long-term-data',
  },
  {
    name: 'the version and an extension are raised',
    make: (document) => {
      const extensions =
        '<</ADBE<</BaseVersion/1.7/ExtensionLevel 8>>/ESIC<</BaseVersion/1.7/ExtensionLevel 5>>>>';
      const raised = withEntry(bodyNow(document, 1), 'Extensions', extensions);
      return updated(document, { 1: withEntry(raised, 'Version', '/2.0') });
    },
    level: 'long-term-data',
  },
  {
    name: 'a text field is filled in',
    make: (document) => updated(document, filled(document)),
    level: 'form-filling',
    under: filling,
  },
  {
    name: 'a text field is filled in, and its appearance updated in place',
    make: (document) =>
      updated(document, { 11: entry(document, 11, 'V', '(Anna)'), 12: look('Anna') }),
    level: 'form-filling',
    under: filling,
  },
  {
    name: 'a check box is checked',
    make: (document) =>
      updated(document, { 13: withEntry(entry(document, 13, 'V', '/Yes'), 'AS', '/Yes') }),
    level: 'form-filling',
    under: filling,
  },
  {
    name: 'a radio button is chosen',
    make: (document) =>
      updated(document, {
        15: entry(document, 15, 'V', '/A'),
        16: entry(document, 16, 'AS', '/A'),
      }),
    level: 'form-filling',
    under: filling,
    clause: 'ISO 32000-2 §12.7.5.2.4: the state of a radio button is an entry of its widget',
  },
  {
    name: 'two fields are filled in, one after the other',
    make: (document) => {
      const next = after(document, updated(document, filled(document)));
      return updated(next, { 13: withEntry(entry(next, 13, 'V', '/Yes'), 'AS', '/Yes') });
    },
    level: 'form-filling',
    under: filling,
  },
  {
    name: 'a locked field is marked read-only',
    make: (document) => updated(document, { 11: entry(document, 11, 'Ff', '1') }),
    level: 'form-filling',
    under: filling,
  },
  {
    name: 'an empty field is signed',
    make: (document) =>
      signedUpdate(
        document,
        {
          18: withEntry(entry(document, 18, 'V', '301 0 R'), 'AP', '<</N 302 0 R>>'),
          301: signatureValue('Sig', 'ETSI.CAdES.detached'),
          302: look('Anna'),
        },
        cmsBy(pki.member('signer')),
      ),
    level: 'form-filling',
    under: filling,
  },
  {
    name: 'an invisible signature is added',
    make: (document) =>
      signedUpdate(
        document,
        named(document, {
          300: `<<${widget}/FT/Sig/T(Second)/V 301 0 R/Rect[0 0 0 0]>>`,
          301: signatureValue('Sig', 'ETSI.CAdES.detached'),
        }),
        cmsBy(pki.member('signer')),
      ),
    level: 'form-filling',
    under: filling,
  },
  {
    name: 'a visible signature is added where nothing is printed',
    make: (document) =>
      signedUpdate(
        document,
        named(document, {
          300: `<<${widget}/FT/Sig/T(Second)/V 301 0 R/Rect[300 100 500 160]/AP<</N 302 0 R>>>>`,
          301: signatureValue('Sig', 'ETSI.CAdES.detached'),
          302: look('Anna'),
        }),
        cmsBy(pki.member('signer')),
      ),
    level: 'form-filling',
    under: filling,
    clause: 'ISO 32000-2 §12.8.2.2.2, table 257: P=2 permits signing',
  },
  {
    name: 'an empty signature field is added to an uncertified document',
    make: (document) =>
      updated(document, named(document, { 300: `<<${widget}/FT/Sig/T(New)/Rect[9 9 99 99]>>` })),
    level: 'form-filling',
    under: ['none'],
  },
  {
    name: 'the same with an appearance that paints nothing',
    make: (document) =>
      updated(
        document,
        named(document, {
          300: `<<${widget}/FT/Sig/T(New)/Rect[9 9 99 99]/AP<</N 302 0 R>>>>`,
          302: streamOf('\n', '/Type/XObject/Subtype/Form/BBox[0 0 90 90]'),
        }),
      ),
    level: 'form-filling',
    under: ['none'],
  },
  {
    name: 'metadata and dates are renewed',
    make: (document) =>
      updated(document, { 20: xmp('Contract 2'), 24: '<</Title(Contract)/ModDate(D:20260202)>>' }),
    level: 'form-filling',
    under: filling,
  },
  {
    name: 'a comment is added',
    make: (document) =>
      updated(document, {
        3: withItem(document, 3, 'Annots', '300 0 R'),
        300: '<</Type/Annot/Subtype/Text/Rect[500 700 520 720]/Contents(seen)/F 4>>',
      }),
    level: 'annotations',
    under: [3],
    clause: 'ISO 32000-2 §12.8.2.2.2, table 257: P=3 permits annotations',
  },
  {
    name: 'a comment is changed',
    make: (document) => updated(document, { 19: entry(document, 19, 'Contents', '(seen)') }),
    level: 'annotations',
    under: [3],
    clause: 'ISO 32000-2 §12.8.2.2.2, table 257: P=3 permits annotations',
  },
  {
    name: 'a field not included in a lock is filled in',
    signed: signedLock('/Action/Include/Fields[(agree)]'),
    make: (document) => updated(document, filled(document)),
    level: 'form-filling',
    under: filling,
  },
  {
    name: 'a field excluded from a lock is filled in',
    signed: signedLock('/Action/Exclude/Fields[(name)]'),
    make: (document) => updated(document, filled(document)),
    level: 'form-filling',
    under: filling,
  },
  {
    name: 'a document time-stamp where all fields are locked',
    signed: signedLock('/Action/All'),
    make: (document) => stamped(document),
    level: 'long-term-data',
    clause: 'ISO 32000-2 §12.8.2.2.2: no change; the look that pyHanko names was not written anew',
  },
  {
    name: 'an unneeded list of validation data is removed',
    signed: signedStore,
    make: (document) => {
      const store = referenceAt(document, 1, 'DSS');
      return updated(document, { [store]: entry(document, store, 'OCSPs') });
    },
    level: 'long-term-data',
    under: filling,
  },
  {
    name: 'validation data are added',
    signed: signedStore,
    make: (document) => {
      const store = referenceAt(document, 1, 'DSS');
      const grown = withItem(document, store, 'Certs', '300 0 R');
      return updated(document, { [store]: grown, 300: streamOf('x') });
    },
    level: 'long-term-data',
    under: filling,
  },
  {
    name: 'some validation data of an earlier update are removed',
    signed: (shape, permission) => signedDocument(shape, permission, 'B-LT'),
    make: (document) => {
      const store = referenceAt(document, 1, 'DSS');
      return updated(document, { [store]: entry(document, store, 'OCSPs') });
    },
    level: 'long-term-data',
  },
  {
    name: 'an empty field is signed, and gets a lock',
    make: (document) =>
      signedUpdate(
        document,
        {
          18: withEntry(
            withEntry(bodyNow(document, 18), 'V', '301 0 R'),
            'Lock',
            '<</Type/SigFieldLock/Action/All>>',
          ),
          301: signatureValue('Sig', 'ETSI.CAdES.detached'),
        },
        cmsBy(pki.member('signer')),
      ),
    level: 'form-filling',
    under: filling,
  },
  {
    name: 'a comment with replies is changed',
    signed: (shape, permission) =>
      signedDocument(shape, permission, 'B-B', {
        3: (objects[3] ?? '').replace('19 0 R', '19 0 R 50 0 R 51 0 R'),
        19: '<</Type/Annot/Subtype/Text/Rect[400 700 420 720]/Contents(a)/Popup 51 0 R/P 3 0 R>>',
        50: '<</Type/Annot/Subtype/Text/Rect[400 700 420 720]/Contents(b)/IRT 19 0 R/P 3 0 R>>',
        51: '<</Type/Annot/Subtype/Popup/Rect[9 9 99 99]/Parent 19 0 R>>',
      }),
    make: (document) => updated(document, { 19: entry(document, 19, 'Contents', '(seen)') }),
    level: 'annotations',
    under: [3],
    clause: 'ISO 32000-2 §12.8.2.2.2, table 257: P=3 permits annotations',
  },
  {
    name: 'a hidden field is shown where nothing is printed',
    signed: (shape, permission) =>
      signedDocument(shape, permission, 'B-B', {
        11: (objects[11] ?? '').replace('/F 4', '/F 2'),
      }),
    make: (document) => updated(document, { 11: entry(document, 11, 'F', '4') }),
    level: 'form-filling',
    under: filling,
  },
];
