import type { ApiPorts } from '../ports.ts';
import type { ApiApp } from '../route.ts';
import { registerActivity } from './activity.ts';
import { registerAttachments } from './attachments.ts';
import { registerDocuments } from './documents.ts';
import { registerFlows } from './flows.ts';
import { type ReadMetrics, registerHealth } from './health.ts';
import { registerIdentityRoutes } from './identity.ts';
import { registerLinkPages } from './link-pages.ts';
import { registerManagement } from './management.ts';
import { registerPdf } from './pdf.ts';
import { registerReminders } from './reminders.ts';
import { registerSealing } from './sealing.ts';
import { registerSequences } from './sequences.ts';
import { registerService } from './service.ts';
import { registerSignees } from './signees.ts';
import { registerTemplates } from './templates.ts';
import { registerTrust } from './tsa.ts';
import { registerWebhooks } from './webhooks.ts';

/** Adds every route of the interface. */
export function addAllRoutes(app: ApiApp, ports: ApiPorts, readMetrics: ReadMetrics): void {
  registerManagement(app);
  registerSignees(app);
  registerSequences(app);
  registerAttachments(app);
  registerReminders(app);
  registerPdf(app);
  registerActivity(app);
  registerSealing(app, ports);
  registerDocuments(app, ports);
  registerFlows(app, ports);
  registerWebhooks(app);
  registerTemplates(app);
  registerIdentityRoutes(app, ports);
  registerService(app);
  registerLinkPages(app, ports);
  registerHealth(app, ports, readMetrics);
  registerTrust(app, ports.trust);
}
