import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { SealPorts } from '../../app/documents/seal-ports.ts';
import type {
  BlobStore,
  ForeignScheme,
  IdentityProvider,
  IdentityProviders,
  PersonRegister,
  ServedMethod,
  Store,
  Vault,
} from '../../app/ports/index.ts';
import { defined } from '../../base/defined.ts';
import { attemptAny, InnsigliError } from '../../base/errors.ts';
import type { SealLevel } from '../../base/level.ts';
import { databaseFile, registerTableFile, vaultKeyFile } from '../config/paths.ts';
import { noProvider } from '../parties/no-provider.ts';
import { openSeal, type ToolkitContext } from '../parties/opened-parties.ts';
import { anchorsOf } from '../parties/trust.ts';
import { simulatorModes } from './simulator-modes.ts';

/**
 * Rejects a data directory without a service, such as a mistyped one: opening it would create a
 * service there.
 *
 * @throws config.datadir.missing
 */
export function requireServiceFiles({ config }: Pick<ToolkitContext, 'config'>): void {
  const { dataDir, service, production } = config;
  const isRemote = service.database !== undefined;
  const file = isRemote ? vaultKeyFile(dataDir) : databaseFile(dataDir);
  if (isRemote ? existsSync(file) : hasDatabase({ dataDir, service })) return;
  if (!isRemote) requireNoRemains(dataDir);
  const made = `create it with innsigli ${production ? 'company create' : 'init'}`;
  const copied = isRemote
    ? 'copy the key from the host that created the database; for a new database '
    : '';
  const what = isRemote ? 'the key of the database' : 'the database';
  throw new InnsigliError('config.datadir.missing', `expected ${what} at ${file}, found nothing`, {
    hint:
      `${copied}${made}; to use a different data directory pass --data-dir or set ` +
      'INNSIGLI_HOME',
  });
}

/** Whether a database exists or is configured. */
export function hasDatabase({
  dataDir,
  service,
}: Pick<ToolkitContext['config'], 'dataDir' | 'service'>): boolean {
  if (service.database !== undefined) return true;
  const file = databaseFile(dataDir);
  // An empty file is what an aborted copy leaves behind.
  return existsSync(file) && statSync(file).size > 0;
}

/** First file in a data directory that belongs to a database, even to one that is gone. */
export function findRemains(dataDir: string): string | undefined {
  const contents = join(dataDir, 'objects');
  // A key without a blob folder is for a future database: opening a database creates the folder.
  if (!existsSync(contents)) return undefined;
  return [vaultKeyFile(dataDir), join(contents, '.store')].find(existsSync);
}

/** Refuses to create a database in a data directory that lost one: its files belong to that one. */
function requireNoRemains(dataDir: string): void {
  const first = findRemains(dataDir);
  if (first === undefined) return;
  const file = databaseFile(dataDir);
  const found = `found only its companion: ${first}`;
  throw new InnsigliError('config.datadir.missing', `expected the database at ${file}, ${found}`, {
    hint:
      'restore the database from a backup, or choose a different data directory with --data-dir; ' +
      'to start over, move the whole directory away',
  });
}

/**
 * Opens the configured database: SQLite in the data directory, or PostgreSQL.
 *
 * @param mayMake false: a missing SQLite database is an error
 * @throws config.datadir.missing, store.*
 */
export async function openServiceStore(
  context: Pick<ToolkitContext, 'config' | 'io'>,
  vault: Vault,
  mayMake = true,
): Promise<Store> {
  const { config, io } = context;
  const { openPostgresStore, openSqliteStore } = await import('../../adapters/store/index.ts');
  const { database, databaseLimits } = config.service;
  const clocks = { now: io.now, ...defined({ leaseNow: io.leaseNow }) };
  if (database === undefined) {
    const path = databaseFile(config.dataDir);
    if (!hasDatabase(config)) {
      requireNoRemains(config.dataDir);
      if (!mayMake) requireServiceFiles(context);
    }
    return openSqliteStore({ path, vault, ...clocks, mustExist: !mayMake });
  }
  requirePostgres(database);
  return openPostgresStore({ ...databaseLimits, dsn: database, vault, ...clocks });
}

/** Opens the blob store of documents in the data directory. */
export async function openServiceBlobs({
  config,
}: Pick<ToolkitContext, 'config'>): Promise<BlobStore> {
  const { openFileBlobs } = await import('../../adapters/blobs/index.ts');
  return openFileBlobs(config.dataDir);
}

/** e-ID providers for the service. */
export interface OpenedIdentities {
  /** Provider for SIM and app. */
  readonly identity: IdentityProvider;
  readonly foreign: Readonly<Record<ForeignScheme, IdentityProvider>>;
  /** Present if a file configures providers. */
  readonly providers?: IdentityProviders;
  close(): Promise<void>;
}

/**
 * Opens the e-ID providers: the configured ones, and for all other methods the simulator, whose
 * certificates come from the development trust. In production there is no simulator.
 *
 * @throws config.invalid
 */
export async function openIdentities(
  context: ToolkitContext,
  vault: Vault,
): Promise<OpenedIdentities> {
  const identity = await openProvider(context, vault);
  const foreign = {
    'eid-se': await openProvider(context, vault, 'eid-se'),
    'eid-dk': await openProvider(context, vault, 'eid-dk'),
    'device-link': await openProvider(context, vault, 'device-link'),
  };
  const { eid } = context.config.service;
  if (eid === undefined) return { identity, foreign, close: async () => undefined };
  const { openProviders, readEidFile } = await import('../eid/index.ts');
  const usual = (method: ServedMethod) =>
    method === 'Sim' || method === 'App' ? identity : foreign[method];
  const providers = await openProviders(context, vault, readEidFile(eid), usual);
  const chosen = (method: ServedMethod) => providers.choose(method, {});
  return {
    identity: chosen('Sim'),
    foreign: {
      'eid-se': chosen('eid-se'),
      'eid-dk': chosen('eid-dk'),
      'device-link': chosen('device-link'),
    },
    providers,
    close: () => providers.close(),
  };
}

/**
 * Opens the register of persons: the configured one, or else the imported one. Before the first
 * import it has synthetic persons, and in production none.
 *
 * @throws config.invalid
 */
export async function openRegister(
  { config }: Pick<ToolkitContext, 'config'>,
  vault: Vault,
): Promise<PersonRegister> {
  const { httpRegister, registerSimulator, tableRegister } = await import(
    '../../adapters/register/index.ts'
  );
  const { url, tokenFile } = config.service.register;
  if (url !== undefined) {
    const register = httpRegister({ url, ...defined({ tokenFile, proxy: config.proxy }) });
    return config.offline ? offlineRegister() : register;
  }
  const unknown = async () => undefined;
  const nobody = { address: unknown, family: unknown, hasMeter: async () => false };
  const otherwise = config.production ? nobody : registerSimulator();
  return tableRegister({ path: registerTableFile(config.dataDir), vault, otherwise });
}

function offlineRegister(): PersonRegister {
  const refuse = async (): Promise<never> => {
    const message = 'the register of persons cannot be reached: offline';
    throw new InnsigliError('network.offline', message);
  };
  return { address: refuse, family: refuse, hasMeter: refuse };
}

async function openProvider(
  { config, io, development }: ToolkitContext,
  vault: Vault,
  scheme?: ForeignScheme,
): Promise<IdentityProvider> {
  const startError = scheme === undefined ? idpStart : 'eid.provider.error';
  if (config.production)
    return noProvider(scheme, startError, 'production does not allow the simulator');
  const { isTestNumber, simulatorDriver } = await import('../../adapters/eid/index.ts');
  const { drivenIdentity, eidTrust } = await import('../../app/eid/index.ts');
  const issue = async (person: { readonly name: string; readonly serialNumber: string }) => {
    const trust = await development.use();
    return trust.person(person);
  };
  const { now, random } = io;
  const persons = config.service.simulatedPersons;
  const modes = await simulatorModes({ config, io });
  const driver = simulatorDriver({ issue, persons, ...modes, ...defined({ scheme }) });
  const http = async (): Promise<never> => {
    throw new InnsigliError('eid.provider.error', 'the simulator has no network');
  };
  return drivenIdentity(driver, {
    environment: { now, random, http, trust: eidTrust() },
    vault,
    startError,
    isSimulated: true,
    isTestNumber,
    ...defined({ channel: channelOf(scheme) }),
  });
}

const idpStart = 'authentication.error.idp.start';

function channelOf(scheme: ForeignScheme | undefined) {
  if (scheme === undefined) return undefined;
  return scheme === 'eid-dk' ? 'Redirect' : 'DeviceLink';
}

/**
 * Opens the ports for seals of the company. With test persons, their root is trusted too.
 *
 * @param compareTrust receives the sealing certificate, or true for the test key
 * @throws trust.mismatch if other hosts seal with a different key
 */
export async function openSealing(
  context: ToolkitContext,
  level: SealLevel,
  compareTrust: (seal: Uint8Array | true) => Promise<unknown>,
): Promise<SealPorts> {
  const { ports } = await openSeal(context, { level });
  const { config, development } = context;
  if (!config.production) await development.use();
  const isTest = config.key.kind === 'development';
  await compareTrust(isTest || ports.signer.certificate);
  if (config.production) return ports;
  const configured = await context.parties.anchors();
  const anchors = await anchorsOf(configured, development, ports.signer.chain, true);
  return { ...ports, anchors };
}

function requirePostgres(database: string): void {
  const url = attemptAny(() => new URL(database));
  if (url === undefined) {
    throw new InnsigliError('config.invalid', 'database: expected postgres://user@host/name');
  }
  if (url.protocol !== 'postgres:' && url.protocol !== 'postgresql:') {
    const message = `database: expected postgres:, found ${url.protocol}`;
    throw new InnsigliError('config.invalid', message);
  }
  if (url.password !== '') {
    throw new InnsigliError('config.invalid', 'database: expected an address without a password', {
      hint: 'put the password in the file of PGPASSFILE, or in PGPASSWORD',
    });
  }
}
