import type { InnsigliError } from '../../base/errors.ts';
import type { WarningCode } from '../../wire/toolkit.types.ts';
import { type CliIo, isBrokenPipe } from '../io.ts';
import { helpWidth } from './layout.ts';
import { printable } from './printable.ts';
import { hasColour, loadStyle, type Style } from './style.ts';

/** Verbosity and format of the output. */
export interface OutputMode {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly colour: boolean;
}

/** A warning, as repeated by `--json`. */
export interface Warning {
  readonly code: WarningCode;
  readonly message: string;
}

/**
 * Output of a command. Results go to stdout; everything else to stderr. Warnings and errors are
 * always written: as sentences, or under `--json` as one JSON object per line.
 */
export interface Console {
  readonly mode: OutputMode;
  /** Styles of both streams, loaded on first use. */
  style(stream: 'stdout' | 'stderr'): Promise<Style>;
  /** Prints text lines on stderr; nothing under --quiet or --json. */
  note(lines: string | readonly string[]): void;
  /** Prints a line on stderr under --verbose only. */
  detail(line: string): void;
  /** Prints a warning immediately, and again in the --json document. */
  warn(message: string, code?: WarningCode): Promise<void>;
  error(error: InnsigliError, debug: boolean): Promise<void>;
  /** Prints lines on stdout: the result of the command. */
  result(lines: string | readonly string[]): void;
  /** Prints the path of a result on stdout: exact for a program, printable for a person. */
  path(path: string): void;
  /** Writes the single document on stdout under --json, with all warnings so far in `warnings`. */
  document(value: object): void;
  /** True if output for stdout has found no reader. */
  isUnread(): boolean;
  /** Warnings so far. */
  warnings(): readonly Warning[];
  /** Stops the spinner of {@link busy} permanently, before a question. */
  stopSpinner(): void;
  /** Runs `work`; on a terminal, a spinner is shown if it takes a while. */
  busy<T>(text: string, work: () => Promise<T>): Promise<T>;
}

// Shorter work shows no spinner, which would only flicker.
const spinnerDelayMs = 150;

/** Creates a {@link Console} over the streams of `io`. */
export function openConsole(io: CliIo, mode: OutputMode): Console {
  const styles: Partial<Record<'stdout' | 'stderr', Promise<Style>>> = {};
  let spinner: { stop(): void } | undefined;
  // The current task: a spinner that loads too late must not start after the result.
  let wanted: object | undefined;
  const warnings: Warning[] = [];

  const style = (name: 'stdout' | 'stderr') => {
    styles[name] ??= loadStyle(hasColour(io[name], io.env, mode.colour), helpWidth(io[name]));
    return styles[name];
  };
  const stopSpinner = () => {
    wanted = undefined;
    spinner?.stop();
    spinner = undefined;
  };
  const say = (text: string) => {
    if (spinner !== undefined) stopSpinner();
    io.stderr.write(text);
  };
  return {
    mode,
    style,
    note(lines) {
      if (!mode.quiet && !mode.json) say(joined(lines));
    },
    detail(line) {
      if (mode.verbose && !mode.json) say(`${printable(line)}\n`);
    },
    async warn(message, code = 'batch.warning') {
      const warning = { code, message };
      warnings.push(warning);
      if (mode.json) return say(`${JSON.stringify({ v: 1, warning })}\n`);
      const { yellow } = await style('stderr');
      say(`innsigli: ${yellow('warning')}: ${printable(message)}\n`);
    },
    async error(error, debug) {
      say(
        mode.json ? errorDocument(error, debug) : errorLines(error, debug, await style('stderr')),
      );
    },
    ...openResults(io, warnings),
    warnings: () => warnings,
    stopSpinner,
    async busy(text, work) {
      const turns = io.stderr.isTerminal && io.stderr.columns !== 0;
      if (!turns || mode.quiet || mode.json) return work();
      const turn = {};
      wanted = turn;
      const isWanted = () => wanted === turn;
      const timer = setTimeout(async () => {
        if (!isWanted()) return;
        const started = await io.startSpinner(text, isWanted);
        if (isWanted()) spinner = started;
        else started.stop();
      }, spinnerDelayMs);
      try {
        return await work();
      } finally {
        clearTimeout(timer);
        stopSpinner();
      }
    },
  };
}

function openResults(
  io: CliIo,
  warnings: readonly Warning[],
): Pick<Console, 'result' | 'path' | 'document' | 'isUnread'> {
  let isUnread = false;
  // A closed reader does not affect the exit code.
  const print = (text: string) => {
    try {
      io.stdout.write(text);
    } catch (error) {
      if (!isBrokenPipe(error)) throw error;
      isUnread = true;
    }
  };
  return {
    result: (lines) => print(joined(lines)),
    path: (path) => print(joined(io.stdout.isTerminal ? printable(path) : path)),
    document(value) {
      const indent = io.stdout.isTerminal ? 2 : 0;
      const text = JSON.stringify({ ...value, warnings }, null, indent);
      print(`${text}\n`);
    },
    isUnread: () => isUnread,
  };
}

function joined(lines: string | readonly string[]): string {
  if (typeof lines === 'string') return `${lines}\n`;
  return lines.map((line) => `${line}\n`).join('');
}

function errorLines(error: InnsigliError, debug: boolean, { red, bold }: Style): string {
  const lines = [`innsigli: ${red('error')}[${bold(error.code)}]: ${printable(error.message)}`];
  if (error.hint !== undefined) lines.push(`hint: ${printable(error.hint)}`);
  for (const { name, message, hint } of error.findings) {
    // The message itself may end with the only finding, or the first one.
    const isSaid = error.message.endsWith(`${name}: ${message}`);
    const indent = isSaid ? '' : '    ';
    if (!isSaid) lines.push(`  ${bold(name)}: ${printable(message)}`);
    if (hint !== undefined) lines.push(`${indent}hint: ${printable(hint)}`);
  }
  if (debug) lines.push(stackOf(error));
  return joined(lines);
}

function errorDocument(error: InnsigliError, debug: boolean): string {
  const { code, message, hint, details, findings } = error;
  const stack = debug ? { stack: stackOf(error) } : {};
  const several = findings.length === 0 ? {} : { findings };
  const advice = hint === undefined ? {} : { hint };
  const body = { code, message, ...advice, details, ...several, ...stack };
  return `${JSON.stringify({ v: 1, error: body })}\n`;
}

function stackOf(error: Error): string {
  const own = error.stack ?? String(error);
  return error.cause instanceof Error ? `${own}\ncaused by: ${stackOf(error.cause)}` : own;
}
