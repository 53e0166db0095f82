import { spawn, spawnSync } from 'node:child_process';

/** Shells with completion, and the command that starts each without user files. */
export const shellStarts = {
  bash: ['bash', '--norc', '--noprofile', '-i'],
  zsh: ['zsh', '-f', '-i'],
  fish: ['fish', '--no-config', '-i'],
} as const;
/** One of {@link shellStarts}. */
export type ShellName = keyof typeof shellStarts;

/** True if the shell is installed, and script(1), which provides its terminal. */
export function hasShell(shell: ShellName): boolean {
  return [shell, 'script'].every((name) => spawnSync(name, ['--version']).status === 0);
}

const waitMs = 30_000;

/** Opens a shell at a terminal. */
export async function openShell(
  shell: ShellName,
  cwd: string,
  env: Readonly<Record<string, string>>,
  loading: readonly string[],
) {
  const child = spawn('script', ['-qefc', shellStarts[shell].join(' '), '/dev/null'], {
    cwd,
    env: { ...env, TERM: 'xterm', LC_ALL: 'C.UTF-8', INPUTRC: '/dev/null' },
  });
  let shown = '';
  child.stdout.on('data', (chunk: Buffer) => {
    shown += chunk.toString('utf8');
    // fish asks for the terminal type and waits for the response.
    if (chunk.includes('\u001b[c') || chunk.includes('\u001b[0c')) child.stdin.write('\u001b[?62c');
  });
  const waitFor = async (text: string): Promise<string> => {
    const end = Date.now() + waitMs;
    while (!shown.includes(text)) {
      if (Date.now() > end) throw new Error(`${shell} shows no ${text} in: ${shown.slice(-2000)}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const found = shown;
    shown = '';
    return found;
  };
  let count = 0;
  const settle = async () => {
    count += 1;
    // Split, so that the echo of the command does not match the text waited for.
    child.stdin.write(`echo set'tled'${count}\r`);
    await waitFor(`settled${count}`);
  };
  await settle();
  for (const line of loading) child.stdin.write(`${line}\r`);
  await settle();
  return {
    /** Types a line, presses Tab at its end, waits for the shell, and presses Enter. */
    async complete(line: string): Promise<string> {
      child.stdin.write(`${line}\t`);
      await quiet(() => shown.length);
      child.stdin.write('\r');
      const text = await waitFor(']GOT');
      return /GOT\[([^\]]*)\]GOT/.exec(text)?.[1] ?? '';
    },
    close() {
      child.stdin.write('\u0003\rexit\r');
      child.kill('SIGKILL');
    },
  };
}

/** Resolves when the shell has responded to the Tab and is silent for a while. */
async function quiet(length: () => number): Promise<void> {
  const stillMs = 700;
  let [last, since] = [length(), Date.now()];
  const end = Date.now() + waitMs;
  while (Date.now() < end && Date.now() - since < stillMs) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    if (length() === last) continue;
    last = length();
    since = Date.now();
  }
}
