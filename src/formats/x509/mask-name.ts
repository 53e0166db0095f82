/** One attribute of a name as `describeName` writes it, with the separator before it. */
const attributeForm = /(^|[,+])([^=,+\\]+)=((?:\\.|[^,+\\])*)/gsu;
/** Attributes that are numbers of whoever is named, and nothing else. */
const numbersAlone = new Set(['serialnumber', 'uid']);
/** Words with digits in them, and such words after one another: `010101-12345`, `131052A308T`. */
const numberForm =
  /(?<![\p{L}\p{Nd}])\p{L}*\p{Nd}[\p{L}\p{Nd}]*(?:\\?[\s./+\p{Pd}]\p{Nd}[\p{L}\p{Nd}]*)*/gu;
/** Years and versions have fewer digits, national numbers more. */
const NUMBER_DIGITS_MIN = 6;

/**
 * The name of a certificate, as {@link describeName} writes it or a part of it, without personal
 * numbers: `serialNumber` and `UID`, and in any other attribute words with six digits or more,
 * since common names hold them too (`CN=JÕEORG\,JAAK-KRISTJAN\,38001085718`). Hexadecimal values
 * are left out: they are not human-readable.
 *
 * @param also applied to each value besides
 * @spec RFC 4514 §2, ETSI EN 319 412-1 §5.1.3
 */
export function maskName(name: string, also = (value: string): string => value): string {
  if (/^#[0-9a-f]*$/i.test(name)) return '#…';
  if (!name.includes('=')) return also(withoutNumbers(name));
  return name.replace(attributeForm, (_, before: string, type: string, value: string) => {
    const isNumber = numbersAlone.has(type.trim().toLowerCase());
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
 * The value of the first attribute of a type in a name as RFC 4514 writes it, unescaped: the most
 * specific one. Undefined without one.
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

/** The attributes of a name. One expression for a whole part would fail on megabytes of it. */
function* partsOf(name: string): Generator<string> {
  let from = 0;
  for (const { 0: found, index } of name.matchAll(/\\.|[,+]/gs)) {
    if (found.length > 1) continue;
    yield name.slice(from, index);
    from = index + 1;
  }
  yield name.slice(from);
}

/** @spec RFC 4514 §2.4 */
function unescapedValue(value: string): string {
  return value.replace(
    /((?:\\[0-9a-f]{2}){1,65536})|\\(.)/gis,
    (_, pairs?: string, character = '') => {
      if (pairs === undefined) return character;
      return Buffer.from(pairs.replaceAll('\\', ''), 'hex').toString('utf8');
    },
  );
}
