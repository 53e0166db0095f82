import { join } from 'node:path';
import type { SmtpOptions } from '../../adapters/mail/index.ts';
import type { Channel, Mailer, SmsSender } from '../../app/ports/index.ts';
import { defined } from '../../base/defined.ts';
import { InnsigliError } from '../../base/errors.ts';
import { type Mailbox, parseMailbox } from '../../base/mailbox.ts';
import { isLoopbackHost } from '../../base/network/loopback.ts';
import type { ResolvedConfig } from '../config/config.ts';

type Configured = { readonly config: ResolvedConfig };

/**
 * Opens the configured mail server, or the outbox, which stores mail as files.
 *
 * @throws config.invalid
 */
export async function openMailer({ config }: Configured): Promise<Mailer> {
  if (closedChannels(config).includes('Email')) return { send: refuseNone, close: () => undefined };
  const { outboxMailer, smtpMailer } = await import('../../adapters/mail/index.ts');
  const options = smtpOptions(config);
  if (options === undefined)
    return outboxMailer({ folder: join(config.dataDir, 'outbox', 'mail') });
  if (!config.offline) return smtpMailer(options);
  return { send: async () => refuseOffline('the mail server'), close: () => undefined };
}

/**
 * Opens the configured gateway for text messages, or the outbox, which stores them as files.
 *
 * @throws config.invalid
 */
export async function openSms({ config }: Configured): Promise<SmsSender> {
  if (closedChannels(config).includes('Sms')) return { send: refuseNone };
  const { gatewaySms, outboxSms } = await import('../../adapters/sms/index.ts');
  const { gateway, tokenFile } = config.service.sms;
  if (gateway === undefined) return outboxSms({ folder: join(config.dataDir, 'outbox', 'sms') });
  const sender = gatewaySms({
    url: gateway,
    ...defined({ tokenFile, proxy: config.proxy }),
  });
  if (!config.offline) return sender;
  return { send: async () => refuseOffline('the gateway for text messages') };
}

/** Channels that the operator has disabled. */
export function closedChannels({ service }: Pick<ResolvedConfig, 'service'>): readonly Channel[] {
  const { mail, sms } = service;
  const isNone = (value: string | undefined) => value?.toLowerCase() === 'none';
  return [
    ...(isNone(mail.server) ? (['Email'] as const) : []),
    ...(isNone(sms.gateway) ? (['Sms'] as const) : []),
  ];
}

/** The sender of mails. @throws config.invalid */
export function requireSender({ service }: Pick<ResolvedConfig, 'service'>): Mailbox {
  const sender = parseMailbox(service.mail.from);
  if (sender !== undefined) return sender;
  const message = 'mail.from: expected one mail address, or Name <address>';
  throw new InnsigliError('config.invalid', message, {
    hint: 'quote a name with a comma or other punctuation: "Acme, Inc." <sign@acme.example>',
  });
}

/**
 * Connection options of the configured mail server. Undefined without a server, or with `none`.
 *
 * @throws config.invalid
 */
export function smtpOptions({
  service,
  proxy,
}: Pick<ResolvedConfig, 'service' | 'proxy'>): SmtpOptions | undefined {
  const { server, user, passwordFile } = service.mail;
  if (server === undefined || server.toLowerCase() === 'none') return undefined;
  const url = parseMailServer(server);
  const isImplicit = url.protocol === 'smtps:';
  const plain = url.searchParams.get('tls') === 'none';
  if (plain && !isLoopbackHost(url.hostname)) {
    throw new InnsigliError('config.invalid', 'mail.server: expected TLS for another machine', {
      hint: 'use ?tls=none only for a mail server on this machine',
    });
  }
  const isHere = isLoopbackHost(url.hostname);
  if (proxy !== undefined && !isHere && url.searchParams.get('proxy') !== 'none') {
    const message = 'mail.server: mail does not go through an HTTP proxy';
    const hint =
      'use a mail server on this machine, or state that it is reached without the proxy: ' +
      `${url.protocol}//${url.host}?proxy=none`;
    throw new InnsigliError('config.invalid', message, { hint });
  }
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || (isImplicit ? 465 : 587)),
    tls: isImplicit ? 'implicit' : plain ? 'none' : 'starttls',
    ...defined({ user, passwordFile }),
  };
}

function parseMailServer(server: string): URL {
  try {
    const url = new URL(server);
    const isKnown = url.protocol === 'smtp:' || url.protocol === 'smtps:';
    const parameters = [...url.searchParams].map((pair) => pair.join('='));
    const known = url.protocol === 'smtp:' ? ['tls=none', 'proxy=none'] : ['proxy=none'];
    const isPlain =
      parameters.every((parameter) => known.includes(parameter)) &&
      new Set(parameters).size === parameters.length;
    const isBare = url.username === '' && url.password === '' && /^\/?$/.test(url.pathname);
    if (isKnown && isPlain && isBare && url.hostname !== '') return url;
  } catch {
    // Reported below, with the expected form.
  }
  const message = 'mail.server: expected smtp://host:port or smtps://host';
  const hint =
    'such as smtp://mail.example.com; set user and password in mail.user and mail.passwordFile';
  throw new InnsigliError('config.invalid', message, { hint });
}

/** Never reached in practice: messages of a disabled channel are cancelled earlier. */
async function refuseNone(): Promise<never> {
  const message = 'no message is sent by this channel: the setting is none';
  throw new InnsigliError('message.channel.none', message);
}

function refuseOffline(what: string): never {
  throw new InnsigliError('network.offline', `${what} cannot be reached: offline`);
}
