import { fstatSync, statSync, writeSync } from 'node:fs';
import { devNull } from 'node:os';
import { attemptAny, InnsigliError } from '../base/errors.ts';
import { osErrorText, systemCode } from '../base/os-errors.ts';
import { pooledRandom } from '../wire/pooled-random.ts';
import type { WorkerThread } from '../wire/threads/thread-channel.ts';
import { BrokenPipe, type Choice, type CliIo, type OutputStream, type StopSignal } from './io.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** A signal repeated within this time is the same Ctrl-C, forwarded by npm and others. */
const echoMs = 250;
const signalNumbers = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

/** The {@link CliIo} of the running process. */
export function processIo(): CliIo {
  return {
    stdin: { isTerminal: isTerminal(0), chunks: () => process.stdin },
    stdout: outputStream(1),
    stderr: outputStream(2),
    env: process.env,
    cwd: currentFolder(),
    now: () => Date.now(),
    openClock: async (line) => (await import('../wire/service/clock-watch.ts')).systemClock(line),
    random: pooledRandom(randomBytes),
    ...stopping(),
    ...{ wait, ask, choose, askPassword, confirm, startSpinner },
    ...{ startWorker, optimiseLater },
  };
}

// tty.isatty loads Node's network stack, a tenth of its startup time. Only a character device can
// be a terminal, and /dev/null is one, too.
function isTerminal(descriptor: 0 | 1 | 2): boolean {
  const isDevice = attemptAny(() => fstatSync(descriptor).isCharacterDevice()) ?? false;
  return isDevice && process.getBuiltinModule('node:tty').isatty(descriptor);
}

// Node replaces a closed stream with the null device.
function isNowhere(descriptor: 1 | 2): boolean {
  return attemptAny(() => fstatSync(descriptor).rdev === statSync(devNull).rdev) ?? false;
}

// Written directly to the descriptor: complete on return, so that the program may exit.
function outputStream(descriptor: 1 | 2): OutputStream {
  return {
    isTerminal: isTerminal(descriptor),
    get isNowhere() {
      return isNowhere(descriptor);
    },
    get columns() {
      const stream = descriptor === 1 ? process.stdout : process.stderr;
      return stream.columns ?? 0;
    },
    get rows() {
      const stream = descriptor === 1 ? process.stdout : process.stderr;
      return stream.rows ?? 0;
    },
    write(chunk) {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk, 'utf8') : chunk;
      let offset = 0;
      while (offset < bytes.length) {
        try {
          offset += writeSync(descriptor, bytes, offset, bytes.length - offset);
        } catch (cause) {
          const code = systemCode(cause);
          if (code === 'EAGAIN') {
            pause(1);
            continue;
          }
          // There is nowhere left to report that stderr is closed.
          if (descriptor === 2) return;
          throw code === 'EPIPE' ? new BrokenPipe() : unwritable(code, cause);
        }
      }
    },
  };
}

function unwritable(code: string | undefined, cause: unknown): InnsigliError {
  const message = `stdout cannot be written: ${osErrorText(code ?? 'unknown')}`;
  return new InnsigliError('io.output.unwritable', message, {
    cause,
    details: { output: 'stdout' },
  });
}

// The reader of a non-blocking pipe is slower than this program.
function pause(timeMs: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, timeMs);
}

function randomBytes(count: number): Uint8Array {
  return process.getBuiltinModule('node:crypto').randomBytes(count);
}

function currentFolder(): string {
  return attemptAny(() => process.cwd()) ?? '/';
}

// Listens only when there is work to stop: until then, a signal ends the program immediately.
function stopping(): Pick<CliIo, 'onStop' | 'waitForStop'> {
  const cleanUps = new Set<() => void>();
  const end = (signal: NodeJS.Signals) => {
    for (const cleanUp of cleanUps) cleanUp();
    process.exit(128 + signalNumbers[signal as StopSignal]);
  };
  let isListening = false;
  return {
    onStop(cleanUp) {
      cleanUps.add(cleanUp);
      if (!isListening) for (const signal of signals) process.on(signal, end);
      isListening = true;
      return () => cleanUps.delete(cleanUp);
    },
    // Listeners stay: the library that restores the cursor exits on a signal if it listens alone.
    waitForStop: (isPatient = false) =>
      new Promise((resolve) => {
        let first: { readonly signal: NodeJS.Signals; readonly atMs: number } | undefined;
        const hear = (signal: NodeJS.Signals) => {
          const atMs = performance.now();
          if (first === undefined) {
            first = { signal, atMs };
            resolve(signal as StopSignal);
            return;
          }
          const isEcho = signal === first.signal && atMs - first.atMs < echoMs;
          if (!isEcho && !(isPatient && signal !== 'SIGINT')) end(signal);
        };
        for (const signal of signals) {
          process.off(signal, end);
          process.on(signal, hear);
        }
        isListening = true;
      }),
  };
}

function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    signal?.addEventListener('abort', end, { once: true });
  });
}

async function askPassword(question: string): Promise<string> {
  const { password } = await import('@inquirer/prompts');
  const asked = { message: question, mask: false };
  return answered(password(asked, { output: process.stderr }), 'no password was given');
}

async function ask(question: string): Promise<string> {
  const { input } = await import('@inquirer/prompts');
  return answered(input({ message: question }, { output: process.stderr }));
}

async function choose<T extends string>(
  question: string,
  choices: readonly Choice<T>[],
): Promise<T> {
  const { select } = await import('@inquirer/prompts');
  return answered(select({ message: question, choices }, { output: process.stderr }));
}

async function answered<T>(answer: Promise<T>, none = 'no answer was given'): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    if ((cause as Error).name !== 'ExitPromptError') throw cause;
    throw new InnsigliError('interrupted', none, { cause });
  }
}

async function confirm(question: string): Promise<boolean> {
  const prompts = await import('@inquirer/prompts');
  const asked = { message: question, default: false };
  return answered(prompts.confirm(asked, { output: process.stderr }));
}

async function startSpinner(
  text: string,
  isWanted: () => boolean,
): Promise<{ stop(): void; say(text: string): void }> {
  const { default: ora } = await import('ora');
  const spinner = ora({ text, stream: process.stderr, discardStdin: false });
  if (isWanted()) spinner.start();
  return {
    // Stopping a spinner that never started would clear someone else's line.
    stop: () => void (spinner.isSpinning && spinner.stop()),
    say(now) {
      spinner.text = now;
    },
  };
}

// Next to the launcher: the relative path is the same from here and from the bundle.
function startWorker(): WorkerThread {
  const { Worker } = process.getBuiltinModule('node:worker_threads');
  return new Worker(new URL('../../bin/batch-worker.cjs', import.meta.url));
}

// The optimising compiler runs on cores shared by all threads, and each thread compiles the same
// code separately. With eight times the usual budget, also for small functions, V8 compiles only
// code that runs often. V8 rejects code that was compiled under different flags, such as the code
// cache next to the bundles. Node 22 and later do not support these flags, and print a message on
// stderr.
function optimiseLater(): void {
  if (Number.parseInt(process.versions.v8, 10) >= 12) return;
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  setFlagsFromString('--interrupt-budget=540672');
  setFlagsFromString('--max-bytecode-size-for-early-opt=0');
}
