import { PDFDocument } from 'pdf-lib';

/** A form with one field of each kind, created by pdf-lib. */
export async function buildForm(): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const page = document.addPage([420, 420]);
  const form = document.getForm();
  const label = (text: string, y: number) => page.drawText(text, { x: 20, y, size: 8 });
  const textAt = (name: string, y: number, size = { width: 240, height: 20 }) => {
    label(name, y + 6);
    const field = form.createTextField(name);
    field.addToPage(page, { x: 120, y, ...size, borderWidth: 1 });
    return field;
  };
  const name = textAt('buyer.name', 380);
  name.enableRequired();
  textAt('small', 350, { width: 80, height: 20 });
  textAt('notes', 270, { width: 240, height: 60 }).enableMultiline();
  const cells = textAt('cells', 240);
  cells.setMaxLength(10);
  cells.enableCombing();
  const turned = form.createTextField('turned');
  turned.addToPage(page, {
    x: 395,
    y: 250,
    width: 120,
    height: 20,
    rotate: { type: 'degrees', angle: 90 } as never,
  });
  label('agree', 215);
  form.createCheckBox('agree').addToPage(page, { x: 120, y: 210, width: 16, height: 16 });
  label('other', 190);
  form.createCheckBox('other').addToPage(page, { x: 120, y: 185, width: 16, height: 16 });
  label('size', 160);
  const group = form.createRadioGroup('size');
  for (const [index, option] of ['small', 'medium', 'large'].entries()) {
    group.addOptionToPage(option, page, { x: 120 + index * 40, y: 155, width: 16, height: 16 });
  }
  label('country', 126);
  const choice = form.createDropdown('country');
  choice.setOptions(['Ísland', 'Polska', 'Česko']);
  choice.addToPage(page, { x: 120, y: 120, width: 140, height: 20 });
  const right = textAt('right', 90);
  right.setAlignment(2);
  return document.save();
}

/** Values for {@link buildForm}. */
export const formValues = {
  'buyer.name': 'Þórður Łucja Čeněk',
  small: 'Þórður Łucja Čeněk Ödön',
  notes: 'Ðagný vill fá vöruna á mánudegi, eða þriðjudegi ef það hentar betur.\nŁódź, Kraków',
  cells: '0101302989',
  turned: 'Čeněk Þórðarson',
  agree: 'checked',
  other: 'Checked',
  size: 'medium',
  country: 'Česko',
  right: '1.234,50 €',
};
