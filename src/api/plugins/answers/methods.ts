import type { ApiApp, RouteFacts } from '../../route.ts';

/** The methods of each address, by the routes that are added from now on and are meant. */
export function listMethods(
  app: ApiApp,
  isMeant: (facts: RouteFacts | undefined) => boolean = () => true,
): (url: string) => readonly string[] {
  const patterns = new Map<string, { readonly pattern: RegExp; readonly methods: Set<string> }>();
  app.addHook('onRoute', ({ url, method, config }) => {
    if (!isMeant(config?.facts)) return;
    const source = url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:\w+/g, '[^/]+');
    const known = patterns.get(url) ?? {
      pattern: new RegExp(`^${source}/?$`, 'i'),
      methods: new Set(),
    };
    for (const each of [method].flat()) known.methods.add(each);
    patterns.set(url, known);
  });
  return (url) => {
    const path = url.split('?', 1)[0] ?? '';
    const found = [...patterns.values()].filter(({ pattern }) => pattern.test(path));
    return [...new Set(found.flatMap(({ methods }) => [...methods]))].sort();
  };
}
