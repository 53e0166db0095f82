import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { pageWords } from '../../src/api/pages/index.ts';
import { languages } from '../../src/domain/message/index.ts';
import { sealPdf } from '../../src/index.ts';
import { newTemporaryFolder } from '../support/folders.ts';
import { sealOptions } from '../support/sealing.ts';
import { browserMissing } from './support/browser.ts';
import { agreement, openTestApi, type TestApi } from './support/open-api.ts';
import {
  contextOf,
  excessWidth,
  keepScreen,
  onStage,
  openPage,
  pageFaults,
  views,
} from './support/screens.ts';

const why = browserMissing === undefined ? '' : ` (skipped: ${browserMissing})`;
const pdf = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/pdf', buffer });

describe.skipIf(browserMissing !== undefined)(`the verification page in a browser${why}`, () => {
  let api: TestApi;
  let base = '';
  let browser: Browser;
  let sealed: Buffer;
  let foreign: Buffer;
  onStage(openTestApi, async (stage) => {
    ({ api, base, browser } = stage);
    const url = `/api/management/sealing?FlowKey=${api.flowKey}`;
    const headers = { authorization: api.basic, 'content-type': 'application/pdf' };
    const sent = { method: 'POST', url, headers, payload: agreement } as const;
    sealed = (await api.app.inject(sent)).rawPayload;
    foreign = Buffer.from((await sealPdf(agreement, sealOptions())).bytes);
  });

  const visit = (options: BrowserContextOptions = {}, path = '/verify') =>
    openPage(browser, base, path, options);
  const check = async (page: Page, file: ReturnType<typeof pdf>) => {
    await page.getByLabel('Signed file').setInputFiles(file);
    await page.getByRole('button', { name: 'Check the file' }).click();
  };
  const altered = () => {
    const copy = Buffer.from(sealed);
    copy.write('/MediaBax', copy.indexOf('/MediaBox'), 'latin1');
    return copy;
  };

  test('works without scripts: from /verify to the verdict and on to the next file', async () => {
    const page = await visit({ javaScriptEnabled: false });
    expect(new URL(page.url()).pathname).toBe('/s/verify');
    await check(page, pdf('Leigusamningur "2026".pdf', sealed));
    await page.getByText('The document can be relied on.').waitFor();
    expect(await page.getByText('Leigusamningur "2026".pdf').count()).toBe(1);
    await check(page, pdf('b.pdf', altered()));
    await page.getByText('The document cannot be relied on.').waitFor();
    expect(await page.context().cookies()).toEqual([]);
  }, 60_000);

  test('verifies a file dropped on the field', async () => {
    const page = await visit();
    const folder = newTemporaryFolder('drop');
    const path = join(folder, 'dropped.pdf');
    writeFileSync(path, sealed);
    try {
      const box = await page.getByLabel('Signed file').boundingBox();
      const { x = 0, y = 0, width = 0, height = 0 } = box ?? {};
      const session = await page.context().newCDPSession(page);
      for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
        await session.send('Input.dispatchDragEvent', {
          ...{ type, x: x + width / 2, y: y + height / 2 },
          data: { items: [], files: [path], dragOperationsMask: 1 },
        });
      }
      await page.getByRole('button', { name: 'Check the file' }).click();
      await page.getByText('dropped.pdf').waitFor();
    } finally {
      rmSync(folder, { recursive: true });
    }
  }, 60_000);

  test('says that a file is too large, and the browser shows the response', async () => {
    const page = await visit();
    await check(page, pdf('large.pdf', Buffer.alloc(24 * 1024 * 1024, 0x20)));
    await page.getByText('files of at most 20 MB are checked here').waitFor();
  }, 60_000);

  test('releases the resources of clients that disconnect', async () => {
    const { hostname, port } = new URL(base);
    for (let count = 0; count < 20; count += 1) {
      const socket = connect(Number(port), hostname);
      await once(socket, 'connect');
      const head = 'POST /s/verify HTTP/1.1\r\nHost: x\r\nContent-Length: 20000000\r\n';
      socket.write(`${head}Content-Type: multipart/form-data; boundary=b\r\n\r\n--b\r\n`);
      await new Promise((resolve) => setTimeout(resolve, 20));
      socket.destroy();
    }
    const page = await visit();
    await check(page, pdf('a.pdf', sealed));
    await page.getByText('The document can be relied on.').waitFor();
  }, 60_000);

  test.each(views)(
    'axe finds no fault at $width px, $colorScheme',
    async (view) => {
      const look = async (name: string, act?: (page: Page) => Promise<void>) => {
        const page = await visit(contextOf(view));
        await act?.(page);
        await keepScreen(page, name, view);
        expect([name, await pageFaults(page)]).toEqual([name, []]);
        await page.context().close();
      };
      await look('verify');
      await look('verify-valid', (page) => check(page, pdf('Lease.pdf', sealed)));
      await look('verify-open', (page) => check(page, pdf('Lease.pdf', foreign)));
      await look('verify-changed', (page) => check(page, pdf('Lease.pdf', altered())));
      await look('verify-unread', (page) => check(page, pdf('x.pdf', Buffer.from('no PDF'))));
    },
    120_000,
  );

  test.each(languages)(
    '%s fits a phone of 320 px',
    async (language) => {
      const words = pageWords(language);
      const viewport = { width: 320, height: 640 };
      const page = await visit({ viewport }, `/s/verify?lng=${language.toLowerCase()}`);
      expect(await excessWidth(page)).toBe(0);
      await page.getByLabel(words.verifyFile).setInputFiles(pdf('n'.repeat(200), sealed));
      await page.getByRole('button', { name: words.verifyButton }).click();
      await page.getByText(words.verifyData).first().waitFor();
      expect(await excessWidth(page)).toBe(0);
      await page.context().close();
    },
    60_000,
  );
});
