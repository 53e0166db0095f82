/**
 * Kill points: around each transaction and row of the database, each step of writing a durable
 * file, and each mail and POST. They are counted in this process, below the product code; at the
 * chosen one it kills itself with SIGKILL.
 */
import fs from 'node:fs';
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import type Sqlite from 'better-sqlite3';
import type Pg from 'pg';

/** Counts the kill points of a task. */
export interface KillPoints {
  /** Starts counting; the program dies at kill point number `killAt` (from 1). */
  arm(killAt: number | undefined): void;
  /** Names of the kill points since then. */
  passed(): readonly string[];
}

// biome-ignore lint/suspicious/noExplicitAny: methods of many kinds are wrapped alike
type Method = (this: any, ...args: any[]) => any;

/** Hooks the counter into files below `folder`, both databases, mail and webhooks. */
export async function openKillPoints(folder: string): Promise<KillPoints> {
  let passed: string[] = [];
  let killAt: number | undefined;
  let isArmed = false;
  const isNext = () => isArmed && passed.length + 1 === killAt;
  const die = () => {
    process.kill(process.pid, 'SIGKILL');
    // The signal arrives before the next statement; nothing after this line may run.
    for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  };
  const point = (name: string): void => {
    if (!isArmed) return;
    if (isNext()) die();
    passed.push(name);
  };
  await watchFiles(folder, point, isNext, die);
  watchSqlite((await import('better-sqlite3')).default, point);
  watchPostgres((await import('pg')).default, point);
  const { default: Agent } = await import('undici/lib/dispatcher/agent.js');
  watchDispatch(Agent.prototype as unknown as Record<string, unknown>, point);
  const { createTransport } = await import('nodemailer');
  const mailer = Object.getPrototypeOf(createTransport({ jsonTransport: true }));
  watchCall(mailer as Record<string, unknown>, 'sendMail', 'mail', point);
  return {
    arm(at) {
      passed = [];
      killAt = at;
      isArmed = true;
    },
    passed: () => passed,
  };
}

async function watchFiles(
  folder: string,
  point: (name: string) => void,
  isNext: () => boolean,
  die: () => void,
): Promise<void> {
  const isWritten = (path: unknown, flags?: unknown) =>
    String(path).startsWith(folder) && flags !== 'r' && flags !== undefined;
  const halfOf = (content: Uint8Array) => content.subarray(0, content.length >> 1);
  const { open, rename } = files;
  const ours = new WeakSet<object>();
  const probe = await open(process.execPath, 'r');
  const handles = Object.getPrototypeOf(probe) as Record<string, Method>;
  await probe.close();
  const { writeFile } = handles;
  Object.assign(files, {
    open: async (path: string, flags?: string, mode?: number) => {
      const handle = await open(path, flags, mode);
      if (isWritten(path, flags)) ours.add(handle);
      return handle;
    },
    rename: async (from: string, to: string) => {
      point('file before rename');
      await rename(from, to);
      point('file renamed');
    },
  });
  handles['writeFile'] = async function (this: object, content: Uint8Array, ...rest) {
    if (ours.has(this) && isNext()) {
      await writeFile?.call(this, halfOf(content));
      die();
    }
    if (ours.has(this)) point('file half written');
    return writeFile?.call(this, content, ...rest);
  };
  watchSyncFiles(isWritten, halfOf, point, isNext, die);
  syncBuiltinESMExports();
}

function watchSyncFiles(
  isWritten: (path: unknown, flags?: unknown) => boolean,
  halfOf: (content: Uint8Array) => Uint8Array,
  point: (name: string) => void,
  isNext: () => boolean,
  die: () => void,
): void {
  const { openSync, writeFileSync, renameSync } = fs;
  const ours = new Set<unknown>();
  Object.assign(fs, {
    openSync: (path: string, flags: string | number, mode?: number) => {
      const file = openSync(path, flags, mode);
      const isNew = typeof flags === 'number' ? flags & fs.constants.O_CREAT : flags[0] === 'w';
      if (isWritten(path, flags) && isNew) ours.add(file);
      else ours.delete(file);
      return file;
    },
    writeFileSync: (file: number, content: Uint8Array) => {
      if (ours.has(file) && isNext()) {
        writeFileSync(file, halfOf(content));
        die();
      }
      if (ours.has(file)) point('file half written');
      writeFileSync(file, content);
    },
    renameSync: (from: string, to: string) => {
      point('file before rename');
      renameSync(from, to);
      point('file renamed');
    },
  });
}

function watchSqlite(Database: typeof Sqlite, point: (name: string) => void): void {
  const db = new Database(':memory:');
  const statements = Object.getPrototypeOf(db.prepare('SELECT 1')) as Record<string, Method>;
  db.close();
  const methods = Database.prototype as unknown as Record<string, Method>;
  const { exec } = methods;
  const { run } = statements;
  methods['exec'] = function (this: unknown, ...args) {
    const text = String(args[0]);
    if (text === 'COMMIT') point('before commit');
    const result = exec?.apply(this, args);
    if (text === 'COMMIT') point('committed');
    return result;
  };
  statements['run'] = function (this: { readonly source: string }, ...args) {
    const { source } = this;
    if (source === 'COMMIT') point('before commit');
    const result = run?.apply(this, args);
    if (source === 'COMMIT') point('committed');
    else if (!/^(BEGIN|RELEASE|ROLLBACK|SAVEPOINT)/.test(source)) point('row');
    return result;
  };
}

function watchPostgres({ Client }: typeof Pg, point: (name: string) => void): void {
  const methods = Client.prototype as unknown as Record<string, Method>;
  const { query } = methods;
  const reading = new WeakSet<object>();
  methods['query'] = async function (this: object, ...args) {
    const [first] = args as [string | { readonly text?: string }];
    const text = (typeof first === 'string' ? first : (first.text ?? '')).toLowerCase();
    if (/^(begin|start transaction)/.test(text)) {
      if (text.includes('read only')) reading.add(this);
      else reading.delete(this);
    }
    const isWrite = !reading.has(this);
    const isCommit = text === 'commit';
    if (isWrite && isCommit) point('before commit');
    const result = await query?.apply(this, args);
    if (isWrite && isCommit) point('committed');
    else if (isWrite && /^(insert|update|delete|with)/.test(text)) point('row');
    if (isCommit || text === 'rollback') reading.delete(this);
    return result;
  };
}

function watchCall(
  owner: Record<string, unknown>,
  method: string,
  name: string,
  point: (name: string) => void,
): void {
  const call = owner[method] as Method;
  owner[method] = async function (this: unknown, ...args: unknown[]) {
    point(`${name} leaves`);
    const answer = await call.apply(this, args);
    point(`${name} accepted`);
    return answer;
  };
}

/** Kill points of a POST: before it is sent, and when its response begins. */
function watchDispatch(owner: Record<string, unknown>, point: (name: string) => void): void {
  const dispatch = owner['dispatch'] as Method;
  owner['dispatch'] = function (this: unknown, order: unknown, handler: Record<string, Method>) {
    point('post leaves');
    const { onResponseStart } = handler;
    const watched = {
      ...handler,
      onResponseStart(this: unknown, ...args: unknown[]) {
        point('post accepted');
        return onResponseStart?.apply(handler, args);
      },
    };
    return dispatch.call(this, order, watched);
  };
}
