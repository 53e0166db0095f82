/** Every route of the interface. */
export { addAllRoutes } from './all-routes.ts';
