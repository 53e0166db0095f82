const tasks = Symbol.for('innsigli.test.file-end');
type Global = { [tasks]?: Map<string, () => void> };

/**
 * Runs `task` when a test file ends, of every file that comes: modules that files share are loaded
 * once, and a hook of theirs would belong to the first file.
 */
export function atFileEnd(name: string, task: () => void): void {
  const all = globalThis as Global;
  all[tasks] ??= new Map();
  all[tasks].set(name, task);
}

/** Called by the setup of each file. */
export function endFile(): void {
  for (const task of (globalThis as Global)[tasks]?.values() ?? []) task();
}
