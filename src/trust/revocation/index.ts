/** Revocation status of a certificate, as proved by CRLs and OCSP responses. */
export {
  checkRevocation,
  type IsListedResponder,
  needsNoStatus,
  type RevocationQuestion,
  type RevocationVerdict,
} from './revocation.ts';
