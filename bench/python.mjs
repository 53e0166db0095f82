import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * Returns a Python that answers `ask` with the version of a peer: from the environment variable,
 * the environments next to the foreign judges, or the system.
 */
export function pythonWith(peer, ask, variable) {
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  const judges = process.env.INNSIGLI_JUDGES ?? join(cache, 'innsigli-judges');
  const environments = existsSync(judges) ? readdirSync(judges) : [];
  const candidates = [
    process.env[variable],
    ...environments.map((name) => join(judges, name, 'bin', 'python')),
    'python3',
  ];
  for (const python of candidates.filter((path) => path !== undefined)) {
    const { status, stdout } = spawnSync(python, ['-c', ask], { encoding: 'utf8' });
    if (status === 0) return { python, version: stdout.trim() };
  }
  console.error(`SKIPPED ${peer}: no Python has it (pip install ${peer}; set ${variable})`);
  return {};
}
