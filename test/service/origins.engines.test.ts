import { expect, test } from 'vitest';
import { describeOnEngines } from './on-engines.ts';

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => `https://a${from + at}.example`);

describeOnEngines('registered origins', (it) => {
  const another = async () => {
    const { company } = await it().service.createCompany({ name: 'Other' });
    return it().service.open(company.key);
  };

  test('are added, listed once in normalised form, and removed', async () => {
    const toolkit = await another();
    expect((await toolkit.access()).origins).toEqual([]);
    it().pass(1000);
    expect(await toolkit.addOrigins(['https://B.example:443'])).toEqual(['https://b.example']);
    it().pass(1000);
    const both = ['https://b.example', 'http://localhost:3000'];
    expect(await toolkit.addOrigins(['http://localhost:3000', 'https://b.example'])).toEqual(both);
    expect((await toolkit.access()).origins).toEqual(both);
    expect(await toolkit.removeOrigins(['https://b.example', 'https://b.example'])).toEqual([
      'http://localhost:3000',
    ]);
  });

  test('belong to their company', async () => {
    const [one, two] = [await another(), await another()];
    const page = 'https://shared.example';
    const allows = (key?: string) => it().service.allowsOrigin(page, key);
    await one.addOrigins([page]);
    expect([await allows(), await allows(one.company.key), await allows(two.company.key)]).toEqual([
      true,
      true,
      false,
    ]);
    await expect(two.removeOrigins([page])).rejects.toMatchObject({
      code: 'company.origin.not_found',
    });
    await two.addOrigins([page]);
    await one.removeOrigins([page]);
    it().pass(2000);
    expect([await allows(), await allows(one.company.key), await allows(two.company.key)]).toEqual([
      true,
      false,
      true,
    ]);
    await two.removeOrigins([page]);
    it().pass(2000);
    expect(await allows()).toBe(false);
  });

  test('are limited to 20, even when added concurrently', async () => {
    const toolkit = await another();
    await toolkit.addOrigins(numbered(0, 18));
    await expect(toolkit.addOrigins(numbered(17, 21))).rejects.toMatchObject({
      code: 'limit.exceeded',
    });
    const tries = numbered(100, 106).map((each) => toolkit.addOrigins([each]));
    const done = await Promise.allSettled(tries);
    expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect((await toolkit.access()).origins).toHaveLength(20);
    expect(await toolkit.addOrigins(['https://a3.example'])).toHaveLength(20);
  });

  test('are accepted or rejected together', async () => {
    const toolkit = await another();
    await expect(
      toolkit.addOrigins(['https://a.example', 'https://a.example/']),
    ).rejects.toMatchObject({ code: 'validation.error', details: { field: 'origin' } });
    expect((await toolkit.access()).origins).toEqual([]);
    await toolkit.addOrigins(['https://a.example']);
    await expect(
      toolkit.removeOrigins(['https://a.example', 'https://b.example']),
    ).rejects.toMatchObject({ code: 'company.origin.not_found' });
    expect((await toolkit.access()).origins).toEqual(['https://a.example']);
  });
});
