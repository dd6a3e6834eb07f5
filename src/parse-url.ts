/** The URL, or nothing. Node 20's `URL.canParse` denies hosts such as `münchen.example` once its caller is optimized. */
export const parseUrl = (text: string, base?: URL): URL | undefined => {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
};
