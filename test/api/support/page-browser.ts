import type { IdentityApi } from './identity.ts';

/** A page as seen by a browser without scripts. */
export interface Page {
  readonly status: number;
  /** Status of the request: 303 if the page was reached by a redirect. */
  readonly sent: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
  readonly title: string;
  /** Names of the actions of its forms. */
  readonly acts: readonly string[];
  /** URL on another site to which the page redirects. */
  readonly location?: string;
}

/** A browser without scripts: it stores cookies, sends forms, and follows redirects. */
export interface PageBrowser {
  open(url: string): Promise<Page>;
  /** Sends the form of this action of the last page, with these fields filled. */
  send(act: string, fields?: Readonly<Record<string, string>>): Promise<Page>;
  readonly cookies: Map<string, string>;
}

/** Opens a browser for the API. */
export function pageBrowser(api: Pick<IdentityApi, 'app'>): PageBrowser {
  const cookies = new Map<string, string>();
  let at = '';
  let last = '';
  const request = async (method: 'GET' | 'POST', url: string, payload?: string): Promise<Page> => {
    const headers = {
      cookie: [...cookies].map((pair) => pair.join('=')).join('; '),
      ...(payload === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
    };
    const given = payload === undefined ? {} : { payload };
    const reply = await api.app.inject({ method, url, headers, ...given });
    for (const text of [reply.headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
      if (/max-age=0/i.test(text)) cookies.delete(name);
      else cookies.set(name, value);
    }
    if (reply.statusCode === 303) {
      const to = String(reply.headers.location);
      if (/^https?:/.test(to)) {
        const { statusCode: status, body, headers: answered } = reply;
        const own = { status, sent: status, headers: answered, body };
        return { ...own, title: '', acts: [], location: to };
      }
      if (!/^\/s\/\w+(\/\w+(\/documents\/\w+\/text)?)?(\?|$)/.test(to))
        throw new Error(`sent elsewhere: ${to}`);
      return { ...(await request('GET', to)), sent: 303 };
    }
    at = url;
    if (String(reply.headers['content-type']).startsWith('text/html')) last = reply.body;
    const [, title = ''] = /<h1>(.*?)<\/h1>/s.exec(reply.body) ?? [];
    const acts = [...reply.body.matchAll(/name="act" value="(\w+)"/g)].map(([, act = '']) => act);
    const { statusCode: status, body, headers: answered } = reply;
    return { status, sent: status, headers: answered, body, title, acts };
  };
  return {
    cookies,
    open: (url) => request('GET', url),
    send(act, fields = {}) {
      const forms = last.match(/<form method="post".*?<\/form>/gs) ?? [];
      const form = forms.find((each) => each.includes(`name="act" value="${act}"`));
      if (form === undefined) throw new Error(`the page has no form ${act}: ${last}`);
      const hidden = form.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g);
      const all = new URLSearchParams();
      for (const [, name = '', value = ''] of hidden) all.set(name, value);
      for (const [name, value] of Object.entries(fields)) all.set(name, value);
      return request('POST', at, all.toString());
    },
  };
}
