import type { TSchema } from '@sinclair/typebox';
import { type ApiApp, addRoute, type RouteSpec } from '../route.ts';

type Anything = RouteSpec<TSchema, TSchema, TSchema>;

/** Properties shared by the routes of a file; a route may override them. */
type Common = Pick<Anything, 'tag' | 'access'> &
  Partial<Pick<Anything, 'base' | 'scope' | 'failurePage'>>;

type Own<P extends TSchema, Q extends TSchema, B extends TSchema> = Partial<Common> &
  Omit<RouteSpec<P, Q, B>, 'method' | 'path' | keyof Common>;

/** Returns a function that adds routes with these properties. */
export function routesOf(common: Common) {
  return <P extends TSchema, Q extends TSchema, B extends TSchema>(
    app: ApiApp,
    method: Anything['method'],
    path: string,
    own: Own<P, Q, B>,
  ): void => addRoute(app, { ...common, method, path, ...own });
}
