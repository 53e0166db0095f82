import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { pythonWith } from './python.mjs';

const program = fileURLToPath(new URL('nomenklatura_rates.py', import.meta.url));

/**
 * Rates of nomenklatura's logic-v2 for pairs of names, and their cost. Without a Python that has
 * it, prints a line and returns undefined.
 */
export function nomenklaturaRates(pairs) {
  const { python, version } = pythonWith(
    'nomenklatura',
    'import nomenklatura; print(nomenklatura.__version__)',
    'NOMENKLATURA_PYTHON',
  );
  if (python === undefined) return;
  const input = JSON.stringify(pairs);
  const { rates, cpuMs } = JSON.parse(execFileSync(python, [program], { input }));
  return { version, rates, eachMs: cpuMs / pairs.length };
}
