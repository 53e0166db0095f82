import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { newTemporaryFolder } from '../support/folders.ts';
import { browserMissing } from './support/browser.ts';
import { type IdentityApi, openIdentityApi, type Place } from './support/identity.ts';
import { contextOf, keepScreen, onStage, pageFaults, views } from './support/screens.ts';

const why = browserMissing === undefined ? '' : ` (skipped: ${browserMissing})`;
const anna = {
  ...{ name: 'Anna', email: 'anna@example.test', signatureType: 'ClickToSign' },
  ...{ communicationDeliveryType: 'Email', language: 'En' },
};
const linkOf = ({ processKey, signeeKey }: Place) => `/s/${processKey}/${signeeKey}`;

describe.skipIf(browserMissing !== undefined)(`drawing a signature in a browser${why}`, () => {
  let api: IdentityApi;
  let base = '';
  let browser: Browser;
  onStage(openIdentityApi, (stage) => {
    ({ api, base, browser } = stage);
  });

  const draw = async (page: Page, points: readonly (readonly [number, number])[]) => {
    const box = await page.locator('canvas.pad').boundingBox();
    const on = ([x, y]: readonly [number, number]) =>
      [(box?.x ?? 0) + x * (box?.width ?? 0), (box?.y ?? 0) + y * (box?.height ?? 0)] as const;
    const [first = [0, 0] as const, ...rest] = points;
    await page.mouse.move(...on(first));
    await page.mouse.down();
    for (const point of rest) await page.mouse.move(...on(point), { steps: 3 });
    await page.mouse.up();
  };
  const wave = Array.from({ length: 30 }, (_, at) => {
    return [0.1 + at * 0.025, 0.5 + 0.35 * Math.sin(at / 2)] as const;
  });
  const strokesOf = async (page: Page): Promise<number[][]> =>
    JSON.parse((await page.locator('[name=drawing]').inputValue()) || '[]');

  test('draws, undoes a stroke, clears, draws again and signs', async () => {
    const place = await api.process(anna);
    const page = await browser.newPage({ baseURL: base });
    const said: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    page.on('pageerror', (error) => said.push(error.message));
    await page.goto(linkOf(place));
    expect(await page.locator('canvas.pad').isVisible()).toBe(false);
    await page.getByLabel('Drawn by hand').check();
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Sign the document' }).click();
    await page.getByText('Draw your signature, or choose').waitFor();
    await draw(page, wave);
    await draw(page, [
      [0.1, 0.9],
      [0.9, 0.85],
    ]);
    expect(await strokesOf(page)).toHaveLength(2);
    await page.getByRole('button', { name: 'Undo' }).click();
    expect(await strokesOf(page)).toHaveLength(1);
    await page.getByRole('button', { name: 'Clear' }).click();
    expect(await strokesOf(page)).toEqual([]);
    await draw(page, wave);
    await draw(page, [
      [0.1, 0.9],
      [0.9, 0.85],
    ]);
    await page.getByRole('button', { name: 'Sign the document' }).click();
    await page.getByRole('heading', { name: 'You have signed' }).waitFor();
    expect(said).toEqual([]);
    await api.toolkit.runDueJobs();
    await page.reload();
    const loading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).first().click();
    const path = await (await loading).path();
    const picture = render(readFileSync(path));
    // Ink of the drawing: a blue that nothing else on the page uses.
    expect(picture.inked).toBeGreaterThan(100);
    await page.close();
  }, 90_000);

  function render(pdf: Buffer): { inked: number } {
    const folder = newTemporaryFolder('drawn');
    writeFileSync(join(folder, 'signed.pdf'), pdf);
    const out = join(folder, 'page');
    const options = ['-r', '150', '-l', '1', '-singlefile'];
    execFileSync('pdftoppm', [...options, join(folder, 'signed.pdf'), out]);
    const ppm = readFileSync(`${out}.ppm`);
    const { length = 0 } = /^P6\s+\d+\s+\d+\s+255\s/.exec(ppm.toString('latin1', 0, 40))?.[0] ?? '';
    let inked = 0;
    for (let at = length; at + 2 < ppm.length; at += 3) {
      const [red = 0, green = 0, blue = 0] = ppm.subarray(at, at + 3);
      if (red < 14 && green < 50 && blue > 90) inked += 1;
    }
    return { inked };
  }

  test('works with a finger on a phone', async () => {
    const place = await api.process(anna);
    const options = { baseURL: base, hasTouch: true, viewport: { width: 320, height: 640 } };
    const page = await browser.newPage(options);
    await page.goto(linkOf(place));
    await page.getByLabel('Drawn by hand').check();
    await page.locator('canvas.pad').scrollIntoViewIfNeeded();
    const box = await page.locator('canvas.pad').boundingBox();
    const { x = 0, y = 0 } = box ?? {};
    const session = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: readonly number[]) =>
      session.send('Input.dispatchTouchEvent', {
        type,
        touchPoints:
          points.length === 0 ? [] : [{ x: x + (points[0] ?? 0), y: y + (points[1] ?? 0) }],
      });
    await touch('touchStart', [20, 20]);
    for (let at = 1; at < 20; at++) await touch('touchMove', [20 + at * 8, 20 + (at % 5) * 8]);
    await touch('touchEnd', []);
    const [stroke = []] = await strokesOf(page);
    expect(stroke.length).toBeGreaterThan(20);
    await page.close();
  }, 60_000);

  test.each(views)(
    'axe finds no fault at $width px, $colorScheme',
    async (view) => {
      const place = await api.process(anna);
      const page = await browser.newPage({ baseURL: base, ...contextOf(view) });
      await page.goto(linkOf(place));
      await page.getByLabel('Drawn by hand').check();
      await page.locator('canvas.pad').scrollIntoViewIfNeeded();
      await draw(page, wave);
      await keepScreen(page, 'drawn', view);
      expect(await pageFaults(page)).toEqual([]);
      await page.close();
    },
    60_000,
  );
});
