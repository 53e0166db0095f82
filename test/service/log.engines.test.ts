import { expect, test } from 'vitest';
import type { SigneeRequest } from '../../src/app/process/index.ts';
import { describeOnEngines } from './on-engines.ts';
import { agreement, type TestService } from './open-service.ts';

const HOUR = 3_600_000;
const signees: readonly SigneeRequest[] = [
  { name: 'Anna', email: 'anna@example.test', signatureType: 'ClickToSign' },
];
const everything = { fromMs: 0, toMs: 4e12 } as const;

const create = ({ toolkit, flowKey }: TestService, user?: string) => {
  const owner = user === undefined ? {} : { user };
  return toolkit.processes.create({ flowKey, pdf: agreement, signees, ...owner });
};

describeOnEngines('the activity log', (service) => {
  test('an export read past midnight does not invalidate an anchored day', async () => {
    const it = service();
    await create(it);
    const { activity } = it.toolkit;
    const request = {
      filter: everything,
      format: 'jsonl',
      isAnonymous: false,
      by: 'System',
    } as const;
    const lines = activity.export(request)[Symbol.asyncIterator]();
    await lines.next();
    it.pass(27 * HOUR);
    await activity.anchor();
    expect(await activity.verify()).toMatchObject({ isIntact: true });
    const rest: string[] = [];
    for (let next = await lines.next(); next.done !== true; next = await lines.next()) {
      rest.push(next.value);
    }
    expect(rest.join('')).toContain('ActivityExported');
    expect(await activity.verify()).toMatchObject({ isIntact: true, dayFindings: [] });
  });

  test('an owner is found in any letter case', async () => {
    const it = service();
    const { key, user } = await create(it, 'Jon.Doe@Example.test');
    expect(user).toBe('jon.doe@example.test');
    for (const asked of ['Jon.Doe@Example.test', 'JON.DOE@EXAMPLE.TEST', 'jon.doe@example.test']) {
      const page = { ...everything, take: 9, skip: 0, user: asked };
      const found = await it.toolkit.activity.list(page);
      expect(found.map(({ processKey }) => processKey)).toEqual([key]);
      const listed = await it.toolkit.processes.list({ user: asked });
      expect(listed.map((each) => each.key)).toEqual([key]);
    }
  });

  test('actors with an address or name are personal data, and anonymised by a purge', async () => {
    const it = service();
    const { key } = await create(it);
    await it.toolkit.processes.cancel({ key, by: 'Jón Jónsson', reason: 'x' });
    const actors = async () => {
      const [log] = await it.toolkit.activity.list({
        ...everything,
        take: 9,
        skip: 0,
        processKey: key,
      });
      return log?.activityLog.map(({ createdBy }) => createdBy) ?? [];
    };
    expect(await actors()).toContain('Jón Jónsson');
    await it.toolkit.processes.purge({ key, by: 'System' });
    expect(new Set(await actors())).toEqual(new Set(['System', 'User']));
    expect(await it.toolkit.activity.verify({ processKey: key })).toMatchObject({ isIntact: true });
  });
});
