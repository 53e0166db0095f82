import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { attemptAny, InnsigliError } from '../base/errors.ts';
import type { ClockLine } from '../base/time/watched-clock.ts';
import type { ExplainedConfig, ResolvedConfig } from '../wire/config/config.ts';
import type { FlagSettings } from '../wire/config/layer.ts';
import type { Toolkit, ToolkitIo } from '../wire/toolkit.types.ts';
import type { CliIo } from './io.ts';
import { type Console, shellWord } from './output/index.ts';
import { sharedMap } from './shared-map.ts';

/** Options of every command. */
export interface GlobalOptions {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  /** If false, never prompt. */
  readonly input: boolean;
  readonly color: boolean;
  readonly debug: boolean;
  readonly offline?: boolean;
  readonly dataDir?: string;
  readonly config?: string;
  /** Key of the company, if there are several. */
  readonly company?: string;
}

/** Context of a command's `run`. */
export interface CommandContext {
  readonly io: CliIo;
  readonly console: Console;
  readonly globals: GlobalOptions;
}

/** Context of a command that works with the service of a company. */
export interface ServiceContext extends CommandContext {
  /** Absolute path of the data directory. */
  readonly dataDir: string;
  /** Actor for the log: the operator who has logged in, else `System`. */
  readonly operator: string;
}

/** Exit codes that a command may return; others come from errors. */
export type ExitCode = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 130;

const keyBytesMax = 4 * 1024 * 1024;

/** Runs the work of a command in the context of its global options. */
export type Start = (
  command: Command,
  run: (context: CommandContext) => Promise<ExitCode>,
) => Promise<void>;

/**
 * Loads the configuration for the options of a command and the global ones. If `use` is sealing, a
 * project file that was found and affects sealing causes a warning.
 *
 * @throws usage.invalid, config.invalid
 */
export async function loadConfig(
  context: CommandContext,
  flags: FlagSettings,
  use: 'sealing' | 'other' = 'other',
): Promise<ExplainedConfig> {
  const { io, console, globals } = context;
  const { resolveConfig } = await import('../wire/config/resolve.ts');
  const { checkEnvironment } = await import('../wire/config/layer.ts');
  for (const warning of checkEnvironment(io.env)) {
    await console.warn(warning, 'config.variable.ignored');
  }
  const explained = resolveConfig({
    flags: {
      ...flags,
      ...(globals.offline === true ? { offline: 'true' } : {}),
      ...(globals.dataDir === undefined ? {} : { dataDir: globals.dataDir }),
    },
    ...(globals.config === undefined ? {} : { configFile: globals.config }),
    env: io.env,
    cwd: io.cwd,
  });
  requireCertificate(flags, io.cwd);
  for (const file of Object.values(explained.files)) console.detail(`configuration: ${file}`);
  if (explained.foreign !== undefined) {
    const message =
      `${explained.foreign} belongs to another user and was not read; ` +
      `to use it pass --config ${shellWord(explained.foreign)}`;
    await console.warn(message, 'config.file.ignored');
  }
  if (explained.ignored.length > 0) {
    const left = explained.ignored.join(', ');
    const file = explained.files.project ?? '';
    const message =
      `${file}: ignored ${left}, because the file was found, not named: ` +
      `it may have come with the documents; to use it pass --config ${shellWord(file)}`;
    await console.warn(message, 'config.setting.ignored');
  }
  if (use === 'sealing' && explained.effects.length > 0) {
    const message =
      `${explained.files.project ?? ''}, which was found and not named, sets ` +
      explained.effects.join(' and ');
    await console.warn(message, 'config.setting.found');
  }
  return explained;
}

const timestampFlags = {
  tsa: '--tsa',
  'tsa.user': '--tsa-user',
  'tsa.passwordFile': '--tsa-password-file',
  tsaTimeoutMs: '--tsa-timeout',
} as const satisfies FlagSettings;

/** The signature that a command creates. */
interface Signing {
  readonly command: 'seal' | 'seal-xml' | 'archive' | 'verify';
  readonly timestampOnly?: boolean | undefined;
  /** A command-line option only, not a setting. */
  readonly tsaRate?: number | undefined;
}

/**
 * Loads the configuration of a command that creates signatures, like {@link loadConfig}.
 *
 * @throws usage.invalid for time-stamp options if the signature has no time-stamp
 */
export async function loadSealConfig(
  context: CommandContext,
  flags: FlagSettings,
  { command, timestampOnly = false, tsaRate }: Signing,
): Promise<ResolvedConfig> {
  const { config } = await loadConfig(context, flags, 'sealing');
  const isBare = command.startsWith('seal') && !timestampOnly && config.level === 'B-B';
  const given = Object.entries(timestampFlags).find(([path]) => Object.hasOwn(flags, path))?.[1];
  const flag = given ?? (tsaRate === undefined ? undefined : '--tsa-rate');
  if (isBare && flag !== undefined) {
    refuseUsage(`${flag}: expected level B-T or higher with it, found B-B`);
  }
  return config;
}

/** Opens a toolkit whose warnings and questions reach the user. */
export async function openToolkit(
  context: CommandContext,
  config: ResolvedConfig,
): Promise<Toolkit> {
  // Loaded now, so that warnings are printed in order.
  await context.console.style('stderr');
  return openToolkitWith(context.io, config, toolkitIo(context));
}

/** Opens a toolkit of the process, or the one injected by a test. */
export async function openToolkitWith(
  io: CliIo,
  config: ResolvedConfig,
  toolkitIo: ToolkitIo,
): Promise<Toolkit> {
  if (io.openToolkit !== undefined) return io.openToolkit(config, toolkitIo);
  // From here on, a signal ends the work with an exit code.
  io.onStop(() => undefined);
  const { openToolkit: open } = await import('../wire/toolkit.ts');
  return open(config, toolkitIo);
}

/** Connects a toolkit with the user: warnings are printed, questions asked. */
export function toolkitIo({ io, console, globals }: CommandContext): ToolkitIo {
  return {
    now: io.now,
    ...(io.clock === undefined ? {} : { clock: io.clock }),
    random: io.random,
    warn: (message, code) => void console.warn(message, code),
    readStdinLine: () => stdinLine(io),
    askPassword: async (what) => {
      const mayAsk = globals.input && !globals.json && io.stdin.isTerminal && io.stderr.isTerminal;
      if (!mayAsk) return undefined;
      console.stopSpinner();
      return io.askPassword(`Password for ${what}`);
    },
  };
}

const stdinLines = sharedMap<CliIo, Promise<string>>('stdin-lines');
const lineBytesMax = 64 * 1024;

/** The first line of standard input, the same for every thread and every key of a run. */
function stdinLine(io: CliIo): Promise<string> {
  const read = async (): Promise<string> => {
    const chunks: Uint8Array[] = [];
    let count = 0;
    for await (const chunk of io.stdin.chunks()) {
      chunks.push(chunk);
      count += chunk.length;
      if (chunk.includes(0x0a) || count > lineBytesMax) break;
    }
    return Buffer.concat(chunks).toString('utf8').split(/\r?\n/, 1)[0] ?? '';
  };
  const line = stdinLines.get(io) ?? read();
  stdinLines.set(io, line);
  return line;
}

/** Returns the context of a long-running program, which detects changes of the system clock. */
export async function withWatchedClock(
  context: CommandContext,
  line?: ClockLine,
): Promise<CommandContext> {
  const clock = await context.io.openClock?.(line);
  return clock === undefined
    ? context
    : { ...context, io: { ...context.io, now: clock.now, clock } };
}

// An unreadable file is reported when the key is opened.
function requireCertificate(flags: FlagSettings, cwd: string): void {
  const file = flags['key.file'];
  if (typeof file !== 'string' || flags['key.certificate'] !== undefined) return;
  if (!isWithoutCertificate(resolve(cwd, file))) return;
  refuseUsage(
    '--key: expected --cert, or the certificate in the file of the key, found neither',
    'pass the certificate of the key with --cert, or a PKCS#12 file with --p12',
  );
}

function isWithoutCertificate(path: string): boolean {
  const stats = attemptAny(() => statSync(path));
  if (!stats?.isFile() || stats.size > keyBytesMax) return false;
  return attemptAny(() => readFileSync(path, 'latin1'))?.includes('CERTIFICATE-----') === false;
}

/** Lets a signal received during work end the program before anything is written or printed. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Throws the error for an option value that commander cannot check. @throws usage.invalid */
export function refuseUsage(message: string, hint?: string): never {
  throw new InnsigliError('usage.invalid', message, hint === undefined ? {} : { hint });
}

/** Rejects writing a document to stdout together with --json. @throws usage.invalid */
export function requireOneStream(output: string, { globals }: CommandContext): void {
  if (output !== '-' || !globals.json) return;
  refuseUsage('--json and a document cannot both go to stdout', 'name a file with -o');
}
