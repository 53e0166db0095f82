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
  /** The finding: the attack must be stopped for the right reason. */
  readonly told: RegExp;
  /** Permissions under which it is an attack. Default: all. */
  readonly under?: readonly Permission[];
  readonly shape?: SignedDocument['shape'];
  /** Creates the document that the update follows. Default: {@link signedDocument}. */
  readonly signed?: SignedDocumentMaker;
  /** The update hides every signature: none is found, so there is no conclusion. */
  readonly hides?: true;
}

/** A forged content stream. */
export const forged = streamOf(text('PAY 999999'));
/** An appearance that covers a page. */
export const bigLook = look('PAY 999', '0 0 595 842');
/** Permissions of a certification. */
export const certified: readonly Permission[] = [1, 2, 3];
/** Common entries of the widgets on the first page. */
export const widget = '/Type/Annot/Subtype/Widget/F 4/P 3 0 R';

/** The current object, with this entry replaced or removed. */
export const entry = (document: SignedDocument, object: number, key: string, value?: string) =>
  withEntry(bodyNow(document, object), key, value);
/** The current object, with one more item in the array at this key. */
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
/** The current catalog. */
export const again = (document: SignedDocument) => ({ 1: bodyNow(document, 1) });

/** The object number of the field signed last. */
export const sealOf = (document: SignedDocument): number => {
  const fields = /\/Fields ?\[([^\]]*)\]/.exec(bodyNow(document, 10))?.[1] ?? '';
  return Number(/(\d+) 0 R\s*$/.exec(fields)?.[1]);
};

/** An update with a second signature whose appearance covers its rectangle. */
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
