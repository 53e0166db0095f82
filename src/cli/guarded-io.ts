import { refuseUsage } from './context.ts';
import type { CliIo, OutputStream } from './io.ts';
import { hasColour, printable, terminalText } from './output/index.ts';

/**
 * The same streams and questions, with all text for a terminal passing through a single filter: no
 * name of a file, certificate or message can move the cursor or hide text. Bytes, and text that a
 * program reads from stdout, pass unchanged.
 */
export function guardedIo(io: CliIo, args: readonly string[]): CliIo {
  const stream = (name: 'stdout' | 'stderr'): OutputStream => {
    const colour = hasColour(io[name], io.env, !args.includes('--no-color'));
    const isGuarded = name === 'stderr' || colour || io[name].isTerminal;
    return isGuarded ? guarded(io[name], colour) : io[name];
  };
  let isRead = false;
  return {
    ...io,
    stdin: {
      isTerminal: io.stdin.isTerminal,
      chunks() {
        if (isRead)
          refuseUsage('-: standard input can be used only once', 'use a file for the other');
        isRead = true;
        return io.stdin.chunks();
      },
    },
    stdout: stream('stdout'),
    stderr: stream('stderr'),
    askPassword: (question) => io.askPassword(printable(question)),
    ask: (question) => io.ask(printable(question)),
    choose: (question, choices) => {
      const shown = choices.map(({ value, name }) => ({ value, name: printable(name) }));
      return io.choose(printable(question), shown);
    },
    confirm: (question) => io.confirm(printable(question)),
    async startSpinner(text, isWanted) {
      const spinner = await io.startSpinner(printable(text), isWanted);
      const { say } = spinner;
      if (say === undefined) return spinner;
      return { stop: () => spinner.stop(), say: (now) => say.call(spinner, printable(now)) };
    },
  };
}

function guarded(stream: OutputStream, colour: boolean): OutputStream {
  return {
    isTerminal: stream.isTerminal,
    isNowhere: stream.isNowhere ?? false,
    get columns() {
      return stream.columns as number;
    },
    get rows() {
      return stream.rows as number;
    },
    write: (chunk) => stream.write(typeof chunk === 'string' ? terminalText(chunk, colour) : chunk),
  };
}
