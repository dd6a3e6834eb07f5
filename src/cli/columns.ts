/** How much of a text fits on one line of a terminal. */

const nothing = /^[\p{Mn}\p{Me}\p{Cf}]/u;
const wide =
  /^(?:\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}])/u;

const columnsOf = (character: string): number => (nothing.test(character) ? 0 : wide.test(character) ? 2 : 1);

export const widthOf = (text: string): number =>
  [...text].reduce((sum, character) => sum + columnsOf(character), 0);

export const fit = (text: string, columns: number): string => {
  if (widthOf(text) <= columns) return text;
  let [kept, width] = ["", 1];
  for (const character of text) {
    width += columnsOf(character);
    if (width > columns) break;
    kept += character;
  }
  return columns < 1 ? "" : `${kept.trimEnd()}…`;
};
