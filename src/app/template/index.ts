/** Mail texts of companies. */
export {
  handleWarning,
  type TemplateRequest,
  type TemplateService,
  templateService,
  templateTypes,
} from './template-service.ts';
