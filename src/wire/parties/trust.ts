import { InnsigliError } from '../../base/errors.ts';
import type { SealLevel } from '../../base/level.ts';
import type { Certificate } from '../../formats/x509/index.ts';
import { internCertificate } from '../../trust/certificates.ts';
import type { Qualifier } from '../../verify/qualification/index.ts';
import type { ResolvedConfig } from '../config/config.ts';
import type { DevelopmentAccess } from '../development.ts';
import { loadCertificates } from '../files/files.ts';
import type { ToolkitIo } from '../toolkit.types.ts';

/** Trust as configured by the user. */
export interface ConfiguredTrust {
  readonly anchors: readonly Certificate[];
  /** Undefined if no profile has trusted lists. */
  readonly qualifier?: Qualifier;
}

/** Interval at which a long-running program reads its profiles again, since lists expire. */
const FRESH_MS = 3_600_000;

/** Reads the trusted anchors and profiles on first use, and the profiles again after an hour. */
export function configuredTrust(
  config: ResolvedConfig,
  io: Pick<ToolkitIo, 'now' | 'warn'>,
): () => Promise<ConfiguredTrust> {
  let kept: { readonly untilMs: number; readonly trust: Promise<ConfiguredTrust> } | undefined;
  return () => {
    const nowMs = io.now();
    if (kept === undefined || nowMs >= kept.untilMs) {
      const untilMs = config.trustProfiles.length === 0 ? Infinity : nowMs + FRESH_MS;
      const made = { untilMs, trust: load(config, io, nowMs) };
      kept = made;
      made.trust.catch(() => {
        if (kept === made) kept = undefined;
      });
    }
    return kept.trust;
  };
}

async function load(
  config: ResolvedConfig,
  io: Pick<ToolkitIo, 'warn'>,
  nowMs: number,
): Promise<ConfiguredTrust> {
  // The user is warned of each malformed one.
  const named = await loadCertificates(config.trust, (message) =>
    io.warn(message, 'trust.certificate.unreadable'),
  );
  const { dataDir, trustProfiles } = config;
  if (trustProfiles.length === 0) return { anchors: named };
  const warn = (message: string) => io.warn(message, 'trust.list.expired');
  return loadProfiles(trustProfiles, { dataDir, nowMs, named, warn });
}

/** Parameters for loading profiles. */
export interface ProfileQuestion {
  readonly dataDir: string;
  readonly nowMs: number;
  /** Anchors that are configured individually. */
  readonly named: readonly Certificate[];
  /** Called for each overdue list. */
  warn(message: string): void;
}

/**
 * Loads the anchors and lists of trust profiles, together with the individually configured anchors.
 *
 * @param names of profiles; `system` for the root certificates of the machine
 * @throws trust.profile.*, trust.list.expired if no anchor remains; config.invalid
 */
export async function loadProfiles(
  names: readonly string[],
  { dataDir, nowMs, named, warn }: ProfileQuestion,
): Promise<ConfiguredTrust> {
  const anchors = [...named];
  const { loadProfile, systemProfile } = await import('../trust-profiles.ts');
  const lists = [];
  for (const name of new Set(names)) {
    if (name === systemProfile) {
      const { readSystemRoots } = await import('../files/system-roots.ts');
      for (const root of await readSystemRoots()) anchors.push(root);
      continue;
    }
    const loaded = await loadProfile({ dataDir }, name, nowMs);
    loaded.warnings.forEach(warn);
    for (const anchor of loaded.anchors) anchors.push(anchor);
    lists.push(...loaded.lists);
  }
  // Without any anchor the development root would be trusted, which was not requested.
  if (anchors.length === 0) {
    throw new InnsigliError(
      'trust.list.expired',
      `no trust anchor remains of ${names.join(', ')}`,
      {
        hint: 'see the reason with innsigli trust show, and update its lists with trust sync',
      },
    );
  }
  if (lists.length === 0) return { anchors };
  const { createQualifier } = await import('../../verify/qualification/index.ts');
  return { anchors, qualifier: createQualifier(lists) };
}

/**
 * The anchors that the user trusts: the configured ones, and roots in the user's own chain.
 * Configured anchors replace the development root, which is the default if it exists. It stays
 * trusted while keys or time-stamps of the development trust are in use.
 */
export async function anchorsOf(
  configured: readonly Certificate[],
  development: DevelopmentAccess,
  chain: readonly Uint8Array[],
  isAtWork = false,
): Promise<readonly Certificate[]> {
  const isTrusted = isAtWork || configured.length === 0;
  const trust = isTrusted ? await development.existing() : undefined;
  return [
    ...configured,
    ...(trust === undefined ? [] : [internCertificate(trust.rootCertificate)]),
    ...chain
      .map(internCertificate)
      .filter(({ subjectDer, issuerDer }) => Buffer.compare(subjectDer, issuerDer) === 0),
  ];
}

/** Whether the key or the time-stamps of a seal come from the development trust. */
export function worksWithTestKeys(
  { key, tsa }: Pick<ResolvedConfig, 'key' | 'tsa'>,
  level: SealLevel,
): boolean {
  return key.kind === 'development' || (level !== 'B-B' && tsa.length === 0);
}
