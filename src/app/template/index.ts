/** Mail texts of companies. */
export {
  handleWarning,
  type TemplateRequest,
  type TemplateToolkit,
  templateToolkit,
  templateTypes,
} from './template-toolkit.ts';
