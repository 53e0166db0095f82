import { type TSchema, Type } from '@sinclair/typebox';
import { revocationModes } from '../../base/revocation-mode.ts';
import { document, flag, oneOf, ref, requiredText, text } from './shared.ts';

const languageText = 'Language of the seal; default Is, whatever the language of the flow.';

const sealingRequest = Type.Object(
  {
    pdfDocument: document('The document in base64.'),
    flowKey: requiredText('A flow of the company.'),
    reason: text('Shown in the seal.'),
    languageType: Type.Optional(oneOf(['Is', 'En'], languageText)),
    addSealOnAllPages: flag('One seal on each page.'),
  },
  { $id: 'SealingRequest' },
);

const sealingResponse = Type.Object({ pdfDocument: Type.String() }, { $id: 'SealingResponse' });

const sealingXmlRequest = Type.Object(
  {
    xmlDocument: document('The document in base64.'),
    flowKey: requiredText('A flow of the company.'),
  },
  { $id: 'SealingXmlRequest' },
);

const sealingXmlResponse = Type.Object(
  { xmlDocument: Type.String() },
  { $id: 'SealingXmlResponse' },
);

const archivingRequest = Type.Object(
  {
    pdfDocument: document('A signed PDF in base64.'),
    fileName: requiredText('Its name.'),
  },
  { $id: 'ArchivingRequest' },
);

const archivingResponse = Type.Object(
  { pdfDocument: Type.String(), fileName: Type.String() },
  { $id: 'ArchivingResponse' },
);

const revocationText =
  'What a certificate of unknown revocation status means: `require` makes the answer ' +
  'INDETERMINATE, `online` asks the addresses in the certificates first, `ignore` only tells ' +
  'of it. Default: that of the configuration, `require`.';

const verifyRequest = Type.Object(
  {
    document: document(
      'A signed document in base64: PDF, XML, a container, or CMS with its content.',
    ),
    revocation: Type.Optional(oneOf(revocationModes, revocationText)),
  },
  { $id: 'VerifyRequest' },
);

/** The report of the verification, as `innsigli verify --json` gives it. */
const verifyResponse = Type.Object(
  {
    valid: Type.Boolean({ description: 'There is a signature, and all of them are valid.' }),
    code: text('There is no signature: pdf., xml., container. or cms.signature.none.'),
    message: text('Message for the code.'),
    signatures: Type.Array(Type.Object({}, { additionalProperties: true })),
  },
  { $id: 'VerifyResponse', additionalProperties: true },
);

const neededBesideDocument =
  'Required when the body is the document itself; otherwise it is in the JSON body.';

/** Body of a sealing. */
export const sealBody = ref(sealingRequest);
/** Answer of a sealing. */
export const sealAnswer = ref(sealingResponse);
/** What goes in the query when the body is the document itself. */
export const rawSealQuery = Type.Object({
  FlowKey: text(neededBesideDocument),
  Reason: text('As in the JSON body.'),
  LanguageType: Type.Optional(oneOf(['Is', 'En'], languageText)),
  AddSealOnAllPages: flag('As in the JSON body.'),
});
/** Body of an XML sealing. */
export const sealXmlBody = ref(sealingXmlRequest);
/** Answer of an XML sealing. */
export const sealXmlAnswer = ref(sealingXmlResponse);
/** What goes in the query when the body is the XML document itself. */
export const rawXmlQuery = Type.Object({ FlowKey: text(neededBesideDocument) });
/** Body of an archiving. */
export const augmentBody = ref(archivingRequest);
/** Answer of an archiving. */
export const augmentAnswer = ref(archivingResponse);
/** What goes in the query when the body is the document itself. */
export const rawArchiveQuery = Type.Object({ FileName: text(neededBesideDocument) });
/** What goes in the query when the body is the document itself. */
export const rawVerifyQuery = Type.Object({
  Revocation: Type.Optional(oneOf(revocationModes, revocationText)),
});
/** Body of a verification. */
export const verifyBody = ref(verifyRequest);
/** Answer of a verification. */
export const verifyAnswer = ref(verifyResponse);

/** Schemas with a name. */
export const sealingSchemas: readonly TSchema[] = [
  sealingRequest,
  sealingResponse,
  sealingXmlRequest,
  sealingXmlResponse,
  archivingRequest,
  archivingResponse,
  verifyRequest,
  verifyResponse,
];
