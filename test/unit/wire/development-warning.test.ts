import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { concatBytes, memorySource } from '../../../src/base/bytes.ts';
import { resolveConfig } from '../../../src/wire/config/resolve.ts';
import { openToolkit } from '../../../src/wire/toolkit.ts';
import { newTemporaryFolder } from '../../support/folders.ts';
import { fixture } from '../../support/sealing.ts';

const folder = newTemporaryFolder('warning');

/** A toolkit without configuration, and the warnings it issued. */
function openToolkitAt(level: string) {
  const { config } = resolveConfig({
    flags: { level },
    env: { HOME: folder, INNSIGLI_HOME: folder },
    cwd: folder,
  });
  const warnings: string[] = [];
  const io = {
    now: () => Date.UTC(2026, 5, 1),
    random: randomBytes,
    warn: (_: string, code: string) => void warnings.push(code),
  };
  return { toolkit: openToolkit(config, io), warnings };
}

const agreement = fixture('agreement.pdf');

describe('the development trust is announced only after its keys were used', () => {
  test.each(['B-B', 'B-LTA'])('by seal at %s', async (level) => {
    const { toolkit, warnings } = openToolkitAt(level);
    for (const name of ['encrypted.pdf', 'not-a-pdf.txt']) {
      const seal = toolkit.seal(memorySource(fixture(name)), {});
      await expect(seal).rejects.toMatchObject({ code: expect.stringMatching(/^pdf\./) });
    }
    expect(warnings).toEqual([]);
    await toolkit.seal(memorySource(agreement), {});
    await toolkit.seal(memorySource(agreement), {});
    expect(warnings).toEqual(['trust.development']);
  });

  test('by archive', async () => {
    const { toolkit, warnings } = openToolkitAt('B-LTA');
    await expect(toolkit.augment(memorySource(agreement))).rejects.toThrow();
    expect(warnings).toEqual([]);
    const sealed = await openToolkitAt('B-B').toolkit.seal(memorySource(agreement), {});
    await toolkit.augment(memorySource(concatBytes([agreement, sealed.tail])));
    expect(warnings).toEqual(['trust.development']);
  });

  test('by init', async () => {
    const { toolkit, warnings } = openToolkitAt('B-B');
    await toolkit.initialise();
    expect(warnings).toEqual(['trust.development']);
  });
});
