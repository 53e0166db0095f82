/**
 * Records logins in a terminal (tmux): by device link and by app, with success, refusal and Ctrl-C.
 * zbarimg reads the QR codes from screenshots of the terminal. Needs dist/.
 *
 * Usage: node scripts/run-ts.mjs scripts/login-recording.ts [FOLDER]
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { report, skip } from '../test/interop/checks.ts';
import { missingForRecording, recordLogins } from '../test/interop/login-recording.ts';

const [given] = process.argv.slice(2);
const folder =
  given === undefined ? mkdtempSync(join(tmpdir(), 'innsigli-login-')) : resolve(given);
const missing = await missingForRecording();
if (missing === undefined) {
  const checks = await recordLogins(folder);
  for (const { what, reasons } of checks) report(what, reasons);
  console.log(`recordings: ${folder}`);
  process.exitCode = checks.some(({ reasons }) => reasons.length > 0) ? 1 : 0;
} else {
  skip('recording of logins', missing);
}
