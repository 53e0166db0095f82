import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

// The clock of /proc/PID/stat on Linux.
const TICK_MS = 10;
const SHORTEST_ROUND_MS = 1000;

/**
 * A program that prints one line per file, as a contender of `measureApart`. It is one process for all
 * files and is suspended (SIGSTOP) during the turns of the others: its cost is the CPU time between two
 * of its lines, without its start.
 *
 * @param {{ name: string, command: readonly string[] }} contender command requests more files than
 *   will be judged
 */
export function openJudge({ name, command: [program, ...options] }) {
  const child = spawn(program, options, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((_, reject) => {
    child.on('error', (error) => reject(new Error(`${name}: ${error.message}`)));
    child.on('exit', (code, signal) => reject(new Error(`${name}: ended with ${code ?? signal}`)));
  });
  ended.catch(() => undefined);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const nextAnswer = async () => {
    const { value } = await Promise.race([lines.next(), ended]);
    if (value === undefined) return ended;
    const { error } = JSON.parse(value);
    if (error !== undefined) throw new Error(`${name}: ${error}`);
  };
  let isFresh = true;
  const ask = async (roundMs) => {
    // The first response comes after the start, or after preparations for it.
    if (isFresh) await nextAnswer();
    isFresh = false;
    child.kill('SIGCONT');
    const [cpuBefore, wallBefore] = [cpuMsOf(child.pid), performance.now()];
    const atLeastMs = Math.max(roundMs, SHORTEST_ROUND_MS);
    let count = 0;
    do {
      await nextAnswer();
      count++;
    } while (performance.now() - wallBefore < atLeastMs);
    child.kill('SIGSTOP');
    const wallMs = (performance.now() - wallBefore) / count;
    const cpuMs = (cpuMsOf(child.pid) - cpuBefore) / count;
    return { count, wallMs, cpuMs, peakMiB: peakMiBOf(child.pid) };
  };
  return { name, samples: [], ask, end: () => child.kill('SIGKILL') };
}

/** User and system time of all threads of a process, including ended ones. */
function cpuMsOf(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  // The name of the program may contain spaces; after it, `state` is field 3 and `utime` field 14.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

function peakMiBOf(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}
