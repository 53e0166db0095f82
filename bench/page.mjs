// `npm run bench:page`: the cost of the signing page for server, network and browser. Sizes are
// those of gzip; drawing is timed in Chromium with the CPU slowed down four times, alternating with
// a page that only draws the same document with the same pdf.js. Needs Chromium on the path and
// `npm run build`.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { noisePdf } from '../test/support/noise-pdf.mjs';
import { openServer } from './http.mjs';
import { median } from './measure.mjs';

const ROUNDS = 7;
const PAGES = 300;
const SLOWED = 4;
const fixtures = join(import.meta.dirname, '../fixtures/pdf');
const agreement = readFileSync(join(fixtures, 'agreement.pdf'));
const reader = join(import.meta.dirname, '../dist/reader');

const home = mkdtempSync(join(tmpdir(), 'innsigli-page-'));
const filled = await openServer('fill', home);
await filled.end();
const { processKey, signeeKey, authorization, flowKey, formKey } = filled.answer;
const server = await openServer('threads', home);
const { url } = server.answer;
const link = `${url}/s/${processKey}/${signeeKey}`;
try {
  await sizes();
  await cpuOfServer('first HTML', link);
  await formPages();
  const executablePath = execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim();
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  if (process.argv[2] !== 'long') await firstPage(browser);
  await browser.close();
  await longDocument(executablePath);
} finally {
  await server.end();
  rmSync(home, { recursive: true, force: true });
}

/** Document, style and scripts of the page, without those of the reader. */
async function sizes() {
  const page = await (await fetch(link)).text();
  const found = [...page.matchAll(/(?:src|href)="(\/s\/[^"]+\.(?:js|css))"/g)].map(([, at]) => at);
  const bytes = { page: gzipSync(page).length };
  for (const at of found) {
    bytes[at] = gzipSync(Buffer.from(await (await fetch(url + at)).arrayBuffer())).length;
  }
  for (const [name, length] of Object.entries(bytes)) row(name, `${length} bytes`);
  const all = Object.values(bytes).reduce((sum, each) => sum + each, 0);
  row('all, without pdf.js', `${(all / 1024).toFixed(1)} KiB`, 'at most 60 KiB', all <= 60 * 1024);
}

async function cpuOfServer(name, address, headers = {}) {
  const count = 300;
  const ask = async () => (await fetch(address, { headers })).text();
  for (let warm = 0; warm < count; warm++) await ask();
  await server.use();
  for (let at = 0; at < count; at++) await ask();
  const { cpuMs } = await server.use();
  const each = cpuMs / count;
  row(name, `${each.toFixed(2)} ms CPU of the server`, 'at most 15 ms', each <= 15);
}

/**
 * A form of twenty questions, shown one at a time: its first step, one in the middle and the
 * review.
 */
async function formPages() {
  const form = `${url}/s/${formKey}`;
  const cookies = new Map();
  const cookie = () => [...cookies].map((pair) => pair.join('=')).join('; ');
  const ask = async (address, body) => {
    const options = body === undefined ? {} : { method: 'POST', body };
    const headers = { cookie: cookie() };
    const answer = await fetch(address, { ...options, headers, redirect: 'manual' });
    for (const text of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(text);
      cookies.set(name, value);
    }
    const to = answer.headers.get('location');
    return to === null ? { address, text: await answer.text() } : ask(new URL(to, url).href);
  };
  const measure = async (name, { address, text }) => {
    const length = gzipSync(text).length;
    row(`${name}, HTML`, `${length} bytes`, 'at most 60 KiB', length <= 60 * 1024);
    await cpuOfServer(name, address, { cookie: cookie() });
  };
  let page = await ask(form);
  await measure('form, first step', page);
  for (let step = 0; step < 40 && !page.text.includes('name="act" value="review"'); step++) {
    const hidden = page.text.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g);
    const fields = new URLSearchParams([...hidden].map(([, name, value]) => [name, value]));
    const person = { name0: 'Anna', email0: 'anna@example.is', phone0: '6666666' };
    const own = step === 0 ? person : { [fields.get('step')]: `Answer ${step}` };
    for (const [name, value] of Object.entries(own)) fields.set(name, value);
    page = await ask(page.address, fields);
    if (step === 10) await measure('form, a step', page);
  }
  await measure('form, review', page);
}

/** From the click, or the start of the script, to the first drawn pixel on a canvas. */
async function firstPage(browser) {
  const bare = await openBare();
  const times = { ours: [], bare: [] };
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, address] of Object.entries({ ours: link, bare: bare.url })) {
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
      const session = await page.context().newCDPSession(page);
      await page.addInitScript(watchInk);
      await page.goto(address, { waitUntil: 'load' });
      await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWED });
      await page.evaluate(() => {
        globalThis.startedAt = performance.now();
        document.querySelector('form[data-read] button, #begin').click();
      });
      await page.waitForFunction(() => globalThis.inkAt !== undefined, undefined, { polling: 50 });
      const ms = await page.evaluate(() => globalThis.inkAt - globalThis.startedAt);
      // The first round fills caches of the browser.
      if (round > 0) times[name].push(ms);
      await page.context().close();
    }
  }
  bare.close();
  const ratio = median(times.ours.map((ms, at) => ms / times.bare[at]));
  row('first page of 13 KB, bare pdf.js', `${median(times.bare).toFixed(0)} ms`);
  row(
    'first page of 13 KB, innsigli',
    `${median(times.ours).toFixed(0)} ms, ${ratio.toFixed(2)} × bare`,
    'at most 1.5 × bare',
    ratio <= 1.5,
  );
}

/** Runs in the browser: records when a canvas first has a pixel that is not white. */
function watchInk() {
  const look = () => {
    for (const canvas of document.querySelectorAll('canvas')) {
      if (canvas.width < 100 || canvas.matches('.pad')) continue;
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height / 2);
      const pixels = new Uint32Array(data.buffer);
      if (pixels.some((each) => each !== 0xffffffff && each !== 0)) {
        globalThis.inkAt = performance.now();
        return;
      }
    }
    setTimeout(look, 5);
  };
  addEventListener('click', () => setTimeout(look, 5), { once: true, capture: true });
}

/** A page of a few lines that draws the first page of the same document with the same pdf.js. */
async function openBare() {
  const script = `document.querySelector('#begin').addEventListener('click', async () => {
  const pdfjs = await import('/pdf.min.mjs');
  pdfjs.GlobalWorkerOptions.workerSrc = '/pdf.worker.min.mjs';
  const data = new Uint8Array(await (await fetch('/document.pdf')).arrayBuffer());
  const opened = await pdfjs.getDocument({ data, cMapUrl: '/cmaps/', standardFontDataUrl: '/fonts/',
    wasmUrl: '/wasm/' }).promise;
  const page = await opened.getPage(1);
  const viewport = page.getViewport({ scale: 1.2 });
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: viewport.width, height: viewport.height });
  document.body.append(canvas);
  await page.render({ canvas, viewport }).promise;
});`;
  const html = `<!doctype html><title>bare</title><button id="begin">x</button>
<script type="module">${script}</script>`;
  const types = { '.mjs': 'text/javascript', '.wasm': 'application/wasm' };
  const bare = createServer(({ url: path = '/' }, response) => {
    if (path === '/') return response.setHeader('content-type', 'text/html').end(html);
    if (path === '/document.pdf') return response.end(agreement);
    if (!existsSync(join(reader, path))) return response.writeHead(404).end();
    response.setHeader('content-type', types[extname(path)] ?? 'application/octet-stream');
    response.end(readFileSync(join(reader, path)));
  }).listen(0, '127.0.0.1');
  await once(bare, 'listening');
  return { url: `http://127.0.0.1:${bare.address().port}/`, close: () => bare.close() };
}

/** Scrolls through a long document: memory of the page, and bytes read of the document. */
async function longDocument(executablePath) {
  const pdf = await noisePdf(PAGES, 45e6 / PAGES);
  const order = {
    ...{ flowKey, pdfDocument: pdf.toString('base64'), pdfFileName: 'long.pdf' },
    createSignees: [{ name: 'Jón', email: 'jon@example.is', signatureType: 'ClickToSign' }],
  };
  const answer = await fetch(`${url}/api/management/signing`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(order),
  });
  const made = await answer.json();
  if (!answer.ok) throw new Error(`the long document: ${JSON.stringify(made)}`);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  let received = 0;
  let requests = 0;
  page.on('request', () => {
    requests += 1;
  });
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  session.on('Network.dataReceived', ({ dataLength }) => {
    received += dataLength;
  });
  await page.addInitScript(watchInk);
  await page.goto(`${url}/s/${made.key}/${made.signees[0].key}`);
  const before = renderersMiB();
  const own = received;
  const beganAt = performance.now();
  await page.locator('form[data-read] button').click();
  await page.waitForFunction(() => globalThis.inkAt !== undefined, undefined, { timeout: 120_000 });
  const name = `${PAGES} pages, ${(pdf.length / 1e6).toFixed(0)} MB`;
  const firstMs = performance.now() - beganAt;
  const first = `${firstMs.toFixed(0)} ms, ${((received - own) / 1e6).toFixed(1)} MB received in ${requests} requests`;
  row(`${name}, first page with pdf.js`, first);
  let most = 0;
  for (let at = 0; at <= 60; at++) {
    await page.evaluate((share) => {
      const box = document.querySelector('.pages');
      box.scrollTop = share * box.scrollHeight;
    }, at / 60);
    await page.waitForTimeout(100);
    most = Math.max(most, renderersMiB() - before);
  }
  await browser.close();
  row(
    `${name}, scrolled through`,
    `${most.toFixed(0)} MiB more in the browser`,
    'at most 300 MiB',
    most <= 300,
  );
  row(`${name}, scrolled through`, `${((received - own) / 1e6).toFixed(0)} MB received`);
}

/** Resident memory of the renderer processes. */
function renderersMiB() {
  let pages = 0;
  for (const id of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    try {
      if (!readFileSync(`/proc/${id}/cmdline`, 'latin1').includes('--type=renderer')) continue;
      pages += Number(readFileSync(`/proc/${id}/statm`, 'latin1').split(' ')[1]);
    } catch {
      // It has ended.
    }
  }
  return (pages * 4096) / 2 ** 20;
}

function row(name, found, goal, holds) {
  const verdict = goal === undefined ? '' : `  (${goal}: ${holds ? 'met' : 'MISSED'})`;
  console.log(`${name.padEnd(52)}${found}${verdict}`);
}
