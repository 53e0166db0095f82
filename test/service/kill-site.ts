import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import pg from 'pg';
import { memorySource } from '../../src/base/bytes.ts';
import type { SigningProcess } from '../../src/domain/process/index.ts';
import { resolveConfig } from '../../src/wire/config/resolve.ts';
import { openToolkit } from '../../src/wire/toolkit.ts';
import { startSmtpServer, type TestSmtpServer } from '../support/smtp-server.ts';
import { agreement, openTestService, type TestService } from './open-service.ts';

/** The final state of a process, without keys and times. */
export interface Traces {
  readonly state: string;
  /** Log statuses that do not depend on the number of attempts. */
  readonly log: readonly string[];
  readonly signatures: readonly string[];
  readonly attachments: readonly string[];
  readonly messages: readonly string[];
  readonly events: readonly string[];
  readonly received: readonly string[];
  readonly jobs: readonly string[];
}

/** A service with its complete environment, and access to all of it. */
export interface KillSite extends TestService {
  readonly env: Readonly<Record<string, string>>;
  /** Queries the database directly. */
  query(sql: string): Promise<readonly Record<string, unknown>[]>;
  /** Called at the next POST, before the response. */
  atNextPost(hook: () => void): void;
  /** URL of the webhooks. */
  readonly hookUrl: string;
  tracesOf(key: string): Promise<Traces>;
  /** IDs of messages stored as files. */
  outbox(): readonly string[];
  /** Posts, mails and files so far. @throws when a repeat differs, or one is missing */
  tally(): Promise<{
    readonly posts: number;
    readonly events: number;
    readonly mails: number;
    readonly messages: number;
  }>;
}

interface Post {
  readonly id: string;
  readonly body: string;
}

/** Rows that record attempts. */
const attemptRows = /^(SigningStarted|SigningFailed|SMS:.*)$/;

/** Opens a service on the engine; with a database server, mail goes to a real SMTP server. */
export async function openKillSite(database: string | undefined): Promise<KillSite> {
  const smtp = database === undefined ? undefined : await startSmtpServer();
  const receiver = await openReceiver();
  const settings: Record<string, string> = {
    ...(database === undefined ? {} : { INNSIGLI_DATABASE: database }),
    ...(smtp === undefined
      ? {}
      : { INNSIGLI_MAIL_SERVER: `smtp://127.0.0.1:${smtp.port}?tls=none` }),
  };
  const it = await openTestService(settings);
  const env = { HOME: it.folder, INNSIGLI_HOME: join(it.folder, 'data'), ...settings };
  const { config } = resolveConfig({ flags: {}, env, cwd: it.folder });
  const random = (count: number) => new Uint8Array(count);
  const clocks = { now: it.nowMs, leaseNow: it.nowMs };
  const kit = openToolkit(config, { ...clocks, random, warn: () => undefined });
  const verify = async (pdf: Uint8Array) => kit.verify(memorySource(pdf));
  const query = asker(database, join(env.INNSIGLI_HOME, 'innsigli.db'));
  const { toolkit } = it;

  const signaturesOf = async ({ key, document }: SigningProcess) => {
    if (document === undefined) return ['none'];
    const pdf = await toolkit.processes.document(key);
    const begins = Buffer.compare(pdf.subarray(0, agreement.length), agreement) === 0;
    const { signatures, indication } = await verify(pdf);
    const kinds = signatures.map(({ kind, intact }) => `${kind} ${intact}`);
    return [`begins with the input: ${begins}`, indication, ...kinds];
  };
  const attachmentsOf = async ({ key, attachments }: SigningProcess) => {
    const found: string[] = [];
    for (const { key: own, type, contentType } of attachments) {
      const content = await toolkit.processes.attachment(key, own);
      const isPdf = contentType === 'application/pdf';
      const verdict = isPdf
        ? (await verify(content)).indication
        : JSON.parse(Buffer.from(content).toString('utf8')).format;
      found.push(`${type} ${verdict}`);
    }
    return found.sort();
  };
  const jobsOf = (rows: readonly Record<string, unknown>[]) => rows.map(({ kind }) => `${kind}`);

  return {
    ...it,
    env,
    query,
    atNextPost: receiver.atNext,
    hookUrl: receiver.url,
    async tracesOf(key) {
      const process = await toolkit.processes.show({ key });
      const [log] = await toolkit.activity.list({
        fromMs: 0,
        toMs: it.nowMs() + 86_400_000,
        take: 1,
        skip: 0,
        processKey: process.key,
      });
      const rows = log?.activityLog.map(({ status }) => status) ?? [];
      const deliveries = await toolkit.webhooks.deliveries({ processKey: process.key, take: 1000 });
      const messages = await query(`SELECT state, data FROM message WHERE process_key = '${key}'`);
      const told = messages.map(({ state, data }) => {
        const { template, channel } = JSON.parse(`${data}`);
        return `${template} ${channel} ${state}`;
      });
      const ids = new Map(deliveries.map(({ eventId, eventType }) => [eventId, eventType]));
      const got = new Set(receiver.posts.map(({ id }) => id).filter((id) => ids.has(id)));
      return {
        state: `${process.status} ${process.phase}`,
        log: rows.filter((status) => !attemptRows.test(status)).sort(),
        signatures: await signaturesOf(process),
        attachments: await attachmentsOf(process),
        messages: told.filter((text) => !text.startsWith('OneTimeCode')).sort(),
        events: deliveries.map(({ eventType, state }) => `${eventType} ${state}`).sort(),
        received: [...got].map((id) => `${ids.get(id)}`).sort(),
        jobs: [
          ...jobsOf(await query(`SELECT kind FROM job WHERE ref = '${key}' ORDER BY kind`)),
          ...jobsOf(await query("SELECT kind FROM job WHERE kind IN ('message', 'webhook')")),
        ],
      };
    },
    outbox: () =>
      (['mail', 'sms'] as const).flatMap((kind) =>
        filesOf(env.INNSIGLI_HOME, kind).map(([id]) => id),
      ),
    async tally() {
      const bodies = sameForEach(receiver.posts.map(({ id, body }) => [id, body]));
      const rows = await query('SELECT id, state, data FROM message');
      const sent = rows.flatMap(({ id, state, data }) => {
        const { channel } = JSON.parse(`${data}`);
        return state === 'sent' ? [{ id: `${id}`, channel: `${channel}` }] : [];
      });
      const mails = smtp === undefined ? filesOf(env.INNSIGLI_HOME, 'mail') : mailsOf(smtp);
      const texts = filesOf(env.INNSIGLI_HOME, 'sms');
      const idsOf = (wanted: string) =>
        sent.flatMap(({ id, channel }) => (channel === wanted ? [id] : [])).sort();
      requireSame([...sameForEach(mails).keys()].sort(), idsOf('Email'));
      requireSame([...sameForEach(texts).keys()].sort(), idsOf('Sms'));
      return {
        posts: receiver.posts.length,
        events: bodies.size,
        mails: mails.length + texts.length,
        messages: sent.length,
      };
    },
    async close() {
      kit.close();
      await query('');
      await it.close();
      await receiver.close();
      await smtp?.close();
    },
  };
}

async function openReceiver() {
  const posts: Post[] = [];
  let hook: (() => void) | undefined;
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('error', () => undefined);
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      posts.push({
        id: `${request.headers['webhook-id']}`,
        body: Buffer.concat(parts).toString('utf8'),
      });
      hook?.();
      hook = undefined;
      response.writeHead(200).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    posts,
    atNext: (next: () => void) => {
      hook = next;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Rows of a statement; an empty statement closes the connection. */
function asker(database: string | undefined, file: string) {
  if (database === undefined) {
    const db = new Sqlite(file, { readonly: true });
    return async (sql: string) => {
      if (sql === '') {
        db.close();
        return [];
      }
      return db.prepare(sql).all() as Record<string, unknown>[];
    };
  }
  const client = new pg.Client({ connectionString: database });
  const connected = client.connect();
  return async (sql: string) => {
    await connected;
    if (sql === '') {
      await client.end();
      return [];
    }
    return (await client.query(sql)).rows as Record<string, unknown>[];
  };
}

function filesOf(home: string, kind: 'mail' | 'sms'): [id: string, content: string][] {
  const folder = join(home, 'outbox', kind);
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => !name.endsWith('.tmp'));
  return names.map((name) => [
    name.replace(/\.(eml|sms\.txt)$/, ''),
    readFileSync(join(folder, name), 'utf8'),
  ]);
}

function mailsOf({ mails }: TestSmtpServer): [id: string, content: string][] {
  return mails.map(({ raw }) => [/^Message-ID: <([^@>]+)@/im.exec(raw)?.[1] ?? '', raw]);
}

/** The contents by ID. @throws when one ID has two contents */
function sameForEach(pairs: readonly (readonly [string, string])[]): ReadonlyMap<string, string> {
  const known = new Map<string, string>();
  for (const [id, content] of pairs) {
    const before = known.get(id) ?? content;
    if (before !== content) throw new Error(`${id} came with two contents`);
    known.set(id, content);
  }
  return known;
}

function requireSame(found: readonly string[], expected: readonly string[]): void {
  if (found.join() === expected.join()) return;
  throw new Error(`found ${found.length} messages, expected ${expected.length}`);
}
