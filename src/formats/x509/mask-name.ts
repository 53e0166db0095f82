/** One attribute of a name in the format of `describeName`, with the preceding separator. */
const attributeForm = /(^|[,+])([^=,+\\]+)=((?:\\.|[^,+\\])*)/gsu;
/** Attributes that contain only an identification number of the subject. */
const numberAttributes = new Set(['serialnumber', 'uid']);
/** Words with digits, and sequences of such words: `010101-12345`, `131052A308T`. */
const numberForm =
  /(?<![\p{L}\p{Nd}])\p{L}*\p{Nd}[\p{L}\p{Nd}]*(?:\\?[\s./+\p{Pd}]\p{Nd}[\p{L}\p{Nd}]*)*/gu;
/** Years and versions have fewer digits, national identification numbers have more. */
const NUMBER_DIGITS_MIN = 6;

/**
 * A certificate name in the format of {@link describeName}, or a part of it, without personal
 * numbers. Masks `serialNumber` and `UID`, and in other attributes words with six digits or more,
 * because common names contain them too (`CN=JÕEORG\,JAAK-KRISTJAN\,38001085718`). Hexadecimal
 * values are masked too: they are not human-readable.
 *
 * @param also applied to each remaining value
 * @spec RFC 4514 §2, ETSI EN 319 412-1 §5.1.3
 */
export function maskName(name: string, also = (value: string): string => value): string {
  if (/^#[0-9a-f]*$/i.test(name)) return '#…';
  if (!name.includes('=')) return also(withoutNumbers(name));
  return name.replace(attributeForm, (_, before: string, type: string, value: string) => {
    const isNumber = numberAttributes.has(type.trim().toLowerCase());
    return `${before}${type}=${isNumber ? '…' : also(withoutNumbers(value))}`;
  });
}

function withoutNumbers(value: string): string {
  if (/^#[0-9a-f]*$/i.test(value)) return '#…';
  return value.replace(numberForm, (found) =>
    (found.match(/\p{Nd}/gu) ?? []).length < NUMBER_DIGITS_MIN ? found : '…',
  );
}

/**
 * The unescaped value of the first, most specific, attribute of a type in an RFC 4514 name.
 * Undefined if there is none.
 *
 * @spec RFC 4514 §2
 */
export function valueInName(distinguishedName: string, type: 'CN' | 'O'): string | undefined {
  const start = `${type}=`;
  for (const part of partsOf(distinguishedName)) {
    if (part.length > start.length && part.startsWith(start)) {
      return unescapedValue(part.slice(start.length));
    }
  }
  return undefined;
}

/** The attributes of a name. A single regular expression would fail on megabytes of text. */
function* partsOf(name: string): Generator<string> {
  let from = 0;
  for (const { 0: found, index } of name.matchAll(/\\.|[,+]/gs)) {
    if (found.length > 1) continue;
    yield name.slice(from, index);
    from = index + 1;
  }
  yield name.slice(from);
}

/** Reverses the escaping of a value. @spec RFC 4514 §2.4 */
function unescapedValue(value: string): string {
  return value.replace(
    /((?:\\[0-9a-f]{2}){1,65536})|\\(.)/gis,
    (_, pairs?: string, character = '') => {
      if (pairs === undefined) return character;
      return Buffer.from(pairs.replaceAll('\\', ''), 'hex').toString('utf8');
    },
  );
}
