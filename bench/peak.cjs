// Preloaded into measured programs: writes the peak of resident memory, in MiB, where BENCH_PEAK
// says. Not maxRSS of getrusage(): Linux gives a child the peak of its parent before exec.
const { readFileSync, writeFileSync } = require('node:fs');

process.on('exit', () => {
  const status = readFileSync('/proc/self/status', 'latin1');
  const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(status) ?? [];
  writeFileSync(process.env.BENCH_PEAK, String(Number(kibibytes) / 1024));
});
