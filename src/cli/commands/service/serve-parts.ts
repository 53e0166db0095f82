import type { ProcessRole } from '../../../wire/serve/parts.ts';
import type { ToolkitIo, WarningCode } from '../../../wire/toolkit.types.ts';
import { type CommandContext, type ExitCode, toolkitIo } from '../../context.ts';

/** Reports to the user or, with `--log`, to machines. */
export interface ServeReporter {
  /**
   * @param facts machine-readable details besides the message
   * @param code code of the warning under `--json`. Default: `job.failed`
   */
  warn(message: string, facts: Readonly<Record<string, string | number>>, code?: WarningCode): void;
  /** Reports events for machines and `--verbose` only. */
  info(message: string, facts: Readonly<Record<string, string | number>>): void;
  note(message: string): void;
}

/** Maximum number of process exits within a minute. */
const ENDS_MAX = 5;
/** Longer than a process takes to end by itself. */
const CLOSE_MS = 35_000;

/** Creates a reporter: messages on stderr or, with a log, JSON lines like those of requests. */
export function serveReporter({ console, io }: CommandContext, hasLog: boolean): ServeReporter {
  const line = (level: number, msg: string, facts: object) =>
    io.stderr.write(`${JSON.stringify({ level, time: io.now(), ...facts, msg })}\n`);
  return {
    warn: (message, facts, code = 'job.failed') => {
      if (hasLog) line(40, message, facts);
      else void console.warn(message, code);
    },
    info: (message, facts) => {
      if (hasLog) line(30, message, facts);
      else console.detail(message);
    },
    note: (message) => (hasLog ? line(30, message, {}) : console.note(message)),
  };
}

/**
 * Dependencies of the toolkits in the main thread and in other threads: they share the password
 * entered for the first one, and no warning is repeated.
 */
export function sharedIo(context: CommandContext): {
  readonly main: ToolkitIo;
  readonly threads: Pick<ToolkitIo, 'warn' | 'askPassword'>;
} {
  const main = toolkitIo(context);
  const answers = new Map<string, Promise<string | undefined>>();
  const said = new Set<string>();
  const ask = (what: string) => {
    const answer = Promise.resolve(main.askPassword?.(what));
    answers.set(what, answer);
    return answer;
  };
  const warn: ToolkitIo['warn'] = (message, code) => {
    if (!said.has(message)) main.warn(message, code);
    said.add(message);
  };
  return {
    main: { ...main, warn, askPassword: ask },
    threads: { warn, askPassword: (what) => answers.get(what) ?? ask(what) },
  };
}

/** Starts processes for `roles`, keeps them running, and ends when they do. */
export async function runParts(
  roles: readonly ProcessRole[],
  address: { readonly host: string; readonly port: number },
  context: CommandContext,
  reporter: ServeReporter,
  ready: (url: string) => void,
): Promise<ExitCode> {
  const { io } = context;
  const stopped = io.waitForStop(true);
  const { partForker, ProcessNotReady, startProcesses } = await import(
    '../../../wire/serve/serve.ts'
  );
  try {
    const parts = await startProcesses({
      roles,
      fork: await partForker(address.host, address.port, io.clock),
      now: () => performance.now(),
      endsMax: ENDS_MAX,
      closeMs: CLOSE_MS,
      told: (event, { role, pid, end }) => {
        if (event === 'began') reporter.info(`process ${pid} is ready`, { role, pid });
        else reporter.warn(`process ${pid} ended: ${end}`, { role, pid, end: end ?? '' });
      },
    });
    ready(parts.url);
    const why = await Promise.race([stopped, parts.lost]);
    if (typeof why !== 'string') throw why;
    await parts.close();
    return why === 'SIGINT' ? 130 : 0;
  } catch (error) {
    // The process has reported the reason on stderr.
    if (error instanceof ProcessNotReady) return error.exitCode as ExitCode;
    throw error;
  }
}
