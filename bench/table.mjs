const shapes = {
  rates: [['', 'CPU µs', 'per CPU second', 'per second', 'of the first', 'peak MiB'], rateCells],
  costs: [['', 'CPU µs', 'per CPU second', 'per second', '× first', 'peak MiB'], costCells],
  processes: [['', 'CPU ms', '× first', 'wall ms', '× first', 'peak MiB'], processCells],
  waits: [['', 'p50, ms', 'p99, ms', 'per second', 'peak MiB'], waitCells],
  memory: [['', 'MiB', 'above the first'], memoryCells],
};

/** Returns the results as Markdown: one table per group, and the targets. */
export function markdown({ measuredAt, machine, node, openssl, groups, targets }) {
  const lines = [`${measuredAt}, ${machine}, Node ${node}, OpenSSL ${openssl}.`, ''];
  for (const { title, rows, kind, measuredAt: day = measuredAt } of groups) {
    const [head, cellsOf] = shapes[kind ?? 'rates'];
    const cells = rows.map(cellsOf);
    const older = day === measuredAt ? [] : [`Measured on ${day}.`, ''];
    lines.push(`### ${title}`, '', ...older, ...table([head, ...cells], 1), '');
  }
  const judged = targets.map(({ group, name, wanted, measured, met }) => [
    `${group}: ${name}`,
    wanted,
    measured === undefined ? 'not measured' : number(measured),
    met === undefined ? '' : met ? 'met' : 'MISSED',
  ]);
  lines.push('### Targets', '', ...table([['row', 'target', 'measured', ''], ...judged], 2));
  return `${lines.join('\n')}\n`;
}

// Padded like the formatter does: columns from `firstNumber` on contain numbers and are
// right-aligned.
function table(rows, firstNumber) {
  const widths = rows[0].map((_, column) => Math.max(3, ...rows.map((row) => row[column].length)));
  const line = (row) =>
    `| ${row
      .map((cell, column) =>
        column < firstNumber ? cell.padEnd(widths[column]) : cell.padStart(widths[column]),
      )
      .join(' | ')} |`;
  const rule = widths.map((width, column) =>
    column < firstNumber ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  );
  const [head, ...body] = rows;
  return [line(head), line(rule), ...body.map(line)];
}

function processCells({ name, cpuMs, ratio, wallMs, wallRatio, peakMiB }) {
  const cells = [whole(cpuMs), ratio.toFixed(2), whole(wallMs), wallRatio.toFixed(2)];
  return [name, ...cells, whole(peakMiB)];
}

function waitCells({ name, p50Ms, p99Ms, wallPerSecond, peakMiB }) {
  return [name, p50Ms.toFixed(1), p99Ms.toFixed(1), whole(wallPerSecond), whole(peakMiB)];
}

function memoryCells({ name, rssMiB, moreMiB }) {
  return [name, whole(rssMiB), whole(moreMiB)];
}

function rateCells({ name, cpuMs, cpuPerSecond, wallPerSecond, ratio, peakMiB }) {
  const share = `${(ratio * 100).toFixed(1)} %`;
  const cells = [whole(cpuMs * 1000), whole(cpuPerSecond), whole(wallPerSecond), share];
  return [name, ...cells, whole(peakMiB)];
}

function costCells({ name, cpuMs, cpuPerSecond, wallPerSecond, ratio, peakMiB }) {
  const rates = [whole(cpuMs * 1000), whole(cpuPerSecond), whole(wallPerSecond)];
  return [name, ...rates, (1 / ratio).toFixed(1), whole(peakMiB)];
}

function whole(value) {
  return Math.round(value).toLocaleString('en-US');
}

function number(value) {
  return value < 10 ? value.toFixed(2) : whole(value);
}
