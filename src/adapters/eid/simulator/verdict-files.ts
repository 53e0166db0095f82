import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  eidFailCodes,
  type SimulatorDesk,
  type SimulatorVerdict,
  type WaitingSession,
} from '../../../app/ports/index.ts';
import { attemptAny } from '../../../base/errors.ts';
import { onSystemCode } from '../../../base/os-errors.ts';

/** Duration after which a session can no longer be decided. */
const DEADLINE_MS = 180_000;
/** Retention of session files. */
const KEPT_MS = 24 * 3_600_000;
/** Maximum number of sessions with files; the oldest are removed first. */
const SESSIONS_MAX = 500;

const words: ReadonlySet<string> = new Set(['approve', ...eidFailCodes]);

/** Sessions of a simulator that waits for decisions, and the decisions. */
export type VerdictFiles = SimulatorVerdicts & SimulatorDesk;

/**
 * Stores sessions and decisions in small files that only their owner may read, two per session:
 * `ID.open` names the person, `ID.verdict` contains the decision. The first decision counts. At
 * most 500 sessions are retained, for one day.
 *
 * @param folder created when the first session is opened
 * @param now epoch milliseconds
 */
export function verdictFiles(folder: string, now: () => number): VerdictFiles {
  const path = (session: string, end: 'open' | 'verdict') => join(folder, `${session}.${end}`);
  const decide = async (session: string, verdict: SimulatorVerdict): Promise<boolean> => {
    if (!isSession(session)) return false;
    return writeOnce(path(session, 'verdict'), verdict);
  };
  const find = async (session: string): Promise<SimulatorVerdict | undefined> => {
    const text = isSession(session) ? await read(path(session, 'verdict')) : undefined;
    return text !== undefined && words.has(text) ? (text as SimulatorVerdict) : undefined;
  };
  return {
    find,
    async open(session, label) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await sweep(folder, now());
      const entry = { label, openedAtMs: now() };
      await writeOnce(path(session, 'open'), JSON.stringify(entry));
    },
    cancel: async (session) => void (await decide(session, 'cancelled')),
    async list() {
      const waiting: WaitingSession[] = [];
      for (const each of await opened(folder)) {
        const isOver = now() - each.openedAtMs >= DEADLINE_MS;
        if (!isOver && (await find(each.session)) === undefined) waiting.push(each);
      }
      return waiting;
    },
    async decide(session, verdict) {
      const found = (await opened(folder)).find((each) => each.session === session);
      if (found === undefined || now() - found.openedAtMs >= DEADLINE_MS) return false;
      return decide(session, verdict);
    },
  };
}

/** Removes sessions older than a day or in excess of the limit. */
async function sweep(folder: string, nowMs: number): Promise<void> {
  const all = await opened(folder);
  const young = all.filter(({ openedAtMs }) => nowMs - openedAtMs < KEPT_MS);
  const kept = new Set(young.slice(1 - SESSIONS_MAX).map(({ session }) => session));
  for (const name of await names(folder)) {
    if (!kept.has(name.split('.', 1)[0] ?? '')) await rm(join(folder, name), { force: true });
  }
}

async function opened(folder: string): Promise<readonly WaitingSession[]> {
  const found: WaitingSession[] = [];
  for (const name of await names(folder)) {
    if (!name.endsWith('.open')) continue;
    const entry = entryOf(await read(join(folder, name)));
    if (entry !== undefined) found.push({ session: name.slice(0, -5), ...entry });
  }
  return found.sort((a, b) => a.openedAtMs - b.openedAtMs);
}

function entryOf(text: string | undefined): Omit<WaitingSession, 'session'> | undefined {
  // The file may be incomplete because another process is writing it, or may not be ours.
  const found = attemptAny(() => JSON.parse(text ?? '') as Partial<WaitingSession> | null);
  const { label, openedAtMs } = found ?? {};
  const isOurs = typeof label === 'string' && typeof openedAtMs === 'number';
  return isOurs ? { label, openedAtMs } : undefined;
}

/** Names of session files; nothing else in the folder is touched. */
async function names(folder: string): Promise<readonly string[]> {
  const found = await readdir(folder).catch((): string[] => []);
  return found.filter((name) => /^[0-9a-f]{32}\.(open|verdict)$/.test(name));
}

async function read(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined);
}

async function writeOnce(path: string, text: string): Promise<boolean> {
  const written = writeFile(path, text, { flag: 'wx', mode: 0o600 });
  return (await written.then(() => true, onSystemCode('EEXIST'))) ?? false;
}

/** Session identifiers are external input and become file names. */
function isSession(text: string): boolean {
  return /^[0-9a-f]{32}$/.test(text);
}

/** Decisions on sessions of a simulator, shared by all processes. */
export interface SimulatorVerdicts {
  /** Lists a session as waiting. `label` names channel and person to the user who decides. */
  open(session: string, label: string): Promise<void>;
  find(session: string): Promise<SimulatorVerdict | undefined>;
  /** Decides `cancelled`, unless the session has already been decided. */
  cancel(session: string): Promise<void>;
}
