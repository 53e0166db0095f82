import type { CrlCache } from '../../adapters/revocation/index.ts';
import { defined } from '../../base/defined.ts';
import type { Certificate } from '../../formats/x509/index.ts';
import type { RevocationData, RevocationSource, TimestampAuthority } from '../../seal/ports.ts';
import type { AlgorithmTable } from '../../trust/algorithms/index.ts';
import { requireAnswer } from '../../trust/timestamp-answer.ts';
import type { ResolvedConfig } from '../config/config.ts';
import type { DevelopmentAccess } from '../development.ts';
import { readPassword } from '../files/files.ts';
import type { ToolkitIo } from '../toolkit.types.ts';

/** A time-stamp authority with its connections. */
export interface OpenAuthority {
  readonly authority: TimestampAuthority;
  close(): void;
}

/** Anchors and algorithms for verifying the responses of a time-stamp authority. */
export interface TrustedAnswers {
  readonly anchors: readonly Certificate[];
  readonly algorithms?: AlgorithmTable | undefined;
}

/** A time-stamp authority that counts its requests. */
export interface CountedAuthority {
  readonly authority: TimestampAuthority;
  readonly requests: () => number;
}

/** Opens the configured authorities in their order, or the embedded one if none is configured. */
export async function openAuthority(
  config: ResolvedConfig,
  development: DevelopmentAccess,
  io: ToolkitIo,
  trusted: TrustedAnswers,
): Promise<OpenAuthority> {
  if (config.tsa.length > 0) return openHttpAuthorities(config, io, trusted);
  const { localTimestampAuthority } = await import('../../adapters/tsa/local.ts');
  const trust = await development.use();
  const local = { ...(await trust.tsa()), now: io.now, random: io.random };
  const authority = localTimestampAuthority(local);
  const announced: TimestampAuthority = {
    ...authority,
    timestamp(request) {
      development.announce();
      return authority.timestamp(request);
    },
  };
  return { authority: announced, close: () => {} };
}

async function openHttpAuthorities(
  config: ResolvedConfig,
  io: ToolkitIo,
  { anchors, algorithms }: TrustedAnswers,
): Promise<OpenAuthority> {
  const { failoverTimestampAuthority, httpTimestampAuthority } = await import(
    '../../adapters/tsa/index.ts'
  );
  const authorities = await Promise.all(
    config.tsa.map(async ({ url, username, passwordFile }) => {
      const password = passwordFile === undefined ? '' : await readPassword(passwordFile, io);
      return httpTimestampAuthority({
        url,
        timeoutMs: config.tsaTimeoutMs,
        offline: config.offline,
        ...(username === undefined ? {} : { username, password }),
        ...defined({ proxy: config.proxy }),
      });
    }),
  );
  const [first] = authorities;
  const authority =
    authorities.length === 1 && first !== undefined
      ? first
      : failoverTimestampAuthority(authorities, {
          accept: (request, response, { name }) =>
            requireAnswer({
              ...{ request, response, authority: name, anchors, nowMs: io.now() },
              ...defined({ algorithms }),
            }),
        });
  return {
    authority,
    close() {
      for (const one of authorities) one.close();
    },
  };
}

/** Wraps an authority with a request counter. `before` is awaited before each request. */
export function countRequests(
  inner: TimestampAuthority,
  before?: () => Promise<void>,
): CountedAuthority {
  let requests = 0;
  const { tokenLengthBytes } = inner;
  return {
    authority: {
      name: inner.name,
      ...defined({ tokenLengthBytes }),
      async timestamp(request) {
        await before?.();
        requests++;
        return inner.timestamp(request);
      },
    },
    requests: () => requests,
  };
}

/**
 * Opens the sources of OCSP responses and CRLs: the development trust for its own certificates, and
 * the addresses in the certificates for all others. Sealing and augmentation follow the same rule:
 * addresses in private networks are contacted only if the configuration permits it, even for the
 * user's own certificate.
 */
export async function openRevocation(
  config: ResolvedConfig,
  development: DevelopmentAccess,
  given: RevocationData = { ocsp: [], crls: [] },
): Promise<RevocationSource> {
  const { httpRevocationSource } = await import('../../adapters/revocation/index.ts');
  const http = httpRevocationSource(fetchOptions(config));
  const { ocsp, crls } = given;
  return { ...(await besideDevelopment(http, development)), atHand: { ocsp, crls } };
}

/** Time limit in milliseconds for all requests about one document. */
const INQUIRY_MS = 30_000;

/** Opens the same sources for the certificates of one verified document. */
export async function openInquirySource(
  config: ResolvedConfig,
  development: DevelopmentAccess,
  crlCache: CrlCache,
): Promise<RevocationSource> {
  const { inquiringRevocationSource } = await import('../../adapters/revocation/index.ts');
  const inquiry = { totalMs: INQUIRY_MS, crlCache };
  return besideDevelopment(inquiringRevocationSource(fetchOptions(config), inquiry), development);
}

/** Restrictions for fetching documents and certificates. */
export function fetchOptions({
  tsaTimeoutMs,
  allowPrivateAddresses,
  offline,
  proxy,
}: ResolvedConfig) {
  return { timeoutMs: tsaTimeoutMs, allowPrivateAddresses, offline, ...defined({ proxy }) };
}

async function besideDevelopment(
  http: RevocationSource,
  development: DevelopmentAccess,
): Promise<RevocationSource> {
  const { combinedRevocationSource } = await import('../../adapters/revocation/index.ts');
  const trust = await development.existing();
  return combinedRevocationSource(trust === undefined ? [http] : [trust.revocationSource(), http]);
}
