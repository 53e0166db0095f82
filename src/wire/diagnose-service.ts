import { existsSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import { defaultFrontEnd } from './config-resolve.ts';
import type { Examination, Outcome } from './diagnose.types.ts';
import { databaseFile, vaultKeyFile } from './paths.ts';
import { openMailer, openServiceStore, openServiceVault, openSms } from './service-parties.ts';

/** Opens the database and says what it is; PostgreSQL is not asked when offline. */
export async function checkDatabase(examination: Examination): Promise<Outcome> {
  const { config } = examination;
  const { database } = config.service;
  if (!usesService(examination)) return undefined;
  if (database !== undefined && !existsSync(vaultKeyFile(config.dataDir))) {
    const message = `expected ${vaultKeyFile(config.dataDir)}, the key to what is encrypted`;
    return { status: 'warning', message, hint: 'copy it from the host that made the database' };
  }
  if (database !== undefined && config.offline) {
    return { status: 'ok', message: `${hostOf(database)}, not asked: offline` };
  }
  const store = await openServiceStore(examination, await openServiceVault(examination));
  try {
    const { engine, version, schemaVersion } = await store.health();
    return { status: 'ok', message: `${engine} ${version}, schema ${schemaVersion}` };
  } finally {
    await store.close();
  }
}

/** Looks at the settings of mail; nothing is sent, and the server is not asked. */
export async function checkMail(examination: Examination): Promise<Outcome> {
  if (!usesService(examination)) return undefined;
  const { config } = examination;
  const { server, from, passwordFile } = config.service.mail;
  // A setting that is wrong is told by what would use it; offline it would not look.
  (await openMailer({ config: { ...config, offline: false } })).close();
  if (server === undefined) {
    return fromOutbox(examination, 'mail', 'mail.server');
  }
  const unread = await unreadable(passwordFile);
  if (unread !== undefined) return { status: 'failed', message: unread };
  if (/@localhost$/i.test(from)) {
    const hint = 'name the sender with mail.from or INNSIGLI_MAIL_FROM';
    return { status: 'warning', message: `${server}, from ${from}: servers refuse that`, hint };
  }
  return { status: 'ok', message: `${server}, from ${from}` };
}

/** Looks at the settings of text messages; nothing is sent, and the gateway is not asked. */
export async function checkTextMessages(examination: Examination): Promise<Outcome> {
  if (!usesService(examination)) return undefined;
  const { config } = examination;
  const { gateway, tokenFile } = config.service.sms;
  await openSms({ config: { ...config, offline: false } });
  if (gateway === undefined) return fromOutbox(examination, 'sms', 'sms.gateway');
  const unread = await unreadable(tokenFile);
  if (unread !== undefined) return { status: 'failed', message: unread };
  return { status: 'ok', message: new URL(gateway).host };
}

/** Looks where the links of messages lead. */
export async function checkFrontEnd(examination: Examination): Promise<Outcome> {
  if (!usesService(examination)) return undefined;
  const { frontEnd } = examination.config.service;
  const hint = 'set frontEnd or INNSIGLI_FRONT_END to the address where people reach your pages';
  if (frontEnd === defaultFrontEnd) {
    const message = `${frontEnd}: links in mails lead to the machine of the reader`;
    return { status: 'warning', message, hint };
  }
  const isOpen = new URL(frontEnd).protocol !== 'https:';
  if (isOpen && examination.config.production) {
    return { status: 'warning', message: `${frontEnd}: expected https:`, hint };
  }
  return { status: 'ok', message: frontEnd };
}

/** Says who confirms identities. */
export async function checkIdentity(examination: Examination): Promise<Outcome> {
  if (!usesService(examination)) return undefined;
  if (!examination.config.production) {
    return { status: 'ok', message: 'simulator: test persons only, TEST ONLY' };
  }
  const message = 'no identity provider: nobody can sign as Qualified';
  return { status: 'warning', message, hint: 'production refuses the simulator' };
}

/** Who only seals and verifies is not asked for settings of the service. */
function usesService({ config }: Examination): boolean {
  return config.service.database !== undefined || existsSync(databaseFile(config.dataDir));
}

function fromOutbox({ config }: Examination, folder: string, setting: string): Outcome {
  const message = `files in ${join(config.dataDir, 'outbox', folder)}`;
  if (!config.production) return { status: 'ok', message };
  return { status: 'warning', message: `${message}: nobody gets them`, hint: `set ${setting}` };
}

async function unreadable(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  const isReadable = await access(file, constants.R_OK).then(
    () => true,
    () => false,
  );
  return isReadable ? undefined : `${file} cannot be read`;
}

function hostOf(database: string): string {
  return URL.canParse(database) ? new URL(database).host : 'database';
}
