/**
 * Script of a page in a frame: tells the page around it what has happened, and how high it is.
 * It posts to the origins that the company has registered: browsers deliver to the right one.
 */
export const frameScript = `const { body } = document;
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
`;
