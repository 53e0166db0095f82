import type { EidWords } from '../../base/words/index.ts';
import { printable } from '../output/index.ts';
import { type QrModules, qrLines } from './qr.ts';
import { stepText, timeLeft } from './words.ts';

/** What is shown during a login or signature. */
export interface EidView {
  /** The person's action: `Log in with App`. */
  readonly title: string;
  readonly verificationCode: string;
  readonly qr?: QrModules | undefined;
  readonly step?: string | undefined;
  readonly leftMs: number;
}

/** The terminal window used for drawing. */
export interface EidWindow {
  readonly columns: number;
  readonly rows: number;
  /** Colours are allowed: a QR code is then black on white. */
  readonly colour: boolean;
}

/** Lines around a QR code: title, instruction, code, step, and blank lines. */
const LINES_AROUND = 4;

/** True if the QR code and its surrounding lines fit into the window. */
export function fits(qr: QrModules, { columns, rows }: EidWindow): boolean {
  const height = Math.ceil(qr.length / 2) + LINES_AROUND;
  return (qr[0]?.length ?? 0) < columns && height < rows;
}

/** Renders a view as lines that fit; wrapped ones cannot be redrawn. Omits an oversized QR code. */
export function eidFrame(view: EidView, window: EidWindow, words: EidWords): readonly string[] {
  const { title, verificationCode, qr, step, leftMs } = view;
  const cut = (text: string) => [...printable(text)].slice(0, window.columns - 1).join('');
  const code = bigCode(verificationCode);
  const isShown = qr !== undefined && fits(qr, window);
  const hasRoom = window.rows > code.length + LINES_AROUND + 3;
  return [
    cut(title),
    ...(isShown ? [cut(words.scan), ...qrLines(qr, window.colour)] : []),
    ...(verificationCode === '' ? [] : [cut(`${words.compare} ${verificationCode}`)]),
    ...(hasRoom && code.length > 0 && !isShown ? ['', ...code.map(cut), ''] : []),
    cut(`${stepText(words, step)}  ${timeLeft(words, leftMs)}`),
  ];
}

const digits: Readonly<Record<string, readonly string[]>> = {
  '0': ['███', '█ █', '█ █', '█ █', '███'],
  '1': [' ██', '  █', '  █', '  █', '  █'],
  '2': ['███', '  █', '███', '█  ', '███'],
  '3': ['███', '  █', '███', '  █', '███'],
  '4': ['█ █', '█ █', '███', '  █', '  █'],
  '5': ['███', '█  ', '███', '  █', '███'],
  '6': ['███', '█  ', '███', '█ █', '███'],
  '7': ['███', '  █', '  █', '  █', '  █'],
  '8': ['███', '█ █', '███', '█ █', '███'],
  '9': ['███', '█ █', '███', '  █', '███'],
};

/** Renders a code's digits in five lines, legible from afar; none if it has other characters. */
function bigCode(code: string): readonly string[] {
  const shapes = [...code].map((digit) => digits[digit]);
  if (code === '' || shapes.includes(undefined)) return [];
  return [0, 1, 2, 3, 4].map((row) => shapes.map((shape) => shape?.[row]).join('  '));
}
