import type { Signer as SignpdfSigner } from '@signpdf/signpdf';
import { toSignpdfSigner as adapt, type ToSignpdfOptions } from '../adapters/keys/index.ts';
import { requireStrongSigner } from '../app/check-signer.ts';
import type { Signer, TimestampAuthority } from '../seal/ports.ts';
import { requireAnswer } from '../trust/timestamp-answer.ts';

/**
 * Our signer as one for `@signpdf/signpdf`: it makes a CAdES signature for
 * `/SubFilter /ETSI.CAdES.detached`. The signing time goes to `/M` of the placeholder, not into
 * the signature, as PAdES demands. A time-stamp is verified before it is put in; whether its
 * authority is one to trust is for whoever verifies the file.
 *
 * @throws key.weak, key.unreadable; from the returned signer key.sign.failed and tsa.*
 */
export async function toSignpdfSigner(
  signer: Signer,
  options: ToSignpdfOptions = {},
): Promise<SignpdfSigner> {
  requireStrongSigner(signer);
  const { timestampAuthority, ...rest } = options;
  if (timestampAuthority === undefined) return adapt(signer, rest);
  return adapt(signer, { ...rest, timestampAuthority: verified(timestampAuthority) });
}

function verified(inner: TimestampAuthority): TimestampAuthority {
  const { name: authority } = inner;
  return {
    name: authority,
    timestamp: async (request) => {
      const response = await inner.timestamp(request);
      requireAnswer({ request, response, authority });
      return response;
    },
  };
}
