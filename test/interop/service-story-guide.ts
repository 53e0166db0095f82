import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makePng } from '../support/images.ts';
import { makeTestPki } from '../support/pki.ts';
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

/** As {@link runSigningGuide}, for the other guides of commands. */
export async function runOtherGuides(folder: string): Promise<void> {
  for (const name of ['http', 'screening', 'flows', 'messages', 'login']) {
    await runGuide(readFileSync(`docs/guides/${name}.md`, 'utf8'), join(folder, name));
  }
}

/**
 * As {@link runSigningGuide}, for the commands of the README and of the guides to documents, each
 * section in a folder of its own with the files that it names. What would ask an authority that is
 * made up is left out, and so is what installs.
 */
export async function runReadme(folder: string): Promise<void> {
  await runSections('README.md', folder);
  for (const name of ['sealing', 'xml', 'batch', 'verifying']) {
    await runSections(`docs/guides/${name}.md`, join(folder, name));
  }
}

async function runSections(file: string, folder: string): Promise<void> {
  const [, ...sections] = readFileSync(file, 'utf8').split(/^###? /m);
  for (const section of sections) {
    const [title = ''] = section.split('\n', 1);
    const commands = commandsOf(section);
    const installs = commands.some(({ text }) => text.startsWith('npm ci'));
    if (commands.length === 0 || installs) continue;
    const place = join(folder, title.replaceAll(' ', '-'));
    makeReadmeFiles(place);
    const isLocal = ({ text }: GuideCommand) => !text.includes('tsa.example');
    if (!commands.every(isLocal)) skip(`${file}: ${title}`, 'one command asks tsa.example');
    await runCommands(commands.filter(isLocal), place);
  }
}

/** Four pixels. */
const logo = {
  width: 2,
  height: 2,
  bitDepth: 8,
  colorType: 0,
  rows: [
    [0, 255],
    [255, 0],
  ],
};

function makeReadmeFiles(place: string): void {
  const pdf = readFileSync('fixtures/pdf/agreement.pdf');
  mkdirSync(join(place, 'letters'), { recursive: true });
  const { certificate, issuers, privateKey } = readmeKey();
  const files: Readonly<Record<string, string | Uint8Array>> = {
    'contract.pdf': pdf,
    'report.pdf': pdf,
    'letters/one.pdf': pdf,
    'letters/two.pdf': pdf,
    'data.csv': 'a,b\n',
    'invoice.xml': '<Invoice><Id>1</Id></Invoice>',
    'order.xml': '<Order><Body Id="body">1</Body></Order>',
    'logo.png': makePng(logo),
    'seal.key': privateKey,
    'seal.pem': certificate,
    'issuers.pem': issuers,
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(place, name), content);
}

/** A key as somebody has it who brings their own. */
function readmeKey() {
  const pki = makeTestPki({ nowMs: Date.now() });
  const pem = (name: 'signer' | 'ca') => {
    const body = Buffer.from(pki.member(name).der).toString('base64');
    return `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`;
  };
  const key = pki.member('signer').privateKey.export({ type: 'pkcs8', format: 'pem' });
  return { privateKey: key as string, certificate: pem('signer'), issuers: pem('ca') };
}

function runGuide(text: string, folder: string): Promise<void> {
  return runCommands(commandsOf(text), folder);
}

/** Runs commands in an empty home and without the variables of whoever runs this. */
async function runCommands(commands: readonly GuideCommand[], folder: string): Promise<void> {
  mkdirSync(join(folder, 'bin'), { recursive: true });
  for (const name of ['agreement', 'annex']) {
    copyFileSync('fixtures/pdf/agreement.pdf', join(folder, `${name}.pdf`));
  }
  writeFileSync(join(folder, 'logo.png'), makePng(logo));
  const program = `#!/bin/sh\nexec '${process.execPath}' '${resolve('bin/innsigli.cjs')}' "$@"\n`;
  writeFileSync(join(folder, 'bin', 'innsigli'), program, { mode: 0o755 });
  const form = 'fixtures/pdf/form-with-text-field.pdf';
  copyFileSync(form, join(folder, 'form.pdf'));
  const script = join(folder, 'guide.sh');
  writeFileSync(script, scriptOf(commands));
  const clean = {
    HOME: folder,
    PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
  };
  const variables = Object.entries(clean).map(([name, value]) => `${name}=${value}`);
  const { stdout, stderr } = await run('env', ['-i', ...variables, 'bash', script], {
    cwd: folder,
    timeoutMs: 180_000,
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
