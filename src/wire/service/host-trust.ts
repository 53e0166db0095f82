import type { Store } from '../../app/ports/index.ts';
import {
  requireSealTrust,
  type SealCertificate,
  type SealStanding,
} from '../../app/storage/index.ts';
import { sha256Of } from '../../base/bytes.ts';
import { defined } from '../../base/defined.ts';
import { describeName } from '../../formats/x509/index.ts';
import { internCertificate } from '../../trust/certificates.ts';
import type { ToolkitContext } from '../parties/opened-parties.ts';

type TrustContext = Pick<ToolkitContext, 'config' | 'development'> & {
  readonly io: Pick<ToolkitContext['io'], 'now'>;
};

/**
 * Compares the development trust and the sealing key of this host with those recorded in the store,
 * and records them if there are none yet.
 *
 * @param seal DER of the certificate of the configured key; true for the development key; false
 *   if it is not opened
 * @throws trust.mismatch
 */
export async function requireHostTrust(
  { config, development, io }: TrustContext,
  store: Store,
  seal: Uint8Array | boolean = false,
): Promise<SealStanding> {
  const trust = await development.existing();
  const certificate =
    seal === false ? undefined : seal === true ? 'development' : certificateOf(seal);
  return requireSealTrust(
    { store, now: io.now },
    {
      isProduction: config.production,
      ...defined({
        developmentRoot: trust === undefined ? undefined : sha256Of(trust.rootCertificate),
        certificate,
      }),
    },
  );
}

function certificateOf(der: Uint8Array): SealCertificate {
  const { subjectDer, notBeforeMs } = internCertificate(der);
  return { sha256: sha256Of(der), subject: describeName(subjectDer), notBeforeMs };
}
