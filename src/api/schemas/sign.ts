import { Type } from '@sinclair/typebox';
import { contextType, flag, named, oneOf, pathKey, requiredText, text } from './shared.ts';
import { signee } from './signing.ts';

/** A started signature. */
export const startedSigning = named('StartSigningResponse', {
  token: Type.String({ description: 'For the status routes.' }),
  pollingInterval: Type.Integer({ description: 'Seconds between polls.' }),
  verificationCode: text('Show it to the person.'),
  autoStartToken: text('Opens the app on the same device (eid-se).'),
  qrData: text('Text of a QR code (eid-se).'),
  redirectUrl: text('Page to open for the person (eid-dk).'),
});

const status = oneOf(['Pending', 'Signed', 'Failed']);

/** While Pending: values that replace those of the start when the person is prompted again. */
const shown = {
  verificationCode: text('While Pending: show it to the person.'),
  autoStartToken: text('While Pending: opens the app on the same device.'),
  qrData: text('While Pending: text of a QR code.'),
  redirectUrl: text('While Pending: page to open for the person.'),
};

/** State of a signature with a foreign e-ID. */
export const signingStatus = named('SigningStatus', {
  status,
  hintCode: text('Code of the provider for a failure.'),
  statusMessage: Type.String(),
  ...shown,
  signee: Type.Optional(signee),
});

const signedDocumentSchema = named('SignedDocument', {
  content: Type.String({ description: 'The document in base64.' }),
  digest: Type.String({ description: 'SHA-256 of the document in base64.' }),
  fileName: Type.String(),
});

/** Status of a signature, with the signed document. */
export const documentStatus = named('DocumentStatus', {
  status,
  signed: Type.Boolean(),
  statusMessage: Type.String(),
  ...shown,
  document: Type.Optional(signedDocumentSchema),
});

/** Path parameters of the status routes. */
export const signingStatusParams = Type.Object({
  ProcessKey: pathKey('The process.'),
  SigneeKey: pathKey('The signee.'),
  Token: pathKey('From the start.'),
});
const whose = { signeeKey: text('Same as in the path.') };

/** Request body: start of a signature with SIM or app. */
export const startQualifiedBody = Type.Object({
  ...whose,
  loginHint: text('Phone number or national number; default: that of the signee.'),
  authenticationContextType: contextType(),
  includeVerificationCode: flag('Return a code for Sim too.'),
});
/** Request body: start of a signature with a foreign e-ID. */
export const startForeignBody = Type.Object({
  ...whose,
  endUserIp: text('IP address of the person.'),
  returnUrl: text('Return URL.'),
});
/** Request body of routes that need no data. */
export const emptyBody = Type.Object(whose);
/** Request body: a one-time code. */
export const confirmBody = Type.Object({
  ...whose,
  token: requiredText('From the start.'),
  code: requiredText('The one-time code.'),
});
