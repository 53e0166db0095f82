import { isRecord } from '../../base/input.ts';
import { type FlowValue, type FlowValues, valuePointer } from '../../domain/flow/index.ts';

/**
 * JSON pointer to the first value that cannot be shown, among those that placeholders with these
 * names may have printed. Undefined if there is none.
 *
 * @param isShown false for a text with characters that have no glyph
 */
export function unshownPointer(
  values: FlowValues,
  names: ReadonlySet<string>,
  isShown: (text: string) => boolean,
): string | undefined {
  if (names.size === 0) return undefined;
  for (const { path, text } of textsIn(values, [])) {
    if (isPrinted(path, names) && !isShown(text)) return valuePointer(path);
  }
  return undefined;
}

interface PlacedText {
  readonly path: readonly string[];
  readonly text: string;
}

// Terminates: values are bounded in size and depth.
function* textsIn(value: FlowValue, path: readonly string[]): Generator<PlacedText> {
  if (typeof value === 'string') yield { path, text: value };
  const isList = Array.isArray(value);
  if (!isList && !isRecord(value)) return;
  for (const [name, member] of Object.entries(value as Readonly<Record<string, FlowValue>>)) {
    yield* textsIn(member, [...path, name]);
  }
}

/** True for a value that a placeholder with one of these names may refer to, also within lists. */
function isPrinted(path: readonly string[], names: ReadonlySet<string>): boolean {
  const isMember = /^\d+$/.test(path.at(-1) ?? '');
  if (isMember && names.has('value')) return true;
  return path.some((_, at) => names.has(path.slice(at).join('.')));
}
