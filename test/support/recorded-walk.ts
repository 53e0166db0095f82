/** Records which files lead to a moment: whose functions are waiting while something is done. */
import { Session } from 'node:inspector';
import { createRequire } from 'node:module';
import { onTestFinished } from 'vitest';

/** Limit for the longest chain of calls and awaits. */
const DEPTH = 400;
const note = 'recorded walk';

// The console of the inspector; that of the process is replaced by the test runner.
const { console: inspected } = createRequire(import.meta.url)('node:inspector') as {
  readonly console: Console;
};

interface CallFrames {
  readonly callFrames: readonly { readonly url: string }[];
  readonly parent?: CallFrames | undefined;
}

/**
 * Watches the first call of a method while the test runs. The result lists the files of `src` that
 * wait for that call, outermost first: those on its stack, those that await it, and those that only
 * pass on another's promise. Consecutive frames of a file are listed once.
 */
export function recordWalk<Name extends string>(
  target: { [Each in Name]: unknown },
  name: Name,
  isMeant: (self: unknown, args: readonly unknown[]) => boolean = () => true,
): () => readonly string[] {
  const session = new Session();
  let frames: readonly string[] = [];
  session.connect();
  session.on('Runtime.consoleAPICalled', ({ params }) => {
    if (params.args[0]?.value === note) frames = filesOf(params.stackTrace);
  });
  session.post('Runtime.enable');
  // Notifications of earlier sessions are sent again.
  frames = [];
  session.post('Debugger.enable');
  session.post('Debugger.setAsyncCallStackDepth', { maxDepth: DEPTH });
  const original = target[name] as (...args: unknown[]) => unknown;
  const watched = function (this: unknown, ...args: unknown[]) {
    if (frames.length === 0 && isMeant(this, args)) inspected.trace(note);
    return original.apply(this, args);
  };
  Object.assign(target, { [name]: watched });
  onTestFinished(() => {
    Object.assign(target, { [name]: original });
    session.disconnect();
  });
  return () => frames;
}

function filesOf(stack: CallFrames | undefined): readonly string[] {
  const files: string[] = [];
  for (let trace = stack; trace !== undefined; trace = trace.parent) {
    for (const { url } of trace.callFrames) {
      const file = /\/src\/(.+)\.ts$/.exec(url)?.[1];
      if (file !== undefined && file !== files.at(-1)) files.push(file);
    }
  }
  return files.reverse();
}

/** Whether a file before this one occurs again after it: it was called back. */
export function callsBack(frames: readonly string[], file: string): boolean {
  const at = frames.indexOf(file);
  return at > 0 && frames.slice(0, at).some((before) => frames.indexOf(before, at) >= 0);
}
