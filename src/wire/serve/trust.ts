import type { TrustService } from '../../api/index.ts';
import type { TimestampAuthority } from '../../seal/ports.ts';
import type { ResolvedConfig } from '../config/config.ts';
import type { DevelopmentAccess } from '../development.ts';
import type { ToolkitIo, TrustServer } from '../toolkit.types.ts';

/** HTTP responses of the development trust, opened on first request. Undefined in production. */
export function trustResponses(
  { production }: Pick<ResolvedConfig, 'production'>,
  io: Pick<ToolkitIo, 'now' | 'random'>,
  development: DevelopmentAccess,
): TrustService | undefined {
  if (production) return undefined;
  let opened: Promise<TimestampAuthority> | undefined;
  const authority = async () => {
    opened ??= openAuthority(io, development);
    return opened;
  };
  return {
    timestamp: async (request) => (await authority()).timestamp(request),
    ocsp: async (request) => (await development.use()).ocspAnswer(request),
    crl: async (issuer) => (await development.use()).crl(issuer),
    certificate: async (issuer) => (await development.use()).issuer(issuer),
  };
}

async function openAuthority(
  { now, random }: Pick<ToolkitIo, 'now' | 'random'>,
  development: DevelopmentAccess,
): Promise<TimestampAuthority> {
  const { localTimestampAuthority } = await import('../../adapters/tsa/index.ts');
  const trust = await development.use();
  development.announce();
  return localTimestampAuthority({ ...trust.tsa(), now, random });
}

/** Serves the development time-stamp authority, OCSP responses, CRLs and certificates. */
export async function serveTrust(
  address: { readonly host: string; readonly port: number },
  io: ToolkitIo,
  development: DevelopmentAccess,
): Promise<TrustServer> {
  const { startTrustServer } = await import('../../adapters/tsa/index.ts');
  const trust = await development.use();
  const authority = await openAuthority(io, development);
  return startTrustServer({
    ...address,
    timestamp: (request) => authority.timestamp(request),
    ocsp: (request) => trust.ocspAnswer(request),
    crl: (name) => trust.crl(name.replace(/\.crl$/, '')),
    certificate: (name) => trust.issuer(name.replace(/\.cer$/, '')),
  });
}
