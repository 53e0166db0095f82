/** Status of a certificate: what CRLs and OCSP responses prove about it. */
export {
  checkRevocation,
  type IsListedResponder,
  needsNoStatus,
  type RevocationQuestion,
  type RevocationVerdict,
} from './revocation.ts';
