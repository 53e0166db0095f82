import { cmsBy } from '../../support/hand-signed.ts';
import { streamOf, text } from '../../support/shadow.ts';
import {
  bodyNow,
  look,
  type Permission,
  pki,
  type SignedDocument,
  type SignedDocumentMaker,
  signatureValue,
  signedUpdate,
  withEntry,
} from './documents.ts';

/** A later update that must not pass. */
export interface Attack {
  readonly name: string;
  readonly make: (document: SignedDocument) => Uint8Array;
  /** What the finding says: the attack is stopped for what it does. */
  readonly told: RegExp;
  /** Permissions under which it is an attack; all when it is left out. */
  readonly under?: readonly Permission[];
  readonly shape?: SignedDocument['shape'];
  /** The document that the update stands behind; {@link signedDocument} when it is left out. */
  readonly signed?: SignedDocumentMaker;
  /** The update hides every signature: none is found, and that is no verdict. */
  readonly hides?: true;
}

/** The content of a page that says something else. */
export const forged = streamOf(text('PAY 999999'));
/** A look that covers a page. */
export const bigLook = look('PAY 999', '0 0 595 842');
/** Permissions of a certification. */
export const certified: readonly Permission[] = [1, 2, 3];
/** What every widget of the first page has. */
export const widget = '/Type/Annot/Subtype/Widget/F 4/P 3 0 R';

/** The object as it is, with this entry replaced or taken away. */
export const entry = (document: SignedDocument, object: number, key: string, value?: string) =>
  withEntry(bodyNow(document, object), key, value);
/** The object as it is, with one more item in the list at this key. */
export const withItem = (document: SignedDocument, object: number, key: string, item: string) =>
  bodyNow(document, object).replace(new RegExp(`(/${key} ?\\[[^\\]]*)\\]`), `$1 ${item}]`);
/** The form with one more field. */
export const withField = (document: SignedDocument, field: number) => ({
  10: withItem(document, 10, 'Fields', `${field} 0 R`),
});
/** A page with one more annotation. */
export const onPage = (document: SignedDocument, object: number, page = 3) => {
  const now = bodyNow(document, page);
  return {
    [page]: now.includes('/Annots')
      ? withItem(document, page, 'Annots', `${object} 0 R`)
      : withEntry(now, 'Annots', `[${object} 0 R]`),
  };
};
/** The catalog as it is. */
export const again = (document: SignedDocument) => ({ 1: bodyNow(document, 1) });

/** The number of the field that was signed last. */
export const sealOf = (document: SignedDocument): number => {
  const fields = /\/Fields ?\[([^\]]*)\]/.exec(bodyNow(document, 10))?.[1] ?? '';
  return Number(/(\d+) 0 R\s*$/.exec(fields)?.[1]);
};

/** An update with a second signature, whose look covers its area. */
export const otherSignature =
  (rect: string, permits = '', page = 3, flags = '/F 4') =>
  (document: SignedDocument) =>
    signedUpdate(
      document,
      {
        ...withField(document, 300),
        ...onPage(document, 300, page),
        300: `<<${widget.replace('3 0', `${page} 0`).replace('/F 4', flags)}/FT/Sig/T(Second)/V 301 0 R/Rect[${rect}]/AP<</N 302 0 R>>>>`,
        301: signatureValue('Sig', 'ETSI.CAdES.detached', permits),
        302: bigLook,
      },
      cmsBy(pki.member('signer')),
    );
