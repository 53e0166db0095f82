/** Every route of the API. */
export { addAllRoutes } from './all-routes.ts';
