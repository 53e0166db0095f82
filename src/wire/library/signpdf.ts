import type { Signer as SignpdfSigner } from '@signpdf/signpdf';
import { toSignpdfSigner as adapt, type ToSignpdfOptions } from '../../adapters/keys/index.ts';
import { requireStrongSigner } from '../../app/documents/check-signer.ts';
import { defined } from '../../base/defined.ts';
import { readableOptions, reading } from '../../base/taken.ts';
import type { Signer, TimestampAuthority } from '../../seal/ports.ts';
import type { AlgorithmTable } from '../../trust/algorithms/index.ts';
import { requireAnswer } from '../../trust/timestamp-answer.ts';
import { requireKinds } from './option-kinds.ts';
import { takeRandom, wrapAuthority, wrapSigner } from './take-ports.ts';

/** Options of the signer for `@signpdf/signpdf`. */
export interface SignpdfSignerOptions extends ToSignpdfOptions {
  /** Expiry dates of algorithms. Default: the dates of ETSI TS 119 312. */
  readonly algorithms?: AlgorithmTable;
}

const names = { timestampAuthority: 1, random: 1, algorithms: 1 } as const;

/**
 * Adapts a signer of this library to `@signpdf/signpdf`. It creates a CAdES signature for
 * `/SubFilter /ETSI.CAdES.detached`. The signing time is in `/M` of the placeholder, not in the
 * signature, as PAdES requires. A time-stamp is verified before it is embedded; trust in its
 * authority is left to the verifier of the file.
 *
 * @throws key.weak, key.unreadable; from the returned signer key.sign.failed and tsa.*
 * @example
 * const signed = await new SignPdf().sign(pdfWithPlaceholder, await toSignpdfSigner(signer));
 */
export async function toSignpdfSigner(
  given: Signer,
  options: SignpdfSignerOptions = {},
): Promise<SignpdfSigner> {
  const { timestampAuthority, random, algorithms } = reading('options', () => ({
    ...readableOptions('toSignpdfSigner', options, names),
  }));
  const signer = wrapSigner(given);
  requireKinds({ algorithms });
  requireStrongSigner(signer, algorithms);
  const rest = random === undefined ? {} : { random: takeRandom(random) };
  if (timestampAuthority === undefined) return adapt(signer, rest);
  return adapt(signer, {
    ...rest,
    timestampAuthority: verified(wrapAuthority(timestampAuthority), algorithms),
  });
}

function verified(
  inner: TimestampAuthority,
  algorithms: AlgorithmTable | undefined,
): TimestampAuthority {
  const { name: authority } = inner;
  return {
    name: authority,
    timestamp: async (request) => {
      const response = await inner.timestamp(request);
      requireAnswer({ request, response, authority, ...defined({ algorithms }) });
      return response;
    },
  };
}
