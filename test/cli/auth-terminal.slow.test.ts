import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { missingForRecording, recordLogins } from '../interop/login-recording.ts';

const missing = existsSync('dist/cli/main.cjs')
  ? await missingForRecording()
  : 'dist/ is not built';
if (missing !== undefined) console.warn(`SKIPPED test/cli/auth-terminal: ${missing}`);

test.skipIf(missing !== undefined)(
  'logins in a terminal: QR codes are read from its picture (skipped without tmux and zbarimg)',
  { timeout: 300_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'innsigli-login-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const checks = await recordLogins(folder);
    expect(checks.length).toBe(10);
    expect(checks.filter(({ reasons }) => reasons.length > 0)).toEqual([]);
  },
);
