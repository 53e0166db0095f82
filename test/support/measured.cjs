// Preloaded into a program that is measured: tells CPU time and peak of resident memory at its end.
// Not maxRSS of getrusage(): Linux gives a child the peak of its parent before exec.
const { readFileSync, writeFileSync } = require('node:fs');

process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  const [, kibibytes] =
    /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'latin1')) ?? [];
  const figures = { cpuMs: (user + system) / 1000, peakMb: (Number(kibibytes) * 1024) / 1e6 };
  writeFileSync(process.env.MEASURED, JSON.stringify(figures));
});
