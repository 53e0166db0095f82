import {
  asArray,
  asInteger,
  asName,
  asStream,
  type PdfName,
  type PdfObject,
} from '../../syntax/objects.ts';

/** Class of a colour space, to recognise white: additive (light), subtractive (ink) or neither. */
export type ColorKind = 'light' | 'ink' | 'other';

/** Whether a colour is that of blank paper. */
export function isWhite(kind: ColorKind, components: readonly unknown[]): boolean {
  if (kind === 'other' || components.length === 0) return false;
  return components.every(
    (each) => typeof each === 'number' && (kind === 'light' ? each >= 0.995 : each <= 0.005),
  );
}

/** The class of a colour space. @spec ISO 32000-1 §8.6 */
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

/** Whether a colour space name needs no resource. */
export function isDeviceSpace({ value }: PdfName): boolean {
  return value.startsWith('Device') || value === 'Pattern';
}
