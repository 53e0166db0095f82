import { realpathSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Vault } from '../../app/ports/index.ts';
import {
  announceHost,
  bindStore,
  type HostName,
  requireSharedContents,
  requireVaultKey,
  type StoragePorts,
} from '../../app/storage/index.ts';
import { sha256Of } from '../../base/bytes.ts';
import { attemptAny, InnsigliError } from '../../base/errors.ts';
import { vaultKeyFile } from '../config/paths.ts';
import type { ToolkitContext } from '../parties/opened-parties.ts';
import { requireHostTrust } from './host-trust.ts';
import { openServiceBlobs, openServiceStore } from './parties.ts';

/** Database, blob folder and vault of a data directory. */
export interface OpenedStorage {
  readonly ports: StoragePorts;
  readonly vault: Vault;
}

type StorageContext = Pick<ToolkitContext, 'config' | 'io'>;

/**
 * Opens database and vault. The vault key belongs to the database and is created only for a
 * database that has none. Does not check that the blob folder belongs to them.
 *
 * @param options `makesKey` false: a missing key is an error; `mayMake` false: so is a missing
 * database
 * @throws store.*, vault.*, config.invalid
 */
export async function openStorage(
  context: StorageContext,
  { makesKey, mayMake = makesKey }: { readonly makesKey: boolean; readonly mayMake?: boolean } = {
    makesKey: true,
  },
): Promise<OpenedStorage> {
  const { config, io } = context;
  const [{ openVaultKeyFile }, { openContentsFolder }] = await Promise.all([
    import('../../adapters/vault/index.ts'),
    import('../../adapters/blobs/index.ts'),
  ]);
  const keyFile = openVaultKeyFile(vaultKeyFile(config.dataDir));
  const late = lateVault();
  const store = await openServiceStore(context, late.vault, mayMake);
  try {
    const vault = await requireVaultKey({ store, now: io.now, keyFile }, makesKey);
    late.open(vault);
    const ports = {
      store,
      blobs: await openServiceBlobs(context),
      contentsFolder: openContentsFolder(config.dataDir),
      now: io.now,
      random: io.random,
    };
    return { ports, vault };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/**
 * Like {@link openStorage}, and checks that everything belongs together: the blob folder belongs to
 * the database and is shared by all its hosts, and so is the development trust.
 *
 * @throws store.mismatch, contents.unshared, trust.mismatch
 */
export async function openBoundStorage(
  context: StorageContext & Pick<ToolkitContext, 'development'>,
  mayMake = true,
): Promise<OpenedStorage> {
  const opened = await openStorage(context, { makesKey: true, mayMake });
  try {
    await bindStore(opened.ports);
    await requireSharedContents(opened.ports);
    await requireHostTrust(context, opened.ports.store);
    return opened;
  } catch (error) {
    await opened.ports.store.close();
    throw error;
  }
}

/**
 * Called when a server or worker starts: marks the shared folder, and compares the sealing key.
 *
 * @param seals false: the program does not seal and opens no key
 * @throws contents.unshared, trust.mismatch, key.*
 */
export async function enterService(
  context: ToolkitContext,
  ports: Pick<StoragePorts, 'store' | 'contentsFolder' | 'now'>,
  seals = true,
): Promise<void> {
  await announceHost(ports, hostOf(context));
  if (!seals) return;
  const { config, parties } = context;
  const isTest = config.key.kind === 'development';
  const seal = isTest || (await parties.signer({ digest: config.digest })).certificate;
  await requireHostTrust(context, ports.store, seal);
}

/** Identifies this machine and data directory to other hosts. */
export function hostOf({ config }: Pick<ToolkitContext, 'config'>): HostName {
  const name = hostname();
  // A path that does not resolve is used unchanged.
  const path = attemptAny(() => realpathSync(config.dataDir)) ?? config.dataDir;
  const id = sha256Of(`${name}\n${path}`).slice(0, 16);
  return { id, name };
}

// The store needs a vault, but the key of the vault is determined from the store.
function lateVault(): { readonly vault: Vault; open(vault: Vault): void } {
  let opened: Vault | undefined;
  const vault = (): Vault => {
    if (opened !== undefined) return opened;
    throw new InnsigliError('vault.key.missing', 'the key of the vault is not open yet');
  };
  return {
    vault: {
      encrypt: (plain, context) => vault().encrypt(plain, context),
      decrypt: (sealed, context) => vault().decrypt(sealed, context),
      index: (value) => vault().index(value),
      mac: (value, context) => vault().mac(value, context),
    },
    open(made) {
      opened = made;
    },
  };
}
