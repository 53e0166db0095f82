/** Verification of XML signatures and XAdES in a document. */
export type { XmlVerificationContext } from './context.ts';
export { type EnvelopedSigner, findEnvelopedSigner } from './enveloped-signature.ts';
export { verifyXml, verifyXmlDocument, verifyXmlWithPool, withXmlOpinions } from './verify-xml.ts';
