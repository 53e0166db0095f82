import { Type } from '@sinclair/typebox';
import { revocationModes } from '../../base/revocation-mode.ts';
import { document, flag, named, oneOf, requiredText, text } from './shared.ts';

const languageText = 'Language of the seal; default Is, independent of the language of the flow.';

/** Request body: sealing. */
export const sealBody = named('SealingRequest', {
  pdfDocument: document('The document in base64.'),
  flowKey: requiredText('A flow of the company.'),
  reason: text('Shown in the seal.'),
  languageType: Type.Optional(oneOf(['Is', 'En'], languageText)),
  addSealOnAllPages: flag('A seal on every page.'),
});

/** Response of sealing. */
export const sealAnswer = named('SealingResponse', { pdfDocument: Type.String() });

/** Request body: XML sealing. */
export const sealXmlBody = named('SealingXmlRequest', {
  xmlDocument: document('The document in base64.'),
  flowKey: requiredText('A flow of the company.'),
});

/** Response of XML sealing. */
export const sealXmlAnswer = named('SealingXmlResponse', { xmlDocument: Type.String() });

/** Request body: archiving. */
export const augmentBody = named('ArchivingRequest', {
  pdfDocument: document('A signed PDF in base64.'),
  fileName: requiredText('The file name.'),
});

/** Response of archiving. */
export const augmentAnswer = named('ArchivingResponse', {
  pdfDocument: Type.String(),
  fileName: Type.String(),
});

const revocationText =
  'Treatment of a certificate with unknown revocation status: `require` makes the result ' +
  'INDETERMINATE, `online` queries the addresses in the certificates first, `ignore` only ' +
  'reports it. Default: that of the configuration, `require`.';

/** Request body: verification. */
export const verifyBody = named('VerifyRequest', {
  document: document(
    'A signed document in base64: PDF, XML, a container, or CMS with its content.',
  ),
  revocation: Type.Optional(oneOf(revocationModes, revocationText)),
});

/** Response of verification. */
export const verifyAnswer = named(
  'VerifyResponse',
  {
    valid: Type.Boolean({
      description: 'True if there is a signature and all signatures are valid.',
    }),
    code: text('Present if there is no signature: pdf., xml., container. or cms.signature.none.'),
    message: text('Message for the code.'),
    signatures: Type.Array(Type.Object({}, { additionalProperties: true })),
  },
  { additionalProperties: true },
);

const neededBesideDocument =
  'Required when the body is the document itself; otherwise it is in the JSON body.';

/** Query parameters for a body that is the document itself. */
export const rawSealQuery = Type.Object({
  FlowKey: text(neededBesideDocument),
  Reason: text('As in the JSON body.'),
  LanguageType: Type.Optional(oneOf(['Is', 'En'], languageText)),
  AddSealOnAllPages: flag('As in the JSON body.'),
});
/** Query parameters for a body that is the XML document itself. */
export const rawXmlQuery = Type.Object({ FlowKey: text(neededBesideDocument) });
/** Query parameters for a body that is the document itself. */
export const rawArchiveQuery = Type.Object({ FileName: text(neededBesideDocument) });
/** Query parameters for a body that is the document itself. */
export const rawVerifyQuery = Type.Object({
  Revocation: Type.Optional(oneOf(revocationModes, revocationText)),
});
