import type { ApiPorts } from '../ports.ts';
import type { ApiApp } from '../route.ts';
import { registerActivity } from './company/activity.ts';
import { registerFlows } from './company/flows.ts';
import { registerTemplates } from './company/templates.ts';
import { registerWebhooks } from './company/webhooks.ts';
import { registerDocuments } from './documents/documents.ts';
import { registerSealing } from './documents/sealing.ts';
import { registerTrust } from './documents/tsa.ts';
import { type ReadMetrics, registerHealth } from './health.ts';
import { registerPages } from './pages/signing-page.ts';
import { registerAttachments } from './processes/attachments.ts';
import { registerManagement } from './processes/management.ts';
import { registerPdf } from './processes/pdf.ts';
import { registerReminders } from './processes/reminders.ts';
import { registerSequences } from './processes/sequences.ts';
import { registerSignees } from './processes/signees.ts';
import { registerService } from './service.ts';
import { registerIdentityRoutes } from './signing/identity.ts';

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
  registerPages(app, ports);
  registerHealth(app, ports, readMetrics);
  registerTrust(app, ports.trust);
}
