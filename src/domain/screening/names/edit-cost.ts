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
const rows = [0, 1, 2].map(() => new Float64Array(LENGTH_MAX + 1)) as [
  Float64Array,
  Float64Array,
  Float64Array,
];

/** Least cost of turning `a` into `b` by weighted edits; Infinity above `most`. */
export function editCost(a: string, b: string, most: number): number {
  const n = Math.min(a.length, LENGTH_MAX);
  const m = Math.min(b.length, LENGTH_MAX);
  let [before, last, now] = rows;
  last[0] = 0;
  for (let j = 1; j <= m; j++)
    last[j] = (last[j - 1] as number) + extra(b.charCodeAt(j - 1), b.charCodeAt(j - 2));
  for (let i = 1; i <= n; i++) {
    const x = a.charCodeAt(i - 1);
    const x0 = a.charCodeAt(i - 2);
    const dropX = extra(x, x0);
    now[0] = (last[0] as number) + dropX;
    let least = now[0];
    for (let j = 1; j <= m; j++) {
      const y = b.charCodeAt(j - 1);
      let cost = (last[j - 1] as number) + (i === n && j === m ? lastSwap(x, y) : swap(x, y));
      cost = Math.min(
        cost,
        (last[j] as number) + dropX,
        (now[j - 1] as number) + extra(y, b.charCodeAt(j - 2)),
      );
      if (i > 1 && j > 1 && x === b.charCodeAt(j - 2) && x0 === y)
        cost = Math.min(cost, (before[j - 2] as number) + 0.7);
      now[j] = cost;
      if (cost < least) least = cost;
    }
    if (least > most) return Number.POSITIVE_INFINITY;
    [before, last, now] = [last, now, before];
  }
  return last[m] as number;
}

const budgets = [0, 0, 0.3, 0.5, 0.7, 1, 1.3, 1.6, 1.9, 2.1, 2.3, 2.5];

/** How much two spellings may differ and still be of one word; by the length of the shorter. */
export function editBudget(length: number): number {
  return budgets[length] ?? 2.7;
}
