import { attemptAny } from '../../base/errors.ts';
/** A QR code as rows of modules, dark ones true, with its quiet zone. */
export type QrModules = readonly (readonly boolean[])[];

/** Half of what ISO/IEC 18004 §9.1 asks for: scanners of phones are content, and windows small. */
const QUIET_ZONE = 2;

/** The QR code of a text; undefined for one that is too long for any. */
export async function qrModules(text: string): Promise<QrModules | undefined> {
  const { encode } = await import('uqr');
  return attemptAny(() => encode(text, { ecc: 'L', border: QUIET_ZONE }).data);
}

/** The QR code of a text as an SVG document; undefined as of {@link qrModules}. */
export async function qrSvg(text: string): Promise<string | undefined> {
  const { renderSVG } = await import('uqr');
  return attemptAny(() => `${renderSVG(text, { ecc: 'L', border: 4, pixelSize: 8 })}\n`);
}

/** Black on white, whatever the colours of the terminal are: scanners take no other. */
const blackOnWhite = '\u001b[38;5;16;48;5;231m';
const usual = '\u001b[0m';

/**
 * The lines of a QR code for a terminal, two modules above each other in a cell. Without colour
 * light modules are drawn, as terminals with a dark background need it.
 */
export function qrLines(modules: QrModules, colour: boolean): readonly string[] {
  const width = modules[0]?.length ?? 0;
  const lines: string[] = [];
  for (let row = 0; row < modules.length; row += 2) {
    let line = '';
    for (let column = 0; column < width; column += 1) {
      const upper = modules[row]?.[column] === true;
      const lower = modules[row + 1]?.[column] === true;
      // Below the last row of an odd number there is quiet zone.
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
