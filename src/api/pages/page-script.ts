/**
 * Script of the pages. In a frame it reports events and its height to the parent page, addressed to
 * the origins that the company has registered; browsers deliver only to the right one. While the
 * page is waiting, the script polls the state and replaces the content when it has changed: a page
 * that keeps reloading takes a screen reader back to its start each time.
 */
export const pageScript = `const { body } = document;
const origins = JSON.parse(body.dataset.origins ?? '[]');
const tell = (message) => {
  for (const origin of origins) parent.postMessage({ v: 1, ...message }, origin);
};
if (parent !== window) {
  tell({ type: 'ready' });
  for (const event of JSON.parse(body.dataset.event ?? '[]')) tell(event);
  // Not that of the document, which is never less than the height of the frame.
  const height = () => Math.ceil(body.getBoundingClientRect().height);
  const size = () => tell({ type: 'resize', height: height() });
  new ResizeObserver(size).observe(body);
  size();
}
const { refresh, state } = body.dataset;
const ask = async () => {
  try {
    const answer = await fetch(location.href, { redirect: 'manual' });
    if (answer.type === 'opaqueredirect') return location.reload();
    const text = await answer.text();
    const [, now] = / data-state="(\\w+)"/.exec(text) ?? [];
    if (answer.ok && now !== state) return location.reload();
    const [, code] = /<img class="qr"[^>]* src="(data:[^"]+)"/.exec(text) ?? [];
    if (code !== undefined) document.querySelector('img.qr').src = code;
  } catch {}
  setTimeout(ask, refresh * 1000);
};
if (refresh !== undefined) setTimeout(ask, refresh * 1000);
const left = document.querySelector('[data-left]');
if (left !== null) {
  const end = performance.now() + left.dataset.left * 1000;
  setInterval(() => {
    const seconds = Math.max(0, Math.ceil((end - performance.now()) / 1000));
    left.textContent = left.dataset.text.replace('{{seconds}}', seconds);
  }, 1000);
}
`;
