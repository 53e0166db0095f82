import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { report, unless } from './checks.ts';
import { crashReasons, errorCodeOf, type InnsigliCli } from './innsigli-cli.ts';

/** What a step of a story is expected to come to. */
export interface StepOptions {
  /** Exit code; 0 by default. */
  readonly code?: number;
  /** Error code that the program names. */
  readonly error?: string;
  /** How far its clock is from ours. */
  readonly shiftMs?: number;
}

/** The program as somebody uses it from a shell. */
export interface Desk {
  readonly folder: string;
  /** Runs a command with --json, checks how it ended and gives its document. */
  // biome-ignore lint/suspicious/noExplicitAny: the documents of many commands.
  step(options: readonly string[], expected?: StepOptions): Promise<any>;
}

/** A desk with settings of its own on the data directory of `cli`. */
export function openDesk(
  cli: InnsigliCli,
  folder: string,
  env: Readonly<Record<string, string>>,
): Desk {
  const clock = writeClock(folder);
  const step: Desk['step'] = async (options, { code = 0, error, shiftMs = 0 } = {}) => {
    const answer = await cli.run(['--json', ...options], { env: { ...env, ...clock(shiftMs) } });
    const found = errorCodeOf(answer);
    const said = `${answer.code} ${code === answer.code ? '' : answer.stderr.trim().slice(0, 300)}`;
    report(
      `innsigli ${options.map(shortened).join(' ')}${code === 0 ? '' : `: exit ${code}`}`,
      unless({
        [`exit ${code} (${said.trim()})`]: answer.code === code,
        [`error ${error} (${found})`]: error === undefined || found === error,
      }).concat(crashReasons(answer)),
    );
    try {
      return JSON.parse(answer.stdout);
    } catch {
      return {};
    }
  };
  return { folder, step };
}

/** Environment that makes a program of Node run with another clock. */
export function writeClock(folder: string): (shiftMs: number) => Readonly<Record<string, string>> {
  const path = join(folder, 'clock.cjs');
  const shift = 'const { now } = Date; Date.now = () => now() + Number(process.env.STORY_SHIFT_MS)';
  writeFileSync(path, `${shift};\n`);
  return (shiftMs) =>
    shiftMs === 0
      ? {}
      : { NODE_OPTIONS: `--require=${path}`, STORY_SHIFT_MS: String(Math.trunc(shiftMs)) };
}

function shortened(word: string): string {
  const last = word.startsWith('/') ? (word.split('/').at(-1) ?? word) : word;
  return last.length > 24 ? `${last.slice(0, 12)}…` : last;
}
