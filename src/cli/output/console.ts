import type { InnsigliError } from '../../base/errors.ts';
import type { WarningCode } from '../../wire/toolkit.types.ts';
import { type CliIo, isBrokenPipe } from '../io.ts';
import { helpWidth } from './layout.ts';
import { printable } from './printable.ts';
import { hasColour, loadStyle, type Style } from './style.ts';

/** Verbosity and form of the output. */
export interface OutputMode {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly colour: boolean;
}

/** One warning, as `--json` repeats it. */
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
  /** Lines for people on stderr; nothing under --quiet or --json. */
  note(lines: string | readonly string[]): void;
  /** Lines on stderr under --verbose only. */
  detail(line: string): void;
  /** Told now, and again in the document of --json. */
  warn(message: string, code?: WarningCode): Promise<void>;
  error(error: InnsigliError, debug: boolean): Promise<void>;
  /** Lines on stdout: the result of the command. */
  result(lines: string | readonly string[]): void;
  /** The path of a result on stdout: exact for a program, printable for a person. */
  path(path: string): void;
  /** Writes the one document on stdout under --json, with all warnings until now in `warnings`. */
  document(value: object): void;
  /** True when something for stdout has found no reader. */
  isUnread(): boolean;
  /** Warnings until now. */
  warnings(): readonly Warning[];
  /** Stops the spinner of {@link busy} for good: a question comes. */
  stopSpinner(): void;
  /** Runs `work`; a spinner turns on a terminal when it takes a while. */
  busy<T>(text: string, work: () => Promise<T>): Promise<T>;
}

// Shorter work shows no spinner: it would only flicker.
const spinnerDelayMs = 150;

/** A {@link Console} over the streams of `io`. */
export function openConsole(io: CliIo, mode: OutputMode): Console {
  const styles: Partial<Record<'stdout' | 'stderr', Promise<Style>>> = {};
  let spinner: { stop(): void } | undefined;
  // The present task: a spinner that is loaded too late must not turn after the result.
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
  // A reader that has gone does not change what the exit code says.
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
    // The message itself may end with the only fault there is, or the first one.
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
