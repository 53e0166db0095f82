import { isRecord, type Read, refuse, singleLine } from '../../base/input.ts';
import { isDay } from '../../base/time/day.ts';
import { type AlgorithmTable, algorithmTable, type KeyFamily } from './algorithm-suites.table.ts';

/** Maximum number of rows per key family: no one distinguishes more sizes. */
const MAX_ROWS = 64;
const MAX_BITS = 1_000_000;

/**
 * Parses the table in a policy file, in the form of {@link AlgorithmTable}. Omitted algorithms
 * prove nothing. Unknown names are rejected, because they may be misspelt.
 *
 * @throws validation.error whose detail `field` names the member
 */
export const readAlgorithmTable: Read<AlgorithmTable> = (value, path) => {
  if (!isRecord(value)) return refuse(path, 'an object', value);
  const at = (name: string) => (path === '' ? name : `${path}.${name}`);
  requireKnown(value, ['name', 'published', 'digests', 'keys'], path);
  const { digests, keys } = value;
  if (!isRecord(digests)) return refuse(at('digests'), 'an object', digests);
  if (!isRecord(keys)) return refuse(at('keys'), 'an object', keys);
  requireKnown(digests, knownDigests, at('digests'));
  requireKnown(keys, families, at('keys'));
  const published = readDay(value['published'], at('published'));
  return {
    name: singleLine(100)(value['name'], at('name')),
    published:
      published ?? refuse(at('published'), 'a date such as 2026-12-31', value['published']),
    digests: Object.fromEntries(
      Object.entries(digests).map(([name, end]) => [name, readDay(end, at(`digests.${name}`))]),
    ),
    keys: Object.fromEntries(
      families.map((family) => [family, readRows(keys[family] ?? [], at(`keys.${family}`))]),
    ) as AlgorithmTable['keys'],
  };
};

const families: readonly KeyFamily[] = ['rsa', 'dsa', 'ecdsa', 'eddsa'];
const knownDigests = [...Object.keys(algorithmTable.digests), 'sha3-224'];

function requireKnown(
  value: Readonly<Record<string, unknown>>,
  known: readonly string[],
  path: string,
): void {
  for (const name of Object.keys(value)) {
    if (!known.includes(name)) refuse(path || name, `one of ${known.join(', ')}`, name);
  }
}

/** Parses `[[2048, "2030-01-01"], [3000, null]]`, in ascending order of size. */
function readRows(value: unknown, path: string): AlgorithmTable['keys'][KeyFamily] {
  if (!Array.isArray(value) || value.length > MAX_ROWS) {
    return refuse(path, `a list of at most ${MAX_ROWS} rows`, value);
  }
  let least = 0;
  return value.map((row: unknown, index) => {
    const place = `${path}[${index}]`;
    if (!Array.isArray(row) || row.length !== 2) return refuse(place, '[bits, date]', row);
    const [bits, end] = row as readonly unknown[];
    if (typeof bits !== 'number' || !Number.isInteger(bits) || bits <= least || bits > MAX_BITS) {
      return refuse(`${place}[0]`, 'more bits than in the row before', bits);
    }
    least = bits;
    return [bits, readDay(end, `${place}[1]`)] as const;
  });
}

/** A date, or null for none. */
function readDay(value: unknown, path: string): string | null {
  if (value === null) return null;
  const isDate = typeof value === 'string' && isDay(value);
  return isDate ? value : refuse(path, 'a date such as 2026-12-31, or null', value);
}
