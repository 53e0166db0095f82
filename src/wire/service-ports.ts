import { type ActivityPorts, appendActivities } from '../app/activity/index.ts';
import type { AuthPorts } from '../app/auth/index.ts';
import type { FlowPorts } from '../app/flow/index.ts';
import type { MessagePorts } from '../app/message/index.ts';
import { applyCommand, type ServicePorts } from '../app/service/index.ts';
import type { WebhookPorts } from '../app/webhook/index.ts';
import { loadFonts } from './fonts.ts';
import { openMailer, openSms, requireSender } from './message-parties.ts';
import {
  openForeignIdentities,
  openIdentity,
  openRegister,
  openSealing,
  openServiceBlobs,
  openServiceStore,
  openServiceVault,
} from './service-parties.ts';
import { openArchive, type ToolkitContext } from './toolkit-context.ts';

/** Every port of the service, wired. */
export type WiredPorts = ServicePorts &
  AuthPorts &
  MessagePorts &
  WebhookPorts &
  FlowPorts & {
    /** Opened when the log is anchored or verified: the first use makes keys. */
    timestamps(): Promise<NonNullable<ActivityPorts['timestamps']>>;
  };

/**
 * Opens what the service stands on. Keys and authorities are opened when a use case needs them.
 *
 * @throws store.*, vault.invalid, config.invalid
 */
export async function openServicePorts(
  context: ToolkitContext,
): Promise<{ readonly ports: WiredPorts; close(): Promise<void> }> {
  const { config, io } = context;
  const { webhookNetworks, frontEnd } = config.service;
  const { openWebhookReceiver, webhookTransport } = await import('../adapters/delivery/index.ts');
  const vault = await openServiceVault(context);
  const store = await openServiceStore(context, vault);
  const mailer = await openMailer(context);
  const addresses = { allowNetworks: webhookNetworks, allowLoopback: !config.production };
  const transport = webhookTransport({ ...addresses, offline: config.offline });
  // What `listen` forwards to was named by the user of this machine.
  const open = { allowNetworks: ['0.0.0.0/0', '::/0'], allowLoopback: true };
  const forwarder = webhookTransport({ ...open, offline: config.offline });
  const ports: WiredPorts = {
    store,
    vault,
    blobs: await openServiceBlobs(context),
    fonts: loadFonts,
    identity: await openIdentity(context, vault),
    foreign: await openForeignIdentities(context, vault),
    register: await openRegister(context),
    mailer,
    sms: await openSms(context),
    transport,
    forwarder,
    addresses,
    openReceiver: openWebhookReceiver,
    now: io.now,
    random: io.random,
    frontEnd,
    mailFrom: requireSender(config),
    simulated: !config.production,
    timestamps: async () => (await openArchive(context)).ports,
    openSealing: (level) => openSealing(context, level),
    append: appendActivities,
    apply: (unit, key, command) =>
      applyCommand(unit, { now: io.now, random: io.random, frontEnd }, key, command),
  };
  return {
    ports,
    close: async () => {
      mailer.close();
      await Promise.all([transport.close(), forwarder.close()]);
      await store.close();
    },
  };
}
