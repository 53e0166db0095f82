/**
 * Loaded into the service with `STALLS_TURNS=FILE`: every two seconds, writes the longest event-loop
 * turn of the main thread as `PID LONGEST`, in milliseconds of its own CPU time, which is independent
 * of other load on the machine.
 */
const { appendFileSync, readFileSync } = require('node:fs');
const { isMainThread } = require('node:worker_threads');

if (isMainThread && process.argv.includes('serve')) {
  const cpuMs = () => {
    const [ranNs] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ');
    return Number(ranNs) / 1e6;
  };
  let last = cpuMs();
  let longest = 0;
  setInterval(() => {
    const now = cpuMs();
    longest = Math.max(longest, now - last);
    last = now;
  }, 5).unref();
  setInterval(() => {
    appendFileSync(process.env.STALLS_TURNS, `${process.pid} ${Math.round(longest)}\n`);
    longest = 0;
  }, 2000).unref();
}
