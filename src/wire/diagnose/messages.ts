import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import type { SmtpOptions } from '../../adapters/mail/index.ts';
import { onCode } from '../../base/errors.ts';
import type { HeldMessages } from '../../domain/message/index.ts';
import { closedChannels, openSms, requireSender, smtpOptions } from '../service/message-parties.ts';
import type { Examination, Outcome } from './diagnose.types.ts';
import { usesService } from './service.ts';
import { outcomeOf, reasons, skipped } from './skipped.ts';

/** Timeout of each step with the mail server. The whole check takes at most four times as long. */
const MAIL_TIMEOUT_MS = 5000;

/**
 * Tests everything needed to send mail, up to the login; no mail is sent. Offline, and in checks
 * that are repeated, only the settings are examined.
 */
export async function checkMail(examination: Examination): Promise<Outcome> {
  if (!usesService(examination)) return skipped(reasons.noService);
  const { config, triesMail } = examination;
  const { server, from, user, passwordFile } = config.service.mail;
  const options = smtpOptions(config);
  requireSender(config);
  if (closedChannels(config).includes('Email')) return { status: 'ok', message: 'none: no mail' };
  if (server === undefined || options === undefined) {
    return fromOutbox(examination, 'mail', 'mail.server');
  }
  const unread = await unreadable(passwordFile);
  if (unread !== undefined) return { status: 'failed', message: unread };
  const failure = triesMail && !config.offline ? await tryMail(server, options) : undefined;
  if (failure !== undefined) return failure;
  if (/@localhost>?$/i.test(from)) {
    const hint = 'name the sender with mail.from or INNSIGLI_MAIL_FROM';
    return { status: 'warning', message: `${server}, from ${from}: servers reject that`, hint };
  }
  if (config.offline) {
    return { status: 'ok', message: `${server}, from ${from}; not tried: offline` };
  }
  if (!triesMail) return { status: 'ok', message: `${server}, from ${from}` };
  const login = user === undefined ? 'without a login' : `with the login of ${user}`;
  return { status: 'ok', message: `${server} answers ${login}, from ${from}` };
}

async function tryMail(server: string, options: SmtpOptions): Promise<Outcome | undefined> {
  const { checkSmtp } = await import('../../adapters/mail/index.ts');
  const failure = onCode(/./, (error): Outcome => {
    const failed = outcomeOf(error, 'failed', `${server}: `);
    // Incorrect settings persist, but an unreachable server may come back.
    return error.code === 'mail.configuration' ? failed : { ...failed, passing: true };
  });
  return checkSmtp({ ...options, timeoutMs: MAIL_TIMEOUT_MS }).then(() => undefined, failure);
}

/** Checks the settings of text messages. Nothing is sent, and the gateway is not contacted. */
export async function checkTextMessages(examination: Examination): Promise<Outcome> {
  if (!usesService(examination)) return skipped(reasons.noService);
  const { config } = examination;
  const { gateway, tokenFile } = config.service.sms;
  await openSms({ config });
  if (closedChannels(config).includes('Sms')) {
    return { status: 'ok', message: 'none: no text messages' };
  }
  if (gateway === undefined) return fromOutbox(examination, 'sms', 'sms.gateway');
  const unread = await unreadable(tokenFile);
  if (unread !== undefined) return { status: 'failed', message: unread };
  return { status: 'ok', message: `${new URL(gateway).host}, not checked` };
}

/** Lists the messages that are held until a setting or server is fixed. */
export function outcomeOfHeld(held: readonly HeldMessages[]): Outcome {
  if (held.length === 0) return { status: 'ok', message: 'none pending' };
  const since = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  const parts = held.map(({ code, count, sinceMs }) => `${count} ${code} since ${since(sinceMs)}`);
  return {
    status: 'warning',
    message: `messages pending: ${parts.join(', ')}`,
    hint: 'see the reasons with innsigli message list, then run innsigli message retry --waiting',
  };
}

function fromOutbox({ config }: Examination, folder: string, setting: string): Outcome {
  const message = `files in ${join(config.dataDir, 'outbox', folder)}`;
  if (!config.production) return { status: 'ok', message };
  const hint = `set ${setting}, or set it to none to send none`;
  return {
    status: 'failed',
    message: `expected ${setting}, found ${message}: they are not delivered`,
    hint,
  };
}

async function unreadable(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  const isReadable = await access(file, constants.R_OK).then(
    () => true,
    () => false,
  );
  return isReadable ? undefined : `${file} cannot be read`;
}
