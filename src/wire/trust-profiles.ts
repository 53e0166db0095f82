import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { folderTrustStore } from '../adapters/trust-store/index.ts';
import {
  type ChangedProfile,
  exportTrust,
  type FetchList,
  type ImportOptions,
  importTrust,
  type LoadedTrust,
  listTrust,
  loadTrust,
  type ProfileStatus,
  type ShownProfile,
  type SyncOptions,
  showTrust,
  syncTrust,
} from '../app/trust/index.ts';
import { equalBytes } from '../base/bytes.ts';
import { defined } from '../base/defined.ts';
import { InnsigliError, onCode } from '../base/errors.ts';
import { limits } from '../base/limits.ts';
import { osErrorText, systemCode } from '../base/os-errors.ts';
import { type Certificate, describeName } from '../formats/x509/index.ts';
import type { ResolvedConfig } from './config/config.ts';
import { foundInstead, readNamed } from './documents.ts';
import { loadCertificates } from './files/files.ts';
import type { ToolkitIo } from './toolkit.types.ts';

export type {
  ChangedProfile,
  ListOutcome,
  ListStatus,
  ProfileStatus,
  ShownProfile,
  ShownService,
} from '../app/trust/index.ts';
export { systemProfile } from '../app/trust/index.ts';

/** Number of anchors named because they are not certification authorities; the rest are counted. */
const TOLD_MAX = 10;

/** Loads the anchors and lists of a stored profile. @throws trust.profile.* */
export function loadProfile(
  { dataDir }: Pick<ResolvedConfig, 'dataDir'>,
  name: string,
  nowMs: number,
): Promise<LoadedTrust> {
  return loadTrust(folderTrustStore(dataDir), name, nowMs);
}

/** {@link SyncOptions} with paths in place of certificates. */
export interface SyncFiles extends Omit<SyncOptions, 'signers' | 'certificates'> {
  readonly signers?: readonly string[] | undefined;
  readonly certificates?: readonly string[] | undefined;
  /** Read lists from this folder, under the last segment of their address: nothing is fetched. */
  readonly folder?: string | undefined;
}

/** {@link ImportOptions} with paths in place of certificates. */
export interface ImportFiles extends Omit<ImportOptions, 'signers'> {
  readonly signers?: readonly string[] | undefined;
}

/** Trust profiles of the data directory. Paths are absolute. */
export interface TrustProfiles {
  /** @throws usage.invalid, config.invalid, trust.*, network.*, io.*, limit.exceeded */
  sync(name: string, options: SyncFiles): Promise<ChangedProfile>;
  /** @throws trust.profile.invalid */
  list(): Promise<readonly ProfileStatus[]>;
  /** @throws trust.profile.* */
  show(name: string, territory?: string): Promise<ShownProfile>;
  /** @throws trust.profile.* */
  export(name: string): Promise<Uint8Array>;
  /** @throws trust.*, config.invalid, limit.exceeded */
  import(bytes: Uint8Array, options: ImportFiles): Promise<ChangedProfile>;
}

/** The profiles of a configuration. Nothing is opened until a method needs it. */
export function openTrustProfiles(
  config: ResolvedConfig,
  { now, warn }: Pick<ToolkitIo, 'now' | 'warn'>,
): TrustProfiles {
  const store = folderTrustStore(config.dataDir);
  return {
    async sync(name, { signers, certificates, folder, ...options }) {
      const fetch = folder === undefined ? fetcher(config) : folderFetcher(folder);
      return syncTrust({ store, now, fetch }, name, {
        ...options,
        signers: await readDers(signers, warn),
        certificates: (await readAnchors(certificates, warn))?.map(({ der }) => der),
      });
    },
    list: () => listTrust(store, now()),
    show: (name, territory) => showTrust(store, name, territory, now()),
    export: (name) => exportTrust({ store }, name),
    async import(bytes, { signers, ...options }) {
      const given = { ...options, signers: await readDers(signers, warn) };
      return importTrust({ store, now }, bytes, given);
    },
  };
}

async function readDers(paths: readonly string[] | undefined, warn: ToolkitIo['warn']) {
  return (await readFound(paths, warn))?.map(({ der }) => der);
}

async function readFound(paths: readonly string[] | undefined, warn: ToolkitIo['warn']) {
  const tell = (message: string) => warn(message, 'trust.certificate.unreadable');
  return paths === undefined ? undefined : loadCertificates(paths, tell);
}

/** Reads user anchors: any certificate, as with `--trust`. Folders may hold unintended ones. */
async function readAnchors(paths: readonly string[] | undefined, warn: ToolkitIo['warn']) {
  const found = await readFound(paths, warn);
  const leaves = (found ?? []).filter((each) => !isAuthority(each));
  for (const { subjectDer } of leaves.slice(0, TOLD_MAX)) {
    const what = `"${describeName(subjectDer)}" is not an authority`;
    const effect = 'as an anchor it is trusted directly, even if revoked';
    warn(`${what}: ${effect}`, 'trust.anchor.leaf');
  }
  if (leaves.length > TOLD_MAX) {
    warn(`${leaves.length - TOLD_MAX} more anchors are not authorities`, 'trust.anchor.leaf');
  }
  return found;
}

/** Whether it may issue certificates. A root need not state this, as in path validation. */
function isAuthority({ extensions, subjectDer, issuerDer }: Certificate): boolean {
  return extensions.basicConstraints?.ca ?? equalBytes(subjectDer, issuerDer);
}

/** Fetches URLs with the restricted HTTP client, and reads paths from disk. */
function fetcher(config: ResolvedConfig): FetchList {
  return async (location) => {
    if (isAbsolute(location)) return readFile(location);
    if (config.offline) {
      const message = `${location.slice(0, 200)} is required, but --offline is set`;
      throw new InnsigliError('network.offline', message, {
        hint: 'import lists without a network with innsigli trust import',
      });
    }
    const { fetchBytes } = await import('../adapters/revocation/index.ts');
    const fetching = fetchBytes(location, {
      timeoutMs: limits.trustListMs,
      allowPrivateAddresses: config.allowPrivateAddresses,
      offline: false,
      fetchLimits: { responseBytes: limits.trustListBytes },
      ...defined({ proxy: config.proxy }),
    });
    if (config.allowPrivateAddresses) return fetching;
    const hint = 'for lists in a private network: INNSIGLI_ALLOW_PRIVATE_ADDRESSES=true';
    return fetching.catch(
      onCode('network.blocked', (cause): never => {
        throw new InnsigliError(cause.code, cause.message, { cause, hint });
      }),
    );
  };
}

/** A mirror: files under host and path, as mirroring programs do, or under the last segment. */
function folderFetcher(folder: string): FetchList {
  return async (location) => {
    if (isAbsolute(location)) return readFile(location);
    const { hostname, pathname } = new URL(location);
    const parts = pathname.split('/').filter((part) => part !== '');
    const whole = join(folder, hostname, ...parts);
    return readFile(existsSync(whole) ? whole : join(folder, parts.at(-1) ?? 'index.xml'));
  };
}

async function readFile(path: string): Promise<Uint8Array> {
  try {
    return await readNamed(path, limits.trustListBytes);
  } catch (cause) {
    const code = systemCode(cause);
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      throw new InnsigliError('io.input.notfound', `no such file: ${path}`, { cause });
    }
    if (code === 'EFBIG') {
      const message = `${path}: expected a trusted list of at most ${limits.trustListBytes} bytes`;
      throw new InnsigliError('limit.exceeded', message, { cause });
    }
    const why = foundInstead(cause) ?? osErrorText(code ?? 'unknown');
    throw new InnsigliError('io.input.unreadable', `${path} cannot be read: ${why}`, { cause });
  }
}
