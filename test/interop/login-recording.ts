import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { terminalPicture } from './terminal-picture.ts';
import { run } from './tools.ts';

/** One check of a recording: no reasons means that it passed. */
export interface RecordedCheck {
  readonly what: string;
  readonly reasons: readonly string[];
}

const program = resolve('bin/innsigli.cjs');

/** What is missing for a recording; undefined: nothing. */
export async function missingForRecording(): Promise<string | undefined> {
  for (const [tool, option] of [
    ['tmux', '-V'],
    ['zbarimg', '--version'],
  ] as const) {
    if ((await run(tool, [option])).code !== 0) return `${tool} is not installed`;
  }
  return undefined;
}

/**
 * Logins in a real terminal, by device link and by app: success, refusal and Ctrl-C. Text, colours
 * and a picture of each moment are written into the folder; QR codes are read from the pictures.
 */
export async function recordLogins(folder: string): Promise<readonly RecordedCheck[]> {
  mkdirSync(folder, { recursive: true });
  const terminal = await openTerminal(folder);
  try {
    const checks: RecordedCheck[] = [];
    for (const story of [
      ...[linkSucceeds, linkWithoutColour, linkIsCanceled],
      ...[appSucceeds, appIsRefused, appIsCanceled],
    ]) {
      checks.push(...(await story(terminal)));
    }
    return checks;
  } finally {
    await terminal.close();
  }
}

type Terminal = Awaited<ReturnType<typeof openTerminal>>;

async function linkSucceeds(terminal: Terminal): Promise<readonly RecordedCheck[]> {
  await terminal.type('innsigli auth login --method device-link; echo exit=$?');
  await terminal.until('Scan this code');
  const first = await terminal.readQr('link-first');
  await new Promise((done) => setTimeout(done, 2200));
  const later = await terminal.readQr('link-later');
  await terminal.simulate('approve');
  const end = await terminal.until('exit=0');
  await terminal.save('link-success');
  return [
    check('device link: the QR code in a picture holds the link', isLink(first) && isLink(later)),
    check('device link: the QR code is another one two seconds later', first !== later),
    check('device link: logged in, and the QR code is gone', !/[▀▄]/.test(end)),
  ];
}

async function linkWithoutColour(terminal: Terminal): Promise<readonly RecordedCheck[]> {
  await terminal.type('NO_COLOR=1 innsigli auth login --method device-link; echo exit=$?');
  await terminal.until('Scan this code');
  const link = await terminal.readQr('link-plain');
  await terminal.interrupt();
  await terminal.until('exit=130');
  return [check('device link: the QR code without colour is read as well', isLink(link))];
}

async function linkIsCanceled(terminal: Terminal): Promise<readonly RecordedCheck[]> {
  await terminal.type('innsigli auth login --method device-link; echo exit=$?');
  await terminal.until('Scan this code');
  await terminal.interrupt();
  const end = await terminal.until('exit=130');
  await terminal.save('link-canceled');
  return [
    check('device link: Ctrl-C ends with 130', end.includes('error[interrupted]')),
    check('device link: Ctrl-C has told the provider', terminal.lastVerdict() === 'cancelled'),
  ];
}

async function appSucceeds(terminal: Terminal): Promise<readonly RecordedCheck[]> {
  await terminal.type('innsigli auth login --method app --hint 6000101994; echo exit=$?');
  const shown = await terminal.until('Compare this code');
  await terminal.until('Confirm on your device');
  await terminal.save('app-code');
  await terminal.simulate('approve');
  const end = await terminal.until('exit=0');
  await terminal.save('app-success');
  return [
    check('app: a code of four digits is shown', /device: \d{4}/.test(shown)),
    check('app: the person is printed', end.includes('6000101994  Prófgata')),
  ];
}

async function appIsRefused(terminal: Terminal): Promise<readonly RecordedCheck[]> {
  await terminal.type('innsigli auth login --method app --hint 6000101994; echo exit=$?');
  await terminal.until('Compare this code');
  await terminal.simulate('reject');
  const end = await terminal.until('exit=7');
  await terminal.save('app-refused');
  return [check('app: a refusal ends with 7', end.includes('(userCancel)'))];
}

async function appIsCanceled(terminal: Terminal): Promise<readonly RecordedCheck[]> {
  await terminal.type('innsigli auth login --method app --hint 6000101994; echo exit=$?');
  await terminal.until('Compare this code');
  await terminal.interrupt();
  await terminal.until('exit=130');
  await terminal.save('app-canceled');
  return [check('app: Ctrl-C has told the provider', terminal.lastVerdict() === 'cancelled')];
}

function check(what: string, isTrue: boolean): RecordedCheck {
  return { what, reasons: isTrue ? [] : ['it is not so: see the recording'] };
}

function isLink(text: string): boolean {
  return text.startsWith('https://eid-simulator.invalid/device-link?deviceLinkType=QR&');
}

/** A terminal of 100 columns and 45 rows with a service in which the simulator waits. */
async function openTerminal(folder: string) {
  const socket = `innsigli-${process.pid}`;
  const dataDir = join(folder, 'data');
  const env = {
    INNSIGLI_HOME: dataDir,
    INNSIGLI_SIMULATOR_MODE: 'manual',
    LANG: 'C.UTF-8',
    CI: '',
  };
  const tmux = (...options: readonly string[]) => run('tmux', ['-L', socket, ...options], { env });
  const node = (...options: readonly string[]) =>
    run(process.execPath, [program, ...options], { env });
  const made = await node('init', '--name', 'Acme ehf.');
  if (made.code !== 0) throw new Error(`innsigli init: ${made.stderr}`);
  const alias = `innsigli() { '${process.execPath}' '${program}' "$@"; }`;
  await tmux('new-session', '-d', '-x', '100', '-y', '45', 'bash --norc --noprofile');
  await tmux('send-keys', '-l', `${alias}; PS1='$ '; clear`);
  await tmux('send-keys', 'Enter');
  const text = async () => (await tmux('capture-pane', '-p')).stdout;
  const save = async (name: string): Promise<string> => {
    const coloured = (await tmux('capture-pane', '-e', '-N', '-p')).stdout;
    writeFileSync(join(folder, `${name}.txt`), await text());
    writeFileSync(join(folder, `${name}.ansi`), coloured);
    const picture = join(folder, `${name}.png`);
    writeFileSync(picture, terminalPicture(coloured));
    return picture;
  };
  return {
    save,
    async type(line: string) {
      await tmux('send-keys', '-l', `clear; ${line}`);
      await tmux('send-keys', 'Enter');
    },
    interrupt: () => tmux('send-keys', 'C-c'),
    /** What the terminal shows as soon as `words` are there. */
    async until(words: string): Promise<string> {
      const endMs = Date.now() + 30_000;
      for (;;) {
        const shown = await text();
        if (shown.split('\n').some((line) => line.includes(words) && !line.startsWith('$'))) {
          return shown;
        }
        if (Date.now() > endMs) throw new Error(`no ${words} within 30 s:\n${shown}`);
        await new Promise((done) => setTimeout(done, 100));
      }
    },
    /** The QR code in a picture of the terminal, as zbarimg reads it. */
    async readQr(name: string): Promise<string> {
      const picture = await save(name);
      return (await run('zbarimg', ['--raw', '-q', picture])).stdout.trim();
    },
    async simulate(verdict: 'approve' | 'reject') {
      const { code, stderr } = await node('auth', 'simulate', verdict);
      if (code !== 0) throw new Error(`auth simulate ${verdict}: ${stderr}`);
    },
    /** What was decided on the session that was opened last. */
    lastVerdict(): string | undefined {
      const desk = join(dataDir, 'simulator');
      const opened = readdirSync(desk)
        .filter((each) => each.endsWith('.open'))
        .map((each) => ({
          session: each.slice(0, -5),
          ...(JSON.parse(readFileSync(join(desk, each), 'utf8')) as { openedAtMs: number }),
        }))
        .sort((a, b) => b.openedAtMs - a.openedAtMs);
      const verdict = `${opened[0]?.session}.verdict`;
      return readdirSync(desk).includes(verdict)
        ? readFileSync(join(desk, verdict), 'utf8')
        : undefined;
    },
    // The server is ours: it has a socket of its own.
    close: () => tmux('kill-server'),
  };
}
