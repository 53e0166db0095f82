/** Cost of writing one letter for another. */
function swap(a: number, b: number): number {
  if (a === b) return 0;
  const isVowels = isVowel(a) && isVowel(b);
  if (isVowels) return 0.5;
  return confused.has((Math.min(a, b) << 8) | Math.max(a, b)) ? 0.5 : 1;
}

/** At the end a and o tell women from men. */
function lastSwap(a: number, b: number): number {
  return a !== b && (a === A || a === O) && (b === A || b === O) ? 1 : swap(a, b);
}

const [A, O] = [97, 111];

/** Cost of a letter that one spelling has and the other lacks. */
function extra(code: number, before: number): number {
  if (code === before) return 0.3;
  if (code === H) return 0.4;
  return isVowel(code) ? 0.6 : 1;
}

const H = 104;

function isVowel(code: number): boolean {
  return (
    code === 97 || code === 101 || code === 105 || code === 111 || code === 117 || code === 121
  );
}

const confused = new Set(
  [
    'ck',
    'cs',
    'ij',
    'jy',
    'kq',
    'sz',
    'vw',
    'fv',
    'bp',
    'dt',
    'gk',
    'gj',
    'mn',
    'bv',
    'ks',
    'gh',
    'kx',
    'cq',
    'jz',
    'fp',
    'uw',
    'uv',
  ].map((pair) => (pair.charCodeAt(0) << 8) | pair.charCodeAt(1)),
);

const LENGTH_MAX = 40;
/** Codes whose costs stand in a table; names are compared in basic letters, but for few. */
const CODES = 128;
const swaps = Float64Array.from({ length: CODES * CODES }, (_, at) => swap(at >> 7, at & 127));
const extras = Float64Array.from({ length: CODES * CODES }, (_, at) => extra(at >> 7, at & 127));
/** The least that a letter costs that one spelling lacks. */
const LEAST_EXTRA = 0.3;

/** Two neighbours in the other order. */
const TURNED = 0.7;

const rows = [0, 1, 2].map(() => new Float64Array(LENGTH_MAX + 1)) as [
  Float64Array,
  Float64Array,
  Float64Array,
];
/** The letters of `b`, and what each costs when `a` lacks it. */
const codes = new Uint16Array(LENGTH_MAX);
const adds = new Float64Array(LENGTH_MAX);

/** Least cost of turning `a` into `b` by weighted edits; Infinity above `most`. */
export function editCost(a: string, b: string, most: number): number {
  const n = Math.min(a.length, LENGTH_MAX);
  const m = Math.min(b.length, LENGTH_MAX);
  // So many places from the straight way there and back cost more than `most`.
  const aside = Math.floor((most / LEAST_EXTRA - Math.abs(n - m)) / 2 + 1e-9);
  if (aside < 0) return Number.POSITIVE_INFINITY;
  const [left, right] = [Math.max(0, n - m) + aside, Math.max(0, m - n) + aside];
  let [before, last, now] = rows;
  last[0] = 0;
  for (let j = 1; j <= m; j++) {
    const y = b.charCodeAt(j - 1);
    codes[j - 1] = y;
    const add = extraOf(y, j > 1 ? (codes[j - 2] as number) : 0);
    adds[j - 1] = add;
    last[j] = j > right ? Number.POSITIVE_INFINITY : (last[j - 1] as number) + add;
  }
  let x0 = 0;
  let leastBefore = 0;
  for (let i = 1; i <= n; i++) {
    const x = a.charCodeAt(i - 1);
    const dropX = extraOf(x, x0);
    const from = Math.max(1, i - left);
    const to = Math.min(m, i + right);
    now[from - 1] = from > 1 ? Number.POSITIVE_INFINITY : (last[0] as number) + dropX;
    let least = now[from - 1] as number;
    for (let j = from; j <= to; j++) {
      const y = codes[j - 1] as number;
      let cost = (last[j - 1] as number) + (i === n && j === m ? lastSwap(x, y) : swapOf(x, y));
      const dropped = (last[j] as number) + dropX;
      if (dropped < cost) cost = dropped;
      const added = (now[j - 1] as number) + (adds[j - 1] as number);
      if (added < cost) cost = added;
      if (i > 1 && j > 1 && x === codes[j - 2] && x0 === y) {
        const turned = (before[j - 2] as number) + TURNED;
        if (turned < cost) cost = turned;
      }
      now[j] = cost;
      if (cost < least) least = cost;
    }
    if (to < m) now[to + 1] = Number.POSITIVE_INFINITY;
    // Two letters that are turned round are reached from the row before.
    if (least > most && leastBefore + TURNED > most) return Number.POSITIVE_INFINITY;
    leastBefore = least;
    x0 = x;
    [before, last, now] = [last, now, before];
  }
  return last[m] as number;
}

function swapOf(x: number, y: number): number {
  return x < CODES && y < CODES ? (swaps[(x << 7) | y] as number) : swap(x, y);
}

function extraOf(code: number, before: number): number {
  return code < CODES && before < CODES
    ? (extras[(code << 7) | before] as number)
    : extra(code, before);
}

const budgets = [0, 0, 0.3, 0.5, 0.7, 1, 1.3, 1.6, 1.9, 2.1, 2.3, 2.5];

/** How much two spellings may differ and still be of one word; by the length of the shorter. */
export function editBudget(length: number): number {
  return budgets[length] ?? 2.7;
}
