import type { ClockLine, WatchedClock } from '../base/time/watched-clock.ts';
import type { ResolvedConfig } from '../wire/config/config.ts';
import type { WorkerThread } from '../wire/threads/thread-channel.ts';
import type { Toolkit, ToolkitIo } from '../wire/toolkit.types.ts';

/** One of the two output streams. */
export interface OutputStream {
  readonly isTerminal: boolean;
  /** True if all output is lost: the stream was closed, or is the null device. */
  readonly isNowhere?: boolean;
  /** Width of the terminal; 0 if it is unknown, so that nothing can be drawn. */
  readonly columns?: number;
  /** Height of the terminal; 0 if it is unknown. */
  readonly rows?: number;
  /**
   * Writes all of `chunk` before it returns.
   *
   * @throws BrokenPipe if the reader has closed the stream
   */
  write(chunk: string | Uint8Array): void;
}

/** The reader of an output stream has closed it: nothing more can be printed. */
export class BrokenPipe extends Error {
  override readonly name = 'BrokenPipe';
}

/** True for a {@link BrokenPipe} of any bundle: each bundle has its own class. */
export function isBrokenPipe(error: unknown): boolean {
  return error instanceof Error && error.name === 'BrokenPipe';
}

/** A signal that asks the program to end. */
export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/** One choice of a question. */
export interface Choice<T extends string = string> {
  readonly value: T;
  /** Displayed name. */
  readonly name: string;
}

/** Dependencies of the command line on its process; tests replace them. */
export interface CliIo {
  readonly stdin: { readonly isTerminal: boolean; chunks(): AsyncIterable<Uint8Array> };
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute path of the current folder. */
  readonly cwd: string;
  /** Epoch milliseconds. */
  now(): number;
  /** The clock of `now`, in a program that watches it. */
  readonly clock?: WatchedClock;
  /** Opens a clock to watch, which continues that of another process if one is given. */
  openClock?(line: ClockLine | undefined): Promise<WatchedClock>;
  /** `count` unpredictable bytes. */
  random(count: number): Uint8Array;
  /**
   * Runs `cleanUp` if a signal ends the program before the returned function was called. It must be
   * synchronous: the program ends immediately afterwards.
   */
  onStop(cleanUp: () => void): () => void;
  /**
   * Resolves at the first signal instead of ending the program.
   *
   * @param isPatient after that, only a second SIGINT ends the program: supervisors send SIGTERM to
   *   all processes of a service, and the first of them forwards it to the others
   */
  waitForStop(isPatient?: boolean): Promise<StopSignal>;
  /** Prompts for a password at the terminal, without echo. @throws interrupted */
  askPassword(question: string): Promise<string>;
  /** Resolves after that time, or immediately when `signal` aborts, which clears the timer. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
  /** Prompts for a line of text at the terminal. @throws interrupted */
  ask(question: string): Promise<string>;
  /** Lets the user choose one of `choices` at the terminal. @throws interrupted */
  choose<T extends string>(question: string, choices: readonly Choice<T>[]): Promise<T>;
  /** Asks for a yes at the terminal; the default is no. @throws interrupted */
  confirm(question: string): Promise<boolean>;
  /**
   * Shows a spinner on stderr until `stop`; `say` changes its text. The spinner is loaded on first
   * use, which takes a while, and starts only if `isWanted` still returns true then.
   */
  startSpinner(
    text: string,
    isWanted: () => boolean,
  ): Promise<{ stop(): void; say?(text: string): void }>;
  /** Starts a thread that serves a batch. */
  startWorker(): WorkerThread;
  /**
   * Lets the compiler optimise later, in all threads: for repetitive work, after its code was
   * loaded. Code loaded afterwards is compiled from source.
   */
  optimiseLater(): void;
  /** Opens a toolkit that replaces the real one. */
  openToolkit?(config: ResolvedConfig, io: ToolkitIo): Promise<Toolkit>;
}
