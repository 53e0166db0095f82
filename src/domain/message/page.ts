import { escapeHtml } from './handle-places.ts';
import { type Language, localeOfLanguage } from './language.ts';

/** A block of a mail, rendered as text and as HTML. */
export type Block =
  | { readonly kind: 'paragraph'; readonly text: string }
  /** Rendered larger and spaced, so that it can be read aloud. */
  | { readonly kind: 'code'; readonly text: string; readonly code: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | { readonly kind: 'link'; readonly label: string; readonly url: string }
  | { readonly kind: 'small'; readonly text: string; readonly url?: string }
  | {
      readonly kind: 'logo';
      readonly text: string;
      readonly width: number;
      readonly height: number;
    };

/** Content-ID of the company logo in mails: `cid:logo`. */
export const logoCid = 'logo';
/** Maximum displayed size of a logo, in pixels. */
const logoBox = { width: 220, height: 60 };

const fonts = 'font-family:system-ui,-apple-system,Segoe UI,Roboto,Arial,sans-serif';
const buttonStyle =
  'display:inline-block;padding:12px 20px;background:#1f3a5f;color:#ffffff;' +
  'text-decoration:none;border-radius:4px;font-weight:bold';

/** Renders `blocks` as plain text, with an empty line between paragraphs. */
export function blocksToText(blocks: readonly Block[]): string {
  const said = blocks.filter(({ kind }) => kind !== 'logo');
  return `${said.map(textOf).join('\n\n')}\n`;
}

/** Renders `blocks` as HTML fragments. */
export function blocksToHtml(blocks: readonly Block[]): string {
  return blocks.map(htmlOf).join('\n');
}

/**
 * Renders a complete single-column HTML page around `content`. It has a language and title for
 * screen readers, no images except the attached logo, and loads nothing.
 */
export function htmlPage(title: string, language: Language, content: string): string {
  const tag = localeOfLanguage(language).tag;
  return `<!doctype html>
<html lang="${tag}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
</head>
<body style="margin:0;padding:24px;background:#ffffff;color:#1a1a1a;${fonts}">
<main lang="${tag}" style="max-width:600px;margin:0 auto;font-size:16px;line-height:1.5">
${content}
</main>
</body>
</html>
`;
}

function textOf(block: Block): string {
  switch (block.kind) {
    case 'list':
      return block.items.map((item) => `- ${item}`).join('\n');
    case 'link':
      return `${block.label}:\n${block.url}`;
    case 'small':
      return block.url === undefined ? block.text : `${block.text}:\n${block.url}`;
    default:
      return block.text;
  }
}

function htmlOf(block: Block): string {
  switch (block.kind) {
    case 'paragraph':
      return `<p>${escapeHtml(block.text)}</p>`;
    case 'logo': {
      const { width, height } = fitted(block);
      const size = `width="${width}" height="${height}"`;
      const style = 'display:block;border:0;max-width:100%';
      const text = escapeHtml(block.text);
      return `<p><img src="cid:${logoCid}" alt="${text}" ${size} style="${style}"></p>`;
    }
    case 'code': {
      const code = escapeHtml(block.code);
      const [before, after] = splitOnce(escapeHtml(block.text), code);
      const style = 'font-size:24px;letter-spacing:2px';
      return `<p>${before}<strong style="${style}">${code}</strong>${after}</p>`;
    }
    case 'list':
      return `<ul>${block.items.map((item) => `<li>${escapeHtml(item)}</li>`).join('')}</ul>`;
    case 'link': {
      const url = escapeHtml(block.url);
      const button = `<a href="${url}" style="${buttonStyle}">${escapeHtml(block.label)}</a>`;
      const style = 'font-size:14px;color:#4a4a4a;word-break:break-all';
      return `<p>${button}</p>\n<p style="${style}">${url}</p>`;
    }
    case 'small': {
      const text = escapeHtml(block.text);
      const inner =
        block.url === undefined
          ? text
          : `<a href="${escapeHtml(block.url)}" style="color:#1f3a5f">${text}</a>`;
      return `<p style="font-size:14px;color:#4a4a4a;word-break:break-word">${inner}</p>`;
    }
  }
}

/** The displayed size of a logo; small logos are not enlarged. */
function fitted({ width, height }: { readonly width: number; readonly height: number }) {
  const scale = Math.min(1, logoBox.width / width, logoBox.height / height);
  const side = (length: number) => Math.max(1, Math.round(length * scale));
  return { width: side(width), height: side(height) };
}

function splitOnce(text: string, separator: string): readonly [string, string] {
  const at = separator === '' ? -1 : text.indexOf(separator);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)];
}
