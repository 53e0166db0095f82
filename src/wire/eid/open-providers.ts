import type { EidHttpOptions } from '../../adapters/eid/index.ts';
import { readNamedNow } from '../../adapters/files/index.ts';
import { readTextNow } from '../../adapters/read-file.ts';
import { drivenIdentity, eidTrust } from '../../app/eid/index.ts';
import {
  type EidDriver,
  type EidEnvironment,
  EidError,
  type IdentityProvider,
  type IdentityProviders,
  type ServedMethod,
  type Vault,
} from '../../app/ports/index.ts';
import { defined } from '../../base/defined.ts';
import { InnsigliError, isInnsigliError } from '../../base/errors.ts';
import { osReason } from '../../base/os-errors.ts';
import { meantHint } from '../../base/text/index.ts';
import { parseCertificate } from '../../formats/x509/index.ts';
import { noProvider } from '../parties/no-provider.ts';
import type { ToolkitContext } from '../parties/opened-parties.ts';
import { fetchOptions } from '../parties/outside-parties.ts';
import { driverOptions, type OptionPlace, pathIn, readSecret } from './driver-options.ts';
import { type EidDriverEntry, eidDrivers } from './drivers.table.ts';
import type { EidFile, MethodChoice, ProviderEntry, TransportEntry } from './eid-file.ts';

/** Opens the provider of an unconfigured method: a simulator, or one that rejects all logins. */
export type OpenDefault = (method: ServedMethod) => IdentityProvider;

/** Providers of a configuration. */
export interface OpenedProviders extends IdentityProviders {
  /** Closes all connections. */
  close(): Promise<void>;
}

const channels = {
  'device-link': 'DeviceLink',
  'eid-se': 'DeviceLink',
  'eid-dk': 'Redirect',
} as const;

/**
 * Opens the providers of a configuration, with every driver that a method needs. A provider that
 * cannot be opened is reported immediately, not at its first login.
 *
 * @throws config.invalid
 */
export async function openProviders(
  { config, io }: Pick<ToolkitContext, 'config' | 'io'>,
  vault: Vault,
  file: EidFile,
  usual: OpenDefault,
): Promise<OpenedProviders> {
  refuseSimulator(file, config.production);
  const { eidHttp } = await import('../../adapters/eid/transport.ts');
  const findStatus = await statusFinder(config);
  const closers: (() => Promise<void>)[] = [];
  const found = new Map<string, IdentityProvider>();
  const used = usedBy(file);
  const proxy = config.proxy === undefined ? undefined : new URL(config.proxy);
  for (const [name, entry] of Object.entries(file.providers)) {
    const place = { folder: file.folder, path: `${file.name}: $.providers.${name}` };
    const known = requireDriver(entry, place.path);
    const driver = await openDriver(known, entry, place);
    const http = eidHttp({ ...transportOf(entry.transport, place), ...defined({ proxy }) });
    closers.push(() => http.close());
    const { now, random } = io;
    const send = config.offline ? offline : http;
    const environment = { now, random, http: send, trust: eidTrust(), findStatus };
    for (const method of used.get(name) ?? []) {
      requireChannel(driver, method, place.path);
      const opened = drivenIdentity(driver, {
        ...{ name, environment, vault, startError: startErrorOf(method) },
        ...defined({ minAssurance: entry.minAssurance, channel: channelOf(driver, method) }),
      });
      found.set(`${name} ${method}`, opened);
    }
  }
  const provider = (method: ServedMethod, name: string | undefined) => {
    if (name === undefined || name === 'simulator') return usual(method);
    return found.get(`${name} ${method}`) ?? disabledProvider(method);
  };
  return {
    choose: (method, { companyKey = '', flowKey = '' }) => {
      const own = file.flows[flowKey]?.[method] ?? file.companies[companyKey]?.[method];
      return provider(method, own ?? file.methods[method]);
    },
    named: (name) => [...found].find(([key]) => key.startsWith(`${name} `))?.[1],
    close: async () => void (await Promise.all(closers.map((close) => close()))),
  };
}

/** Methods of each provider, from all sections of the file. */
function usedBy({ methods, companies, flows }: EidFile): ReadonlyMap<string, Set<ServedMethod>> {
  const used = new Map<string, Set<ServedMethod>>();
  const note = (choice: MethodChoice) => {
    for (const [method, name] of Object.entries(choice)) {
      const own = used.get(name) ?? new Set<ServedMethod>();
      used.set(name, own.add(method as ServedMethod));
    }
  };
  for (const choice of [methods, ...Object.values(companies), ...Object.values(flows)])
    note(choice);
  return used;
}

// Anyone can pass a login of the simulator, so it authenticates no one.
function refuseSimulator(file: EidFile, production: boolean): void {
  if (!production || !usedBy(file).has('simulator')) return;
  const message = `${file.name}: production does not allow a method of the simulator`;
  throw new InnsigliError('config.invalid', message, {
    hint: 'name a provider for the method, or none',
  });
}

function requireDriver({ driver }: ProviderEntry, path: string): EidDriverEntry {
  const found = eidDrivers[driver];
  if (found !== undefined && Object.hasOwn(eidDrivers, driver)) return found;
  const names = Object.keys(eidDrivers);
  const message = `${path}.driver: expected ${names.join(', ')}, found ${JSON.stringify(driver)}`;
  throw new InnsigliError('config.invalid', message, defined({ hint: meantHint(driver, names) }));
}

async function openDriver(
  known: EidDriverEntry,
  entry: ProviderEntry,
  place: OptionPlace,
): Promise<EidDriver> {
  const options = checkedOptions(known, entry, place);
  try {
    return await known.open(options);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') {
      const missing = `${place.path}: the driver ${entry.driver} needs openid-client and jose`;
      const hint = 'install them: npm install openid-client jose';
      throw new InnsigliError('config.invalid', missing, { cause, hint });
    }
    const reason = cause instanceof EidError ? cause.message : 'a member is malformed';
    throw new InnsigliError('config.invalid', `${place.path}: ${reason}`, { cause });
  }
}

function checkedOptions(
  { members, required }: EidDriverEntry,
  { options }: ProviderEntry,
  place: OptionPlace,
): object {
  const read = driverOptions(members, options, place);
  const missing = required.find((name) => read[name] === undefined);
  if (missing === undefined) return read;
  const written = members[missing] === 'secret' ? `${missing}File` : missing;
  throw new InnsigliError('config.invalid', `${place.path}: expected the member ${written}`);
}

function transportOf(
  { caFile, certificateFile, keyFile, pfxFile, passphraseFile }: TransportEntry,
  { folder, path }: OptionPlace,
): EidHttpOptions {
  const text = (file: string) => readConfigured(path, () => readTextNow(pathIn(folder, file)));
  const isPem = certificateFile !== undefined && keyFile !== undefined;
  const isHalf = (certificateFile === undefined) !== (keyFile === undefined);
  const isLoose = passphraseFile !== undefined && !isPem && pfxFile === undefined;
  if (isHalf || isLoose || (isPem && pfxFile !== undefined)) {
    const message = `${path}.transport: expected certificateFile with keyFile, or pfxFile alone`;
    throw new InnsigliError('config.invalid', message);
  }
  const passphrase =
    passphraseFile === undefined ? undefined : readSecret(path, passphraseFile, folder);
  const secret = defined({ passphrase });
  const ca = defined({ ca: caFile === undefined ? undefined : text(caFile) });
  if (pfxFile !== undefined) {
    const pfx = readConfigured(path, () => readNamedNow(pathIn(folder, pfxFile)));
    return { ...ca, clientCertificate: { pfx, passphrase: passphrase ?? '' } };
  }
  if (certificateFile === undefined || keyFile === undefined) return ca;
  return {
    ...ca,
    clientCertificate: { certificate: text(certificateFile), key: text(keyFile), ...secret },
  };
}

function readConfigured<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    const message = `${path}.transport: a file cannot be read: ${osReason(cause)}`;
    throw new InnsigliError('config.invalid', message, { cause });
  }
}

/** Queries addresses in certificates: untrusted, so restricted in the same way as for documents. */
async function statusFinder(
  config: ToolkitContext['config'],
): Promise<NonNullable<EidEnvironment['findStatus']>> {
  const { httpRevocationSource } = await import('../../adapters/revocation/index.ts');
  const source = httpRevocationSource(fetchOptions(config));
  return async (certificate, issuer) => {
    try {
      return await source.find(parseCertificate(certificate), parseCertificate(issuer));
    } catch (error) {
      if (!isInnsigliError(error)) throw error;
      const message = `the status of a certificate: ${error.message}`;
      throw new EidError('providerUnavailable', message);
    }
  };
}

function requireChannel(driver: EidDriver, method: ServedMethod, path: string): void {
  if (channelOf(driver, method) !== undefined) return;
  const message = `${path}: ${driver.name} does not serve ${method}`;
  throw new InnsigliError('config.invalid', message, {
    hint: `it serves ${driver.channels.join(', ')}`,
  });
}

/** The channel to the person: the usual one of the method, or else a page of the provider. */
function channelOf({ channels: own }: EidDriver, method: ServedMethod) {
  if (method === 'Sim' || method === 'App') {
    if (own.includes(method)) return method;
  } else if (own.includes(channels[method])) return channels[method];
  return own.includes('Redirect') ? 'Redirect' : undefined;
}

/** A method that is disabled never falls back to a simulator. */
function disabledProvider(method: ServedMethod): IdentityProvider {
  const scheme = method === 'Sim' || method === 'App' ? undefined : method;
  return noProvider(scheme, startErrorOf(method), 'the method is served by none');
}

function startErrorOf(method: ServedMethod) {
  return method === 'Sim' || method === 'App'
    ? 'authentication.error.idp.start'
    : 'eid.provider.error';
}

async function offline(): Promise<never> {
  throw new EidError('providerUnavailable', 'the network is not allowed (offline)');
}
