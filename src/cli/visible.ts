/** Control characters in a foreign text must not drive the terminal of the person who reads it. */
export const visible = (text: string): string =>
  text.replace(/[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g, "�");
