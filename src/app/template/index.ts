/** Mail texts of companies. */
export {
  type TemplateRequest,
  type TemplateToolkit,
  templateToolkit,
  templateTypes,
} from './template-toolkit.ts';
