import { attemptAny } from '../../base/errors.ts';
/** A QR code as rows of modules, dark ones true, with its quiet zone. */
export type QrModules = readonly (readonly boolean[])[];

/** Half of what ISO/IEC 18004 §9.1 requires: phone scanners accept it, and windows are small. */
const QUIET_ZONE = 2;

/** Returns the QR code of a text. Undefined if the text is too long. */
export async function qrModules(text: string): Promise<QrModules | undefined> {
  const { encode } = await import('uqr');
  return attemptAny(() => encode(text, { ecc: 'L', border: QUIET_ZONE }).data);
}

/** Returns the QR code of a text as an SVG document. Undefined as for {@link qrModules}. */
export async function qrSvg(text: string): Promise<string | undefined> {
  const { renderSVG } = await import('uqr');
  return attemptAny(() => `${renderSVG(text, { ecc: 'L', border: 4, pixelSize: 8 })}\n`);
}

/** Black on white regardless of the terminal's colours, as scanners require. */
const blackOnWhite = '\u001b[38;5;16;48;5;231m';
const usual = '\u001b[0m';

/**
 * Renders a QR code for a terminal, two modules per cell, one above the other. Without colour,
 * light modules are drawn, as terminals with a dark background require.
 */
export function qrLines(modules: QrModules, colour: boolean): readonly string[] {
  const width = modules[0]?.length ?? 0;
  const lines: string[] = [];
  for (let row = 0; row < modules.length; row += 2) {
    let line = '';
    for (let column = 0; column < width; column += 1) {
      const upper = modules[row]?.[column] === true;
      const lower = modules[row + 1]?.[column] === true;
      // If the number of rows is odd, the quiet zone follows the last one.
      line += colour ? cell(upper, lower) : cell(!upper, !lower);
    }
    lines.push(colour ? `${blackOnWhite}${line}${usual}` : line);
  }
  return lines;
}

function cell(upper: boolean, lower: boolean): string {
  if (upper) return lower ? '█' : '▀';
  return lower ? '▄' : ' ';
}
