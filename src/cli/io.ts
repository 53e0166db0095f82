import type { ClockLine, WatchedClock } from '../base/time/watched-clock.ts';
import type { ResolvedConfig } from '../wire/config/config.ts';
import type { WorkerThread } from '../wire/threads/thread-channel.ts';
import type { Toolkit, ToolkitIo } from '../wire/toolkit.types.ts';

/** One of the two output streams. */
export interface OutputStream {
  readonly isTerminal: boolean;
  /** True where all that is written is lost: it was closed, or is the null device. */
  readonly isNowhere?: boolean;
  /** Width of the terminal; 0 where it is not known, and nothing can be drawn. */
  readonly columns?: number;
  /** Its height; 0 where it is not known. */
  readonly rows?: number;
  /**
   * Writes all of `chunk` before it returns.
   *
   * @throws BrokenPipe when the reader has gone
   */
  write(chunk: string | Uint8Array): void;
}

/** The reader of an output stream has gone: nothing more can be printed. */
export class BrokenPipe extends Error {
  override readonly name = 'BrokenPipe';
}

/** True for a {@link BrokenPipe} of any bundle: each bundle has a class of its own. */
export function isBrokenPipe(error: unknown): boolean {
  return error instanceof Error && error.name === 'BrokenPipe';
}

/** A signal that asks the program to end. */
export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/** One answer to a question. */
export interface Choice<T extends string = string> {
  readonly value: T;
  /** As it is shown. */
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
  /** A clock to watch, which goes on with that of another program if one is given. */
  openClock?(line: ClockLine | undefined): Promise<WatchedClock>;
  /** `count` unpredictable bytes. */
  random(count: number): Uint8Array;
  /**
   * Runs `cleanUp` when a signal ends the program before `forget` (the result) was called.
   * Must be synchronous: the program ends right after it.
   */
  onStop(cleanUp: () => void): () => void;
  /**
   * Resolves at the first signal instead of ending the program.
   *
   * @param isPatient only a second SIGINT ends the program then: supervisors send SIGTERM to all
   *   processes of a service, and the first of these sends it to the others
   */
  waitForStop(isPatient?: boolean): Promise<StopSignal>;
  /** Asks at the terminal without echo. @throws interrupted */
  askPassword(question: string): Promise<string>;
  /** Resolves after that time, or at once when `signal` ends it: nothing is left that waits. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
  /** Asks at the terminal for a line of text. @throws interrupted */
  ask(question: string): Promise<string>;
  /** Lets the user choose one of `choices` at the terminal. @throws interrupted */
  choose<T extends string>(question: string, choices: readonly Choice<T>[]): Promise<T>;
  /** Asks at the terminal for a yes; no is the default. @throws interrupted */
  confirm(question: string): Promise<boolean>;
  /**
   * Turns a spinner on stderr until `stop`; `say` changes its text. It takes a while to load at
   * its first use, and turns only if `isWanted` still says so then.
   */
  startSpinner(
    text: string,
    isWanted: () => boolean,
  ): Promise<{ stop(): void; say?(text: string): void }>;
  /** Starts a thread that serves a batch. */
  startWorker(): WorkerThread;
  /**
   * Lets the compiler optimise later, in all threads: for work that repeats, once its code is
   * loaded. Code that is loaded afterwards is compiled anew.
   */
  optimiseLater(): void;
  /** Opens another toolkit than the real one. */
  openToolkit?(config: ResolvedConfig, io: ToolkitIo): Promise<Toolkit>;
}
