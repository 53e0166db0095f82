import { type ActivityPorts, appendActivities, trustedTime } from '../../app/activity/index.ts';
import type { AuthPorts } from '../../app/auth/index.ts';
import { markedStore } from '../../app/company/index.ts';
import type { FlowPorts } from '../../app/flow/index.ts';
import type { MessagePorts } from '../../app/message/index.ts';
import type { Store, WebhookTransport } from '../../app/ports/index.ts';
import type { ScreeningPorts } from '../../app/screening/index.ts';
import { applyCommand, type ServicePorts } from '../../app/service/index.ts';
import type { StoragePorts } from '../../app/storage/index.ts';
import { claimedContents, ownContents } from '../../app/storage/index.ts';
import type { WebhookPorts } from '../../app/webhook/index.ts';
import { defined } from '../../base/defined.ts';
import { limits } from '../../base/limits.ts';
import { isUrl } from '../../base/network/is-url.ts';
import { isLoopbackHost } from '../../base/network/loopback.ts';
import { closeDataDir } from '../files/private-data.ts';
import { loadFonts } from '../fonts.ts';
import { openArchive, type ToolkitContext } from '../parties/opened-parties.ts';
import { type ClockWatch, clockMoments, watchDays } from './clock-watch.ts';
import { type CompanyWork, localWork } from './company-work.ts';
import { requireHostTrust } from './host-trust.ts';
import { closedChannels, openMailer, openSms, requireSender } from './message-parties.ts';
import { enterService, hostOf, openBoundStorage } from './open-storage.ts';
import { openIdentities, openRegister, openSealing } from './parties.ts';

/** All ports of the service, connected. */
export type WiredPorts = ServicePorts &
  AuthPorts &
  MessagePorts &
  WebhookPorts &
  FlowPorts &
  ScreeningPorts &
  StoragePorts & {
    readonly work: CompanyWork;
    /** Must be called when a server or worker starts. @throws trust.mismatch */
    enter(seals?: boolean): Promise<void>;
    /** Clock watch of a long-running program. If undefined, the clock is trusted. */
    readonly clockWatch?: Pick<ClockWatch, 'mayWork' | 'requireTrusted'>;
    /** Opened when the log is anchored or verified, because the first use creates keys. */
    timestamps(): Promise<NonNullable<ActivityPorts['timestamps']>>;
  };

/**
 * Opens the ports of the service. Keys and authorities are opened when a use case needs them.
 *
 * @throws store.*, vault.invalid, config.invalid
 */
export async function openServicePorts(
  context: ToolkitContext,
  mayMake = true,
): Promise<{
  readonly ports: WiredPorts;
  /** The store whose transactions are never part of an idempotent request. */
  readonly plainStore: WiredPorts['store'];
  close(): Promise<void>;
}> {
  const { config, io } = context;
  const { frontEnd } = config.service;
  const { openWebhookReceiver } = await import('../../adapters/delivery/index.ts');
  closeDataDir(context);
  const { ports: storage, vault } = await openBoundStorage(context, mayMake);
  const { store: plainStore } = storage;
  const store = markedStore(plainStore);
  const mailer = await openMailer(context);
  const { addresses, transport, forwarder } = await openTransports(config);
  const compareTrust = trustComparison(context, store);
  const watch = openClockWatch(context, plainStore);
  // Outside production the clock may be set deliberately, to test time-dependent behaviour.
  if (config.service.goesByNotedTime ?? config.production) await watch?.clockWatch.resume();
  const identities = await openIdentities(context, vault);
  const { identity, foreign, providers } = identities;
  const ports: WiredPorts = {
    ...storage,
    blobs: claimedContents({ ...storage, blobs: ownContents(storage) }),
    store,
    vault,
    fonts: loadFonts,
    work: localWork(),
    ...{ identity, foreign, ...defined({ providers }) },
    register: await openRegister(context, vault),
    mailer,
    sms: await openSms(context),
    transport,
    forwarder,
    addresses,
    mayUseFictionalList: !config.production,
    listsMaxAgeDays: config.service.screening.maxAgeDays,
    screeningsPerMinute: config.service.screening.perMinute,
    ...listDownloads(config),
    openReceiver: openWebhookReceiver,
    openReturnReceiver: async (options) =>
      (await import('../../adapters/eid/index.ts')).openReturnReceiver(options),
    frontEnd,
    checksFiles: config.service.pages.verify,
    mailFrom: requireSender(config),
    closedChannels: closedChannels(config),
    simulated: !config.production,
    ...defined({ loginBounds: config.service.logins, codeBounds: config.service.codes }),
    timestamps: async () => (await openArchive(context)).ports,
    ...defined({ clockWatch: watch?.clockWatch }),
    enter: (seals) => enterService(context, storage, seals),
    openSealing: (level) => openSealing(context, level, compareTrust),
    append: appendActivities,
    apply: (unit, key, command) =>
      applyCommand(unit, { now: io.now, random: io.random, frontEnd }, key, command),
  };
  return {
    ports,
    plainStore,
    close: async () => {
      watch?.stop();
      mailer.close();
      await Promise.all([transport.close(), forwarder.close(), identities.close()]);
      await store.close();
    },
  };
}

/** Sources of screening lists, and the HTTP clients to download them. */
function listDownloads({
  service,
  offline,
  allowPrivateAddresses,
  proxy,
}: ToolkitContext['config']) {
  const listSources = service.screening.sources.map((source) => {
    const at = source.indexOf('=');
    return { list: source.slice(0, at), url: source.slice(at + 1) };
  });
  const fetchList = async (url: string) => {
    const { fetchBytes } = await import('../../adapters/revocation/index.ts');
    const { listFileBytes: responseBytes, listFileMs: timeoutMs } = limits;
    const isOwn = isLoopbackHost(new URL(url).hostname);
    return fetchBytes(url, {
      ...{ timeoutMs, allowPrivateAddresses: allowPrivateAddresses || isOwn, offline },
      // A redirect from this machine could also reach adjacent hosts.
      fetchLimits: { responseBytes, ...(isOwn ? { redirects: 0 } : {}) },
      ...defined({ proxy }),
    });
  };
  return { listSources, fetchList };
}

async function openTransports(config: ToolkitContext['config']) {
  const { webhookTransport } = await import('../../adapters/delivery/index.ts');
  const { offline } = config;
  const allowLoopback = !config.production;
  const addresses = { allowNetworks: config.service.webhookNetworks, allowLoopback };
  const proxy = defined({ proxy: config.proxy });
  const transport = webhookTransport({ ...addresses, ...proxy, offline });
  // The user of this machine configured the target of `listen`.
  const open = { allowNetworks: ['0.0.0.0/0', '::/0'], allowLoopback: true };
  const local = webhookTransport({ ...open, offline });
  const remote = webhookTransport({ ...open, ...proxy, offline });
  const forwarder: WebhookTransport = {
    // A proxy cannot reach addresses of this machine.
    post: (request) => (isHere(request.url) ? local : remote).post(request),
    close: async () => void (await Promise.all([local.close(), remote.close()])),
  };
  return { addresses, transport, forwarder };
}

/** Milliseconds between checks whether another program or an operator accepted the clock. */
const FOLLOW_CLOCK_MS = 5000;

function openClockWatch(context: ToolkitContext, store: Store) {
  const { config, io } = context;
  if (io.clock === undefined) return undefined;
  // The embedded authority uses the clock of this machine.
  const hasOthers = config.tsa.length > 0 && !config.offline;
  const ask = async () =>
    trustedTime({ random: io.random, timestamps: (await openArchive(context)).ports });
  const clockWatch = watchDays({
    clock: io.clock,
    warn: io.warn,
    sharedTime: async () => (await store.health()).nowMs,
    moments: clockMoments({ store }, hostOf(context)),
    ticksMs: () => performance.now(),
    ...(hasOthers ? { trustedTime: ask } : {}),
  });
  // An unavailable database is queried again at the next interval.
  const follow = () => void clockWatch.follow().catch(() => undefined);
  const timer = setInterval(follow, FOLLOW_CLOCK_MS).unref();
  return { clockWatch, stop: () => clearInterval(timer) };
}

function isHere(url: string): boolean {
  return isUrl(url) && isLoopbackHost(new URL(url).hostname);
}

// The comparison is made once, because a program opens its key once.
function trustComparison(context: ToolkitContext, store: Store) {
  const same = new Set<string>();
  return async (seal: Uint8Array | true) => {
    const name = seal === true ? '' : Buffer.from(seal).toString('base64');
    if (same.has(name)) return;
    await requireHostTrust(context, store, seal);
    same.add(name);
  };
}
