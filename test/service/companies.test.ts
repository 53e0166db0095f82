import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestService, type TestService } from './open-service.ts';

describe('companies and their keys', () => {
  let it: TestService;
  beforeAll(async () => {
    it = await openTestService();
  }, 60_000);
  afterAll(() => it?.close());

  test('an API key is created, listed without its secret, and revoked once', async () => {
    const { id, apiKey } = await it.toolkit.issueApiKey(' invoices ');
    const { apiKeys, users } = await it.toolkit.access();
    expect(users.map(({ email }) => email)).toEqual(['owner@example.test']);
    expect(apiKeys.map(({ label }) => label)).toEqual(['first key', 'invoices']);
    expect(JSON.stringify(apiKeys)).not.toMatch(/sha256|api-/);
    expect(await it.service.openFor(it.toolkit.company.key, apiKey)).toBeDefined();

    await it.toolkit.revokeApiKey(id);
    expect(await it.service.openFor(it.toolkit.company.key, apiKey)).toBeUndefined();
    expect((await it.toolkit.access()).apiKeys.length).toBe(1);
    await expect(it.toolkit.revokeApiKey(id)).rejects.toMatchObject({
      code: 'company.key.not_found',
    });
  });

  test('the API keys of another company cannot be revoked', async () => {
    const { company } = await it.service.createCompany({ name: 'Other' });
    const other = await it.service.open(company.key);
    const [own] = (await it.toolkit.access()).apiKeys;
    await expect(other.revokeApiKey(own?.id ?? '')).rejects.toMatchObject({
      code: 'company.key.not_found',
    });
    expect((await it.toolkit.access()).apiKeys.length).toBe(1);
  });

  test.each([
    [{ name: ' ' }, 'name'],
    [{ name: 5 }, 'name'],
    [{ name: 'A', user: 'not an email' }, 'user'],
    [{ name: 'A', ssn: '12' }, 'ssn'],
  ])('rejects %j', async (request, field) => {
    const asked = it.service.createCompany(request as { name: string });
    await expect(asked).rejects.toMatchObject({ code: 'validation.error', details: { field } });
  });

  test('an unknown company: the hint says how to list the known ones', async () => {
    await expect(it.service.open('nope')).rejects.toMatchObject({
      code: 'company.not_found',
      hint: 'list them with innsigli company list',
    });
  });
});
