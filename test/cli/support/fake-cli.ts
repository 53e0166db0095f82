import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { BrokenPipe, type CliIo, type StopSignal } from '../../../src/cli/io.ts';
import { runCli } from '../../../src/cli/main.ts';
import type { ResolvedConfig } from '../../../src/wire/config/config.ts';
import type { Toolkit, ToolkitIo } from '../../../src/wire/toolkit.types.ts';
import { newTemporaryFolder } from '../../support/folders.ts';
import { fakeToolkit } from './fake-toolkit.ts';
import { faultsOfRun } from './json-output.ts';

/** The result of one run. */
export interface CliRun {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stdoutBytes: Uint8Array;
  readonly stderr: string;
}

/** The environment of a run. */
export interface CliSetup {
  readonly env?: Readonly<Record<string, string>>;
  /** Streams that are terminals. Default: none. */
  readonly terminals?: readonly ('stdin' | 'stdout' | 'stderr')[];
  readonly stdin?: string;
  readonly toolkit?: Partial<Toolkit> | ((io: ToolkitIo) => Partial<Toolkit>);
  readonly password?: string;
  /** Answers to questions of `ask` and `choose`, in order. */
  readonly answers?: string[];
  /** Size of terminals. Undefined if unknown. */
  readonly size?: { readonly columns: number; readonly rows: number };
  readonly signal?: StopSignal;
  /** stdout fails from the first byte, as under `| true`. */
  readonly brokenPipe?: boolean;
  /** stdout is closed, as under `>&-`. */
  readonly isNowhere?: boolean;
  readonly subfolder?: string;
  /** Replaces members of the fake. */
  readonly io?: Partial<CliIo>;
}

/** The command line in a folder of its own. */
export interface FakeCli {
  readonly folder: string;
  run(args: readonly string[], setup?: CliSetup): Promise<CliRun>;
  /** Names in the folder, including hidden ones, without the home folder. */
  files(): readonly string[];
  write(name: string, content: string | Uint8Array): string;
  /** Configurations with which a toolkit was opened. */
  readonly configs: readonly ResolvedConfig[];
  /** Cleanups registered for signals and still pending. */
  readonly pending: ReadonlySet<() => void>;
  readonly questions: readonly string[];
  /** The `start` and `stop` calls of the wheel. */
  readonly wheel: readonly string[];
}

/** Opens a {@link FakeCli}; its folder is removed after the test. */
export function openFakeCli(files: Readonly<Record<string, string>> = {}): FakeCli {
  const folder = newTemporaryFolder('cli');
  const configs: ResolvedConfig[] = [];
  const pending = new Set<() => void>();
  const questions: string[] = [];
  const wheel: string[] = [];
  const write = (name: string, content: string | Uint8Array) => {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    return path;
  };
  for (const [name, content] of Object.entries(files)) write(name, content);
  mkdirSync(join(folder, '.home'), { recursive: true });

  const openToolkit = (setup: CliSetup) => (config: ResolvedConfig, io: ToolkitIo) => {
    configs.push(config);
    const own = typeof setup.toolkit === 'function' ? setup.toolkit(io) : setup.toolkit;
    return Promise.resolve({ ...fakeToolkit(io), ...own });
  };
  return {
    folder,
    configs,
    pending,
    questions,
    wheel,
    write,
    files: () =>
      readdirSync(folder)
        .filter((name) => name !== '.home')
        .sort(),
    async run(args, setup = {}) {
      const out = captureStream(setup, 'stdout');
      const err = captureStream(setup, 'stderr');
      const io: CliIo = {
        stdin: {
          isTerminal: setup.terminals?.includes('stdin') ?? false,
          async *chunks() {
            yield Buffer.from(setup.stdin ?? '');
          },
        },
        stdout: out.stream,
        stderr: err.stream,
        env: { HOME: join(folder, '.home'), ...setup.env },
        cwd: setup.subfolder === undefined ? folder : join(folder, setup.subfolder),
        now: () => Date.UTC(2026, 0, 2, 3, 4, 5),
        random: (count) => new Uint8Array(count).fill(7),
        onStop(cleanUp) {
          pending.add(cleanUp);
          return () => pending.delete(cleanUp);
        },
        waitForStop: () => Promise.resolve(setup.signal ?? 'SIGTERM'),
        askPassword(question) {
          questions.push(question);
          return Promise.resolve(setup.password ?? '');
        },
        wait: () => new Promise((resolve) => setImmediate(resolve)),
        ask(question) {
          questions.push(question);
          return Promise.resolve(setup.answers?.shift() ?? '');
        },
        choose(question, choices) {
          questions.push(`${question} ${choices.map(({ name }) => name).join(' | ')}`);
          const wanted = setup.answers?.shift();
          const found = choices.find(({ value }) => value === wanted) ?? choices[0];
          if (found === undefined) throw new Error('nothing to choose from');
          return Promise.resolve(found.value);
        },
        confirm: () => Promise.resolve(false),
        startSpinner() {
          wheel.push('start');
          return Promise.resolve({ stop: () => wheel.push('stop') });
        },
        startWorker() {
          throw new Error('a test that starts threads gives its own');
        },
        optimiseLater: () => undefined,
        openToolkit: openToolkit(setup),
        ...setup.io,
      };
      const exitCode = await runCli(args, io);
      const stdoutBytes = out.bytes();
      const stdout = Buffer.from(stdoutBytes).toString('utf8');
      const stderr = Buffer.from(err.bytes()).toString('utf8');
      if (printsDocument(args)) expect(faultsOfRun(stdout, stderr)).toEqual([]);
      return { exitCode, stdout, stdoutBytes, stderr };
    },
  };
}

function captureStream(setup: CliSetup, name: 'stdout' | 'stderr') {
  const chunks: Uint8Array[] = [];
  return {
    bytes: () => Buffer.concat(chunks),
    stream: {
      isTerminal: setup.terminals?.includes(name) ?? false,
      isNowhere: name === 'stdout' && setup.isNowhere === true,
      ...setup.size,
      write(chunk: string | Uint8Array) {
        if (name === 'stdout' && setup.brokenPipe === true) throw new BrokenPipe();
        chunks.push(Buffer.from(chunk));
      },
    },
  };
}

/**
 * Whether the run prints a document; every document of --json is validated against docs/schemas.
 */
function printsDocument(args: readonly string[]): boolean {
  // Events are printed one per line.
  if (args.includes('auth') && args.includes('--watch')) return false;
  const isScript = args.includes('completion') && !args.includes('keys');
  const hasText = ['help', '--help', 'listen', 'export'].some((word) => args.includes(word));
  return args.includes('--json') && !hasText && !isScript;
}
