import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { missingForRecording, recordLogins } from '../interop/login-recording.ts';
import { newTemporaryFolder } from '../support/folders.ts';

const missing = existsSync('dist/cli/main.cjs')
  ? await missingForRecording()
  : 'dist/ is not built';
if (missing !== undefined) console.warn(`SKIPPED test/cli/auth-terminal: ${missing}`);

test.skipIf(missing !== undefined)(
  'logins at a terminal: QR codes can be read from a screenshot (skipped without tmux and zbarimg)',
  { timeout: 300_000 },
  async () => {
    const folder = newTemporaryFolder('login');
    const checks = await recordLogins(folder);
    expect(checks.length).toBe(10);
    expect(checks.filter(({ reasons }) => reasons.length > 0)).toEqual([]);
  },
);
