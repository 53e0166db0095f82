import type { DevelopmentAccess } from './development.ts';
import type { ToolkitIo, TrustServer } from './toolkit.types.ts';

/** Serves the development time-stamp authority, OCSP answers, CRLs and certificates. */
export async function serveTrust(
  address: { readonly host: string; readonly port: number },
  io: ToolkitIo,
  development: DevelopmentAccess,
): Promise<TrustServer> {
  const { localTimestampAuthority, startTrustServer } = await import('../adapters/tsa/index.ts');
  const trust = await development.use();
  development.announce();
  const authority = localTimestampAuthority({
    ...(await trust.tsa()),
    now: io.now,
    random: io.random,
  });
  return startTrustServer({
    ...address,
    timestamp: (request) => authority.timestamp(request),
    ocsp: (request) => trust.ocspAnswer(request),
    crl: (name) => trust.crl(name.replace(/\.crl$/, '')),
    certificate: (name) => trust.issuer(name.replace(/\.cer$/, '')),
  });
}
