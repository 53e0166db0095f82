import { randomBytes } from 'node:crypto';
import { resolveConfig } from '../../../src/wire/config/resolve.ts';
import { openToolkit } from '../../../src/wire/toolkit.ts';

/** Creates a flow with a login page and returns the code of a completed login. */
export async function codeOfLogin(
  dataDir: string,
  companyKey?: string,
): Promise<{ readonly code: string; readonly flow: string }> {
  const env = { HOME: dataDir, INNSIGLI_HOME: dataDir };
  const { config } = resolveConfig({ flags: {}, env, cwd: dataDir });
  let aheadMs = 0;
  const now = () => Date.now() + aheadMs;
  const random = (count: number) => randomBytes(count);
  const kit = openToolkit(config, { now, random, warn: () => undefined });
  const service = await kit.service();
  try {
    const company = await service.open(companyKey);
    const settings = { initiationMethod: 'Customer' } as const;
    const made = await company.flows.create({ name: 'My pages', type: 'Auth', settings });
    await company.addOrigins(['https://acme.example']);
    const back = { returnUrl: 'https://acme.example/in' };
    const at = { flowKey: made.key, back };
    const start = { method: 'app', loginHint: '6000101994', circumstances: {} } as const;
    const { token } = await service.identity.startPageLogin({ ...at, ...start });
    // The simulated person answers after two seconds.
    aheadMs += 2500;
    await service.identity.pollPageLogin({ ...at, token });
    const address = await service.identity.finishPageLogin({ ...at, token });
    const code = new URL(address ?? '').searchParams.get('result') ?? '';
    return { code, flow: made.key };
  } finally {
    await service.close();
    kit.close();
  }
}
