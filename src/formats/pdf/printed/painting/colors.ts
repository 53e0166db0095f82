import {
  asArray,
  asInteger,
  asName,
  asStream,
  type PdfName,
  type PdfObject,
} from '../../syntax/objects.ts';

/** As much of a colour space as tells what is white in it: with light, with ink, or neither. */
export type ColorKind = 'light' | 'ink' | 'other';

/** True for the colour of blank paper. */
export function isWhite(kind: ColorKind, components: readonly unknown[]): boolean {
  if (kind === 'other' || components.length === 0) return false;
  return components.every(
    (each) => typeof each === 'number' && (kind === 'light' ? each >= 0.995 : each <= 0.005),
  );
}

/** @spec ISO 32000-1 §8.6 */
export function colorKindOf(
  space: PdfObject,
  resolve: (value: PdfObject | undefined) => PdfObject,
): ColorKind {
  const list = asArray(space);
  const name = (asName(space) ?? asName(resolve(list?.[0])))?.value;
  if (name !== 'ICCBased') return kinds.get(name) ?? 'other';
  const count = asInteger(resolve(asStream(resolve(list?.[1]))?.dict.get('N')));
  return count === 4 ? 'ink' : 'light';
}

const kinds: ReadonlyMap<string | undefined, ColorKind> = new Map<string, ColorKind>([
  ...['DeviceGray', 'DeviceRGB', 'CalGray', 'CalRGB', 'G', 'RGB'].map(
    (name) => [name, 'light'] as const,
  ),
  ...['DeviceCMYK', 'CMYK', 'Separation', 'DeviceN'].map((name) => [name, 'ink'] as const),
]);

/** Names of colour spaces that need no resource. */
export function isDeviceSpace({ value }: PdfName): boolean {
  return value.startsWith('Device') || value === 'Pattern';
}
