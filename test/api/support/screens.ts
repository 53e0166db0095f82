import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { sharedPlace } from '../../support/folders.ts';
import { browser } from './browser.ts';
import type { IdentityApi } from './identity.ts';

/** Folder for screenshots: INNSIGLI_SCREENS=docs/screens regenerates them. */
const folder = process.env['INNSIGLI_SCREENS'];

/** Views of a page: each width of the window, light and dark. */
export const views = [320, 768, 1280].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
);

/** One of {@link views}. */
export type View = (typeof views)[number];

/** Starts the browser of this machine in headless mode. */
export async function launchBrowser(...flags: readonly string[]): Promise<Browser> {
  if (browser === undefined) throw new Error('expected a browser, found none');
  return chromium.launch({
    executablePath: browser,
    args: ['--no-sandbox', ...flags],
    env: { ...process.env, TMPDIR: sharedPlace() },
  });
}

/** The setup of screen tests: the API, which listens, and a browser. */
interface Stage<Api> {
  readonly api: Api;
  readonly base: string;
  readonly browser: Browser;
}

/** Opens API and browser for the tests of a file, and closes them after the last one. */
export function onStage<Api extends Pick<IdentityApi, 'app' | 'close'>>(
  open: () => Promise<Api>,
  take: (stage: Stage<Api>) => void | Promise<void>,
): void {
  let api: Api | undefined;
  let opened: Browser | undefined;
  beforeAll(async () => {
    api = await open();
    const base = await api.app.listen({ host: '127.0.0.1', port: 0 });
    opened = await launchBrowser();
    await take({ api, base, browser: opened });
  }, 60_000);
  afterAll(async () => {
    await opened?.close();
    await api?.close();
  });
}

/** Opens a URL below `base` in a fresh browser context. */
export async function openPage(
  opened: Browser,
  base: string,
  path: string,
  options: BrowserContextOptions = {},
): Promise<Page> {
  return (await openListened(opened, base, path, options)).page;
}

/** The same, with the messages of its console from the start. */
export async function openListened(
  ...[opened, base, path, options = {}]: Parameters<typeof openPage>
): Promise<{ readonly page: Page; readonly said: string[] }> {
  const context = await opened.newContext({ baseURL: base, ...options });
  const page = await context.newPage();
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  page.on('pageerror', (error) => said.push(error.message));
  await page.goto(path);
  return { page, said };
}

/** Options of a context for a view; axe is a script that the page's own policy would block. */
export function contextOf({ width, colorScheme }: View) {
  return { viewport: { width, height: 800 }, colorScheme, bypassCSP: true };
}

/** Saves a screenshot for the documentation: light on a phone and a desktop, dark in between. */
export async function keepScreen(page: Page, name: string, view: View): Promise<void> {
  const isKept = (view.colorScheme === 'light') === (view.width !== 768);
  if (folder === undefined || !isKept) return;
  // The browser's protocol supports WebP, a third of the size of PNG.
  const session = await page.context().newCDPSession(page);
  const options = { format: 'webp', quality: 75, captureBeyondViewport: true } as const;
  const height = await page.evaluate(() => {
    // biome-ignore lint/suspicious/noExplicitAny: the code runs in the browser
    return (globalThis as any).document.documentElement.scrollHeight as number;
  });
  const clip = { x: 0, y: 0, width: view.width, height, scale: 1 };
  const { data } = await session.send('Page.captureScreenshot', { ...options, clip });
  const file = `${name}-${view.width}-${view.colorScheme}.webp`;
  writeFileSync(join(folder, file), Buffer.from(data, 'base64'));
}

/**
 * Faults that axe finds in the page with its details opened, and elements wider than the window, on
 * a phone also in a pseudo-locale.
 */
export async function pageFaults(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const found: string[] = await page.evaluate(async () => {
    // biome-ignore lint/suspicious/noExplicitAny: the code runs in the browser
    const { axe: checker, document } = globalThis as any;
    for (const each of document.querySelectorAll('details')) each.open = true;
    const { violations } = await checker.run();
    return violations.flatMap(({ id, nodes }: { id: string; nodes: { html: string }[] }) =>
      nodes.map(({ html }) => `${id}: ${html}`),
    );
  });
  const excess = await excessWidth(page);
  if (excess > 0) found.push(`${excess} px wider than the window`);
  const isPhone = (page.viewportSize()?.width ?? 0) <= 320;
  return isPhone ? [...found, ...(await pseudoLocaleFaults(page))] : found;
}

/**
 * Elements that do not fit if every word has accents and is two fifths longer, as in a future
 * language. The texts are restored.
 */
export async function pseudoLocaleFaults(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    // biome-ignore lint/suspicious/noExplicitAny: the code runs in the browser
    const { document } = globalThis as any;
    const written = 'aceinorsuyzACEINORSUYZ';
    const drawn = 'ăçéîñöřşūýžÅÇÉÎÑÖŘŞŪÝŽ';
    const longer = (word: string) =>
      word.replace(/[a-z]/gi, (letter) => drawn[written.indexOf(letter)] ?? letter) +
      'ő'.repeat(Math.ceil(word.length * 0.4));
    const isDrawn = (element: { closest(selector: string): unknown }) =>
      element.closest('script, style, .textLayer') === null;
    const texts: [{ data: string }, string][] = [];
    // 4 is NodeFilter.SHOW_TEXT.
    const walker = document.createTreeWalker(document.body, 4);
    while (walker.nextNode()) {
      const node = walker.currentNode;
      if (node.data.trim() !== '' && isDrawn(node.parentElement)) texts.push([node, node.data]);
    }
    for (const [node, text] of texts) node.data = text.replace(/\S+/g, longer);
    const { scrollWidth, clientWidth } = document.documentElement;
    const faults = [...document.querySelectorAll('button, .button, legend, label, h1, h2, p, dd')]
      .filter((each) => isDrawn(each) && each.scrollWidth > each.clientWidth + 1)
      .filter((each) => each.clientWidth > 1)
      .map((each) => `does not fit in a pseudo-locale: ${each.outerHTML.slice(0, 200)}`);
    if (texts.length === 0) faults.push('the page has no text');
    if (scrollWidth > clientWidth) {
      faults.push(`${scrollWidth - clientWidth} px wider than the window in a pseudo-locale`);
    }
    for (const [node, text] of texts) node.data = text;
    return faults;
  });
}

/** The number of pixels by which a page exceeds the window. */
export async function excessWidth(page: Page): Promise<number> {
  return page.evaluate(() => {
    // biome-ignore lint/suspicious/noExplicitAny: the code runs in the browser
    const { documentElement } = (globalThis as any).document;
    return documentElement.scrollWidth - documentElement.clientWidth;
  });
}
