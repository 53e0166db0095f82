import { PdfName } from '../syntax/objects.ts';
import type { Operand } from './content-tokens.ts';

/** Maximum length in bytes of image data that is skipped unchecked. */
const LENGTH_MAX = 1 << 26;

/** Components per pixel of the colour spaces with predefined names. */
const components: ReadonlyMap<string, number> = new Map([
  ['G', 1],
  ['DeviceGray', 1],
  ['CalGray', 1],
  ['RGB', 3],
  ['DeviceRGB', 3],
  ['CMYK', 4],
  ['DeviceCMYK', 4],
]);

/**
 * The length of an inline image's data in bytes, if its entries determine it; undefined with a
 * filter, or with a named colour space of the resources.
 *
 * @param operands the operands between `BI` and `ID`
 * @spec ISO 32000-1 §8.9.7
 */
export function inlineImageBytes(operands: readonly Operand[]): number | undefined {
  const entries = entriesOf(operands);
  const number = (...names: string[]): number | undefined => {
    const value = names.map((name) => entries.get(name)).find((each) => each !== undefined);
    return typeof value === 'number' ? value : undefined;
  };
  if (entries.has('F') || entries.has('Filter')) return undefined;
  const [width, height] = [number('W', 'Width'), number('H', 'Height')];
  const isMask = entries.has('IM') || entries.has('ImageMask');
  const space = entries.get('CS') ?? entries.get('ColorSpace');
  const perPixel = space instanceof PdfName ? components.get(space.value) : undefined;
  const bits = isMask ? 1 : (number('BPC', 'BitsPerComponent') ?? 8) * (perPixel ?? Number.NaN);
  const length = Math.ceil(((width ?? Number.NaN) * bits) / 8) * (height ?? Number.NaN);
  return length >= 0 && length <= LENGTH_MAX ? length : undefined;
}

/** Names with the values that follow; names of dictionaries, which were skipped, have none. */
function entriesOf(operands: readonly Operand[]): ReadonlyMap<string, Operand | undefined> {
  const entries = new Map<string, Operand | undefined>();
  for (let at = 0; at < operands.length; at++) {
    const name = operands[at];
    if (!(name instanceof PdfName)) continue;
    const hasNone = name.value === 'DP' || name.value === 'DecodeParms';
    const value = operands[at + 1];
    if (!hasNone || !(value instanceof PdfName)) at++;
    entries.set(name.value, value);
  }
  return entries;
}
