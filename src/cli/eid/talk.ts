import { InnsigliError } from '../../base/errors.ts';
import { osReason } from '../../base/os-errors.ts';
import type { EidWords } from '../../base/words/index.ts';
import type { CommandContext } from '../context.ts';
import type { OutputStream } from '../io.ts';
import { hasColour, printable } from '../output/index.ts';
import type { EidNews, EidSession } from './eid-session.types.ts';
import { type EidWindow, eidFrame, fits } from './frame.ts';
import { type QrModules, qrModules, qrSvg } from './qr.ts';
import { eidWords, stepText } from './words.ts';

/** Display modes of a QR code at the terminal. */
export const qrForms = ['auto', 'plain', 'none'] as const;

/** An event of a session for programs, one per line. */
export type EidEvent =
  | {
      readonly event: 'challenge';
      readonly verificationCode?: string;
      readonly qrData?: string;
      readonly redirectUrl?: string;
      readonly expiresAt: string;
    }
  | { readonly event: 'pending'; readonly step: string };

/** Display options. */
export interface DisplayOptions {
  /** `auto`: black on white if there is colour; `plain`: without colour; `none`: only the link. */
  readonly qr?: (typeof qrForms)[number] | undefined;
  /** SVG file for the QR code, rewritten whenever the code changes. */
  readonly qrFile?: string | undefined;
  /** Called with each change. */
  readonly onEvent?: ((event: EidEvent) => void) | undefined;
}

/** Display of a pending session. */
export interface EidDisplay {
  /** True if it is updated every second, not only at each poll. */
  readonly ticks: boolean;
  show(news: EidNews): Promise<void>;
  close(): void;
}

/** Displays a session as it changes: redrawn in place on a terminal, elsewhere line by line. */
export async function openDisplay(
  session: EidSession<unknown>,
  context: CommandContext,
  options: DisplayOptions,
): Promise<EidDisplay> {
  const { io, console, globals } = context;
  const words = eidWords(io.env);
  const { qrData, redirectUrl, verificationCode } = session.started;
  const now = {
    link: qrData,
    verificationCode,
    redirectUrl,
    step: undefined as string | undefined,
  };
  const isQuiet = globals.json || globals.quiet;
  const isLive = !isQuiet && canDraw(io);
  const area = isLive ? openLiveArea(io.stderr) : undefined;
  const drawing = { colour: options.qr !== 'plain' && hasColour(io.stderr, io.env, globals.color) };
  const window = (): EidWindow => ({
    ...{ columns: io.stderr.columns ?? 0, rows: io.stderr.rows ?? 0 },
    ...drawing,
  });
  const draw = (qr: QrModules | undefined) => {
    const view = { title: titleOf(session), ...now, qr, leftMs: session.expiresAtMs - io.now() };
    area?.draw(eidFrame(view, window(), words));
  };
  const modules = async () =>
    now.link === undefined || options.qr === 'none' ? undefined : qrModules(now.link);
  const tell = () => {
    const expiresAt = new Date(session.expiresAtMs).toISOString();
    const shown = { verificationCode: now.verificationCode || undefined, qrData: now.link };
    const page = now.redirectUrl;
    const event = { event: 'challenge', ...shown, redirectUrl: page, expiresAt } as const;
    options.onEvent?.(JSON.parse(JSON.stringify(event)) as EidEvent);
  };

  const first = await modules();
  tell();
  await writeSvg(options.qrFile, now.link);
  if (!isQuiet) {
    const isDrawn = isLive && first !== undefined && fits(first, window());
    console.note(opening(session, words, { isLive, isDrawn, qrFile: options.qrFile }));
  }
  draw(first);
  return {
    ticks: isLive || options.onEvent !== undefined || options.qrFile !== undefined,
    async show(news) {
      const { step, link, verificationCode: code, redirectUrl: page } = { ...now, ...news };
      const isPage = page !== now.redirectUrl;
      const isNew = link !== now.link || code !== now.verificationCode || isPage;
      const isStep = step !== now.step;
      Object.assign(now, { step, link, verificationCode: code, redirectUrl: page });
      if (isPage && page !== undefined && !isQuiet) {
        area?.clear();
        console.note([words.openPage, printable(page)]);
      }
      if (isNew) {
        tell();
        await writeSvg(options.qrFile, link);
      }
      if (isStep && step !== undefined) options.onEvent?.({ event: 'pending', step });
      if (isLive) draw(await modules());
      else if (isStep && !isQuiet) console.note(stepText(words, step));
    },
    close: () => area?.clear(),
  };
}

/** Lines shown once, above those that change. */
function opening(
  session: EidSession<unknown>,
  words: EidWords,
  { isLive, isDrawn, qrFile }: { isLive: boolean; isDrawn: boolean; qrFile?: string | undefined },
): readonly string[] {
  const { qrData, redirectUrl } = session.started;
  return [
    ...(isLive ? [] : [titleOf(session)]),
    ...(qrFile === undefined ? [] : [`${words.scan} ${printable(qrFile)}`]),
    ...(qrData === undefined || isDrawn ? [] : [words.openLink, printable(qrData)]),
    ...(redirectUrl === undefined ? [] : [words.openPage, printable(redirectUrl)]),
    ...(isLive ? [] : codeLine(session, words)),
  ];
}

function codeLine({ started }: EidSession<unknown>, words: EidWords): readonly string[] {
  const { verificationCode } = started;
  return verificationCode === '' ? [] : [`${words.compare} ${printable(verificationCode)}`];
}

/** Certificates and results of test persons prove nothing, so the title says so. */
function titleOf({ title, isSimulated }: EidSession<unknown>): string {
  return isSimulated ? `${title} (TEST: simulator)` : title;
}

/** True for a terminal with a movable cursor and a known size. */
function canDraw({ stderr, env }: CommandContext['io']): boolean {
  const isSized = (stderr.columns ?? 0) > 1 && (stderr.rows ?? 0) > 1;
  return stderr.isTerminal && isSized && env['TERM'] !== 'dumb' && !env['CI'];
}

async function writeSvg(file: string | undefined, text: string | undefined): Promise<void> {
  if (file === undefined || text === undefined) return;
  const svg = await qrSvg(text);
  if (svg === undefined) return;
  const { writeFileSync } = await import('node:fs');
  try {
    writeFileSync(file, svg, { mode: 0o600 });
  } catch (cause) {
    const message = `--qr-file: ${printable(file)} cannot be written: ${osReason(cause)}`;
    throw new InnsigliError('io.output.unwritable', message, { cause, details: { output: file } });
  }
}

/**
 * Lines at the end of a terminal that are redrawn in place. They must be narrower than the
 * terminal, printable, and fewer than its rows. Cursor movements are written as bytes, which bypass
 * the text guard.
 */
function openLiveArea(stream: OutputStream) {
  let drawn: readonly string[] = [];
  const back = () => (drawn.length === 0 ? '' : `\u001b[${drawn.length}F\u001b[0J`);
  const write = (text: string) => {
    if (text !== '') stream.write(Buffer.from(text, 'utf8'));
  };
  return {
    draw(lines: readonly string[]): void {
      if (lines.length === drawn.length && lines.every((line, at) => line === drawn[at])) return;
      write(back() + lines.map((line) => `${line}\n`).join(''));
      drawn = lines;
    },
    clear(): void {
      write(back());
      drawn = [];
    },
  };
}
