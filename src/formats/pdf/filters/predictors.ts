import { InnsigliError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { undoPngRow } from '../../image/index.ts';

/** Returns a filter parameter by name, or `otherwise` if it is missing. */
export type Parameters = (key: string, otherwise: number) => number;

/**
 * The data with the predictor of its filter reversed: none, TIFF or PNG.
 *
 * @throws pdf.stream.invalid if a parameter or a row type is invalid
 * @spec ISO 32000-1 §7.4.4.4
 */
export function undoPredictor(data: Uint8Array, parameters: Parameters): Uint8Array {
  const predictor = parameters('Predictor', 1);
  if (predictor === 1) return data;
  const columns = parameters('Columns', 1);
  const colors = parameters('Colors', 1);
  const bits = parameters('BitsPerComponent', 8);
  const known = predictor === 2 || (predictor >= 10 && predictor <= 15);
  const rowBytes = Math.ceil((columns * colors * bits) / 8);
  const sane = columns >= 1 && colors >= 1 && colors <= 1_024 && [1, 2, 4, 8, 16].includes(bits);
  if (!known || !sane || rowBytes > limits.pdfDecodedBytes) {
    const message = 'the predictor of a stream has invalid parameters';
    const details = { predictor, columns, colors, bits };
    throw new InnsigliError('pdf.stream.invalid', message, { details });
  }
  const pixelBytes = Math.max(1, (colors * bits) >> 3);
  if (predictor === 2) return undoTiff(data, rowBytes, columns, colors, bits);
  return undoPng(data, rowBytes, pixelBytes);
}

/**
 * Each row starts with a byte that names its filter, followed by the filtered bytes; a truncated
 * last row is decoded as far as it goes.
 *
 * @spec ISO/IEC 15948 (PNG) §9
 */
function undoPng(data: Uint8Array, rowBytes: number, pixelBytes: number): Uint8Array {
  const rows = Math.ceil(data.length / (rowBytes + 1));
  const output = new Uint8Array(data.length - rows);
  for (let row = 0; row < rows; row++) {
    const from = row * (rowBytes + 1);
    const type = data[from] as number;
    const count = Math.min(rowBytes, data.length - from - 1);
    const to = row * rowBytes;
    output.set(data.subarray(from + 1, from + 1 + count), to);
    if (type > 4) throw new InnsigliError('pdf.stream.invalid', `unknown PNG row type ${type}`);
    undoPngRow(output, to, count, type, row === 0 ? 0 : rowBytes, pixelBytes);
  }
  return output;
}

/** Each component is stored as the difference to that of the pixel on its left. */
function undoTiff(
  data: Uint8Array,
  rowBytes: number,
  columns: number,
  colors: number,
  bits: number,
): Uint8Array {
  const output = Uint8Array.from(data);
  for (let start = 0; start < output.length; start += rowBytes) {
    const row = output.subarray(start, Math.min(start + rowBytes, output.length));
    if (bits === 8) {
      for (let i = colors; i < row.length; i++) {
        row[i] = (row[i] as number) + (row[i - colors] as number);
      }
    } else if (bits === 16) {
      for (let i = 2 * colors; i + 1 < row.length; i += 2) {
        const left = ((row[i - 2 * colors] as number) << 8) | (row[i - 2 * colors + 1] as number);
        const sum = (((row[i] as number) << 8) | (row[i + 1] as number)) + left;
        row[i] = sum >> 8;
        row[i + 1] = sum;
      }
    } else {
      undoTiffBits(row, columns * colors, colors, bits);
    }
  }
  return output;
}

function undoTiffBits(row: Uint8Array, components: number, colors: number, bits: number): void {
  const mask = (1 << bits) - 1;
  const count = Math.min(components, Math.floor((row.length * 8) / bits));
  const shiftOf = (component: number): number => 8 - bits - ((component * bits) & 7);
  for (let i = colors; i < count; i++) {
    const left = ((row[((i - colors) * bits) >> 3] as number) >> shiftOf(i - colors)) & mask;
    const at = (i * bits) >> 3;
    const shift = shiftOf(i);
    const sum = (((row[at] as number) >> shift) + left) & mask;
    row[at] = ((row[at] as number) & ~(mask << shift)) | (sum << shift);
  }
}
