import { readFileSync } from 'node:fs';

const PAGE_BYTES = 4096;
const SAMPLE_MS = 50;

/** Resident memory of a program and all its children, sampled repeatedly. */
export interface MemoryWatch {
  /** Peak in bytes since the last call. */
  takePeak(): number;
  stop(): void;
}

/** Starts sampling the processes below `pid` in /proc. */
export function watchMemory(pid: number): MemoryWatch {
  let peak = 0;
  const look = () => {
    peak = Math.max(peak, residentBytes(pid));
  };
  const timer = setInterval(look, SAMPLE_MS);
  return {
    takePeak() {
      look();
      const found = peak;
      peak = 0;
      return found;
    },
    stop: () => clearInterval(timer),
  };
}

/** Bytes of `pid` and its descendants; file-backed pages, which they share, are counted once. */
export function residentBytes(pid: number): number {
  let own = 0;
  let shared = 0;
  for (const each of treeOf(pid)) {
    const [, resident = 0, ofFiles = 0] = read(`/proc/${each}/statm`).split(' ').map(Number);
    own += resident - ofFiles;
    shared = Math.max(shared, ofFiles);
  }
  return (own + shared) * PAGE_BYTES;
}

function treeOf(pid: number): readonly number[] {
  const children = read(`/proc/${pid}/task/${pid}/children`).trim();
  const below = children === '' ? [] : children.split(' ').map(Number);
  return [pid, ...below.flatMap(treeOf)];
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // It has ended in the meantime.
    return '';
  }
}
