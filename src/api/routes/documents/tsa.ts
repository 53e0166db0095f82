import type { TrustService } from '../../ports.ts';
import { type ApiApp, addRoute } from '../../route.ts';
import { registerRevocation, requireBytes, TRUST_REQUEST_BYTES_MAX } from './revocation.ts';

const query = 'application/timestamp-query';
const reply = 'application/timestamp-reply';

/** Adds the development trust where there is one: time-stamps, OCSP, CRLs and issuers. */
export function registerTrust(app: ApiApp, trust: TrustService | undefined): void {
  if (trust === undefined) return;
  registerRevocation(app, trust);
  addRoute(app, {
    method: 'POST',
    path: '/tsa',
    base: 'root',
    access: 'open',
    tag: 'Development trust',
    summary: 'A test time-stamp (RFC 3161); not available in production',
    rawTypes: [query, 'application/octet-stream'],
    bodyBytesMax: TRUST_REQUEST_BYTES_MAX,
    answers: { 200: { description: 'TimeStampResp with the token or a failure.', types: [reply] } },
    handle: async ({ body, reply: response }) => {
      const answer = await trust.timestamp(requireBytes(body, query));
      return response.type(reply).send(Buffer.from(answer));
    },
  });
}
