import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startSmtpServer } from '../support/smtp-server.ts';
import { report, skip } from './checks.ts';
import { run } from './tools.ts';

interface GuideCommand {
  readonly text: string;
  /** Exit code that the guide names. */
  readonly code: number;
}

/** Runs every command of the guide in order, in a folder of its own, and checks how each ended. */
export async function runSigningGuide(folder: string): Promise<void> {
  const smtp = await startSmtpServer();
  try {
    const text = readFileSync('docs/guides/signing.md', 'utf8');
    await runGuide(text.replaceAll(':2525', `:${smtp.port}`), folder);
    const mails = smtp.mails.length;
    report(`the guide sent ${mails} mails`, mails > 5 ? [] : ['expected more']);
  } finally {
    await smtp.close();
  }
}

/** As {@link runSigningGuide}, for the guide of the HTTP interface. */
export function runHttpGuide(folder: string): Promise<void> {
  return runGuide(readFileSync('docs/guides/http.md', 'utf8'), folder);
}

async function runGuide(text: string, folder: string): Promise<void> {
  mkdirSync(join(folder, 'bin'), { recursive: true });
  for (const name of ['agreement', 'annex']) {
    copyFileSync('fixtures/pdf/agreement.pdf', join(folder, `${name}.pdf`));
  }
  const program = `#!/bin/sh\nexec '${process.execPath}' '${resolve('bin/innsigli.cjs')}' "$@"\n`;
  writeFileSync(join(folder, 'bin', 'innsigli'), program, { mode: 0o755 });
  const commands = commandsOf(text);
  const script = join(folder, 'guide.sh');
  writeFileSync(script, scriptOf(commands));
  const { stdout, stderr } = await run('bash', [script], {
    cwd: folder,
    timeoutMs: 180_000,
    env: {
      HOME: folder,
      PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
      XDG_CONFIG_HOME: folder,
      NO_COLOR: '1',
    },
  });
  judge(commands, stdout, stderr);
}

/** Commands of the shell blocks; a long line and a document in the text belong to their command. */
export function commandsOf(markdown: string): readonly GuideCommand[] {
  const blocks = [...markdown.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = '']) => block);
  const commands: GuideCommand[] = [];
  let open: string[] = [];
  let end: string | undefined;
  for (const line of blocks.join('').split('\n')) {
    open.push(line);
    end ??= /<<(\w+)$/.exec(line)?.[1];
    if (end !== undefined ? line !== end : line.endsWith('\\')) continue;
    const text = open.join('\n');
    if (text !== '') commands.push({ text, code: Number(/# exit (\d+)/.exec(text)?.[1] ?? 0) });
    open = [];
    end = undefined;
  }
  return commands;
}

/**
 * A script in one shell, so that variables live on, with a mark on both streams after each command.
 * It ends at the first command that ends otherwise than it should: the rest stands on it.
 */
function scriptOf(commands: readonly GuideCommand[]): string {
  const mark = 'mark() { echo "@@ $1"; echo @@ >&2; [ "$1" = "$2" ] || exit 1; }';
  const marked = commands.map(({ text, code }) => `${text}\nmark $? ${code}\n`);
  return `set -o pipefail\ntrap 'kill $(jobs -p)' EXIT\n${mark}\n${marked.join('')}`;
}

function judge(commands: readonly GuideCommand[], stdout: string, stderr: string): void {
  const codes = [...stdout.matchAll(/^@@ (\d+)$/gm)].map(([, code]) => Number(code));
  const said = stderr.split(/^@@\n/m);
  for (const [index, { text, code }] of commands.entries()) {
    const found = codes[index];
    const name = `guide: ${text.split('\n')[0]?.replace(/\s*(#.*|\\)$/, '')}`;
    if (found === code) report(name);
    else if (found === undefined) skip(name, 'one before it failed');
    else report(name, [`expected exit ${code}, found ${found}`, (said[index] ?? '').slice(-400)]);
  }
}
