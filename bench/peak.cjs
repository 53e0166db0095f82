// Preloaded into measured programs: writes the peak resident memory, in MiB, to the file BENCH_PEAK.
// Not maxRSS of getrusage(): Linux initialises it in a child with the parent's peak before exec.
const { readFileSync, writeFileSync } = require('node:fs');

process.on('exit', () => {
  const status = readFileSync('/proc/self/status', 'latin1');
  const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(status) ?? [];
  writeFileSync(process.env.BENCH_PEAK, String(Number(kibibytes) / 1024));
});
