const tasks = Symbol.for('innsigli.test.file-end');
type Global = { [tasks]?: Map<string, () => void> };

/**
 * Runs `task` at the end of every following test file: modules shared by files are loaded once, and
 * a hook in them would belong to the first file.
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
